/** The page of an account without jobs: three things to try, and how a text looks. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { fundsQuery, visitQuery } from '../api/queries.ts'
import { buttonLook } from '../parts/controls.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { counted, usd } from '../format.ts'
import { costOf } from '../order-size.ts'
import { TextLink } from '../parts/text-link.tsx'

const TRIES = [
  {
    title: 'One video',
    text: 'Paste the address of a video with captions. Its text appears a few seconds later.',
    example: 'video',
    max: undefined,
    action: 'Try a video',
  },
  {
    title: 'The newest videos of a channel',
    text: 'The address of a channel and a limit of ten get its ten newest videos.',
    example: 'channel',
    max: 10,
    action: 'Try a channel',
  },
  {
    title: 'Many lines at once',
    text: 'Up to a thousand lines of any kind. Each is recognised as you type.',
    example: undefined,
    max: undefined,
    action: 'Paste your own',
  },
] as const

/** Lines of a text: the time, and the words around one that was searched for. */
const SAMPLE = [
  '0:02|Tonight I want to talk about the oldest machine in this town, the |bridge| you all walked over.',
  '0:29|Take one stone away and the whole |bridge| goes. Put weight on it and it only presses harder.',
  '1:08|The river has gone over the road eleven times, and the |bridge| has not moved by a finger.',
].map((line) => line.split('|'))

export function FirstSteps() {
  const { data: funds } = useQuery(fundsQuery)
  const { data: visit } = useQuery(visitQuery)
  const paid = funds?.affordableTranscripts
  return (
    <>
      <PageHead
        title="Three things to try"
        name="First steps"
        about={
          <>
            A transcript costs {costOf(1)} when it is delivered. Videos without captions are free.{' '}
            {funds !== undefined &&
              `Your balance of ${usd(funds.available)} pays for ${counted(paid ?? 0, 'transcript')}. `}
            {paid === 0 && <TextLink to="/billing">Top it up</TextLink>}
            {paid === 0 && ' before the first job.'}
          </>
        }
      />
      <ol className="grid gap-px overflow-hidden rounded-2xl border border-line bg-line md:grid-cols-[minmax(0,1.75fr)_minmax(0,1fr)]">
        {TRIES.map(({ title, text, example, max, action }, index) => (
          <li key={title} className="flex flex-col bg-surface p-6 first:row-span-2 sm:p-8">
            <h2 className={index === 0 ? 'text-xl' : 'text-lg'}>{title}</h2>
            <p className="mt-1.5 text-[0.9375rem] text-muted">{text}</p>
            <Link
              to="/new"
              search={{ urls: example && visit?.examples[example], max }}
              className={`mt-5 self-start ${index === 0 ? buttonLook('primary') : buttonLook('plain', 'small')}`}
            >
              {action}
            </Link>
            {index === 0 && <Sample />}
          </li>
        ))}
      </ol>
      <p className="mt-6 text-[0.9375rem] text-muted">
        Would you rather write a program?{' '}
        <TextLink to="/developers">The API in three languages</TextLink>.
      </p>
    </>
  )
}

function Sample() {
  return (
    <figure className="mt-6 border-t border-line pt-5">
      <figcaption className="mb-3 text-sm text-muted">
        What you get: each sentence with its time, and every word found
      </figcaption>
      {SAMPLE.map(([time, before, word, after]) => (
        <p key={time} className="mt-2 font-serif text-[1.0625rem]">
          <span className="numbers mr-3 font-sans text-sm text-muted">{time}</span>
          {before}
          <mark>{word}</mark>
          {after}
        </p>
      ))}
    </figure>
  )
}
