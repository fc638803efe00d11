/** A row without a text: what the platform said, when, whether a repeat helps, and that it costs nothing. */
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { isFinal, type JobVideo } from '../api/client.ts'
import { jobQuery } from '../api/queries.ts'
import { dotted, publishedOn, when } from '../format.ts'
import { statusWords } from '../words.ts'
import { buttonLook } from '../parts/controls.tsx'
import { OutIcon } from '../parts/icons.tsx'
import { RunAgain } from '../parts/job-actions.tsx'
import {
  languagesSentence,
  OrderInLanguages,
  otherLanguages,
  otherTracks,
  TracksToOrder,
} from '../parts/other-languages.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { statusShade } from '../parts/progress.tsx'
import { ReaderWays } from '../parts/reader-ways.tsx'
import { Dot } from '../parts/list-row.tsx'

const LATER = 'Running the job again tries it once there is nothing new to try.'

/** Whether a repeat helps, by the row's status. */
const REPEATS: Record<string, string> = {
  no_captions: `Perhaps later: captions are often published some hours or days after a video. ${LATER}`,
  language_not_available: `Not in the same language. Order it in one that exists.`,
  private: `Only if its owner makes it public. ${LATER}`,
  unavailable: `Only if the platform shows it again. ${LATER}`,
  blocked_suspect:
    'Yes, often: the video itself may be fine. Running the job again tries it first.',
  failed: 'Yes, often. Running the job again tries it first.',
  invalid_url: 'Not with the same address. Check it, and order the right one in a new job.',
  skipped: 'Not with the same dates. Order it in a new job with other dates, or with none.',
  truncated: 'Yes: running the job again continues with it.',
}

export function UndeliveredPage({ row }: { row: JobVideo }) {
  const { data: job } = useQuery(jobQuery(row.jobId))
  const title = row.title ?? row.url ?? row.videoId ?? 'Unnamed'
  const status = row.status ?? 'skipped'
  const languages = otherLanguages(row)
  const tracks = otherTracks(row)
  const wasDelivered = status === 'success' || status === 'unchanged'
  const facts: [string, ReactNode][] = [
    ['Result', <Outcome key="outcome" status={status} label={row.label} />],
    ['Why', languages.length > 0 ? languagesSentence(languages) : whyWords(row, status)],
    ['When', job === undefined ? ' ' : `With the job of ${when(job.createdAt)}`],
    ...(wasDelivered
      ? []
      : ([
          ['Will trying again help?', REPEATS[status] ?? LATER],
          ['Cost', 'Nothing. Only delivered transcripts are charged.'],
        ] satisfies [string, string][])),
  ]
  return (
    <article className="mx-auto max-w-2xl">
      <ReaderWays jobId={row.jobId} index={row.index} />
      <PageHead kind="thing" name={title} about={dotted([row.channelName, publishedOn(row)])} />
      <dl className="divide-y divide-line border-y border-line">
        {facts.map(([name, value]) => (
          <div key={name} className="grid gap-x-6 gap-y-1 py-4 sm:grid-cols-[11rem_minmax(0,1fr)]">
            <dt className="text-muted">{name}</dt>
            <dd dir="auto" className="wrap-anywhere">
              {value}
            </dd>
          </div>
        ))}
      </dl>
      {tracks.length > 0 && (
        <section aria-labelledby="tracks" className="mt-8 text-[0.9375rem]">
          <h2 id="tracks" className="mb-3 text-xl">
            Captions of this video
          </h2>
          <TracksToOrder row={row} job={job} />
        </section>
      )}
      <div className="mt-6 flex flex-wrap gap-2">
        {job !== undefined && tracks.length === 0 && (
          <OrderInLanguages row={row} job={job} codes={languages} />
        )}
        {job !== undefined && isFinal(job) && languages.length === 0 && <RunAgain job={job} />}
        {row.url !== null && (
          <a
            href={row.url}
            target="_blank"
            rel="noreferrer"
            className={buttonLook('plain', 'small')}
          >
            <OutIcon /> Open the video
          </a>
        )}
      </div>
    </article>
  )
}

function whyWords({ errorMessage, label }: JobVideo, status: string): string {
  const gone = status === 'unchanged' ? 'Its text was deleted.' : null
  return errorMessage ?? gone ?? label ?? statusWords(status)
}

function Outcome({ status, label }: { status: string; label: string | null }) {
  return (
    <>
      <Dot shade={statusShade(status)} />
      {label ?? statusWords(status)}
    </>
  )
}
