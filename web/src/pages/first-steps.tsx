/** The page of an account without jobs: three things to try. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Funds } from '../api/account.ts'
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
    max: null,
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
    example: null,
    max: null,
    action: 'Paste your own',
  },
] as const

export function FirstSteps() {
  const { data: funds } = useQuery(fundsQuery)
  const { data: visit } = useQuery(visitQuery)
  return (
    <>
      <PageHead
        title="Three things to try"
        name="First steps"
        about={`A transcript costs ${costOf(1)} when it is delivered. Videos without captions are free.`}
      />
      <ol className="grid gap-px overflow-hidden rounded-2xl border border-line bg-line md:grid-cols-3">
        {TRIES.map(({ title, text, example, max, action }, index) => (
          <li key={title} className="flex flex-col bg-surface p-6">
            <span aria-hidden="true" className="font-serif text-3xl text-accent">
              {index + 1}
            </span>
            <h2 className="mt-3 text-lg">{title}</h2>
            <p className="mt-1.5 mb-6 text-[0.9375rem] text-muted">{text}</p>
            <Link
              to="/new"
              search={{
                ...(example === null || visit === undefined
                  ? {}
                  : { urls: visit.examples[example] }),
                ...(max === null ? {} : { max }),
              }}
              className={`mt-auto self-start ${buttonLook(index === 0 ? 'primary' : 'plain', 'small')}`}
            >
              {action}
            </Link>
          </li>
        ))}
      </ol>
      <p className="mt-6 text-[0.9375rem] text-muted">
        {funds === undefined ? ' ' : `${balanceWords(funds)} `}
        {funds?.affordableTranscripts === 0 && <TextLink to="/billing">Top it up</TextLink>}
        {funds?.affordableTranscripts === 0 && ' before the first job. '}
        Would you rather write a program?{' '}
        <TextLink to="/developers">The API in three languages</TextLink>.
      </p>
    </>
  )
}

function balanceWords({ available, affordableTranscripts: paid }: Funds): string {
  if (paid === 0) return `Your balance is ${usd(available)}.`
  return `Your balance of ${usd(available)} pays for ${counted(paid, 'transcript')}.`
}
