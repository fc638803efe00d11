/** One job: its progress, the outcome of each video, and what can be done with it. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { isFinal, type Job } from '../api/client.ts'
import { ApiError } from '../api/problem.ts'
import { jobQuery } from '../api/queries.ts'
import { jobWith } from '../live.ts'
import { Notice } from '../parts/controls.tsx'
import { BackIcon } from '../parts/icons.tsx'
import { CancelJob, Downloads, RunAgain } from '../parts/job-actions.tsx'
import { LostEvents } from '../parts/lost-connection.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { CountsBar, CountsLegend, StateTag, totalOf } from '../parts/progress.tsx'
import { JobCollections } from '../parts/job-collections.tsx'
import { JobRows } from '../parts/job-rows.tsx'
import { JobWords } from '../parts/job-words.tsx'
import { type LiveJob, useLiveJob } from '../parts/use-live-job.ts'
import { Failed, Loading } from '../parts/states.tsx'
import {
  count,
  counted,
  jobTitle,
  languageName,
  STATE_WORDS,
  statusWords,
  usd,
  when,
} from '../format.ts'
import { NotFoundPage } from './not-found.tsx'

const route = getRouteApi('/member/jobs/$id')
const NEXT_LOOK_MS = 5_000

export function JobPage() {
  const { id } = route.useParams()
  const client = useQueryClient()
  const [isLost, setIsLost] = useState(false)
  const {
    data: job,
    error,
    refetch,
  } = useQuery({
    ...jobQuery(id),
    // Without an event stream, the page reads the job at intervals.
    refetchInterval: ({ state }) =>
      isLost && state.data !== undefined && !isFinal(state.data) ? NEXT_LOOK_MS : false,
  })
  const settled = job?.billing.settled ?? false
  useEffect(() => {
    if (settled) void client.invalidateQueries({ queryKey: ['funds'] })
  }, [client, settled])
  useFreshTitle(job)

  if (job === undefined) {
    if (error instanceof ApiError && error.status === 404) return <NotFoundPage />
    return error === null ? (
      <Loading lines={5} label="Loading the job" />
    ) : (
      <Failed error={error} onRetry={() => void refetch()} />
    )
  }
  return <FollowedJob key={id} job={job} onLost={setIsLost} />
}

/** Reads again what the job is called: when its lists are known, and at its end, when its videos are. */
function useFreshTitle(job: Job | undefined) {
  const client = useQueryClient()
  const known =
    job === undefined
      ? null
      : `${(job.progress.discovered ?? 0) > 0} ${job.progress.processed > 0} ${isFinal(job)}`
  const before = useRef<string | null>(null)
  const id = job?.id
  useEffect(() => {
    if (before.current !== null && known !== before.current)
      void client.invalidateQueries({ queryKey: ['job', id] })
    before.current = known
  }, [client, id, known])
}

/** Shows a final job as it is, and follows one that is still working. */
function FollowedJob({ job, onLost }: { job: Job; onLost: (isLost: boolean) => void }) {
  const live = useLiveJob(job.id, !isFinal(job))
  const { isLost, isAll, isFollowed, told } = live
  useEffect(() => onLost(isLost), [onLost, isLost])
  const isLeft = isLost && (told === 0 || isFinal(job)) // the missing rows can be read page by page
  const isTold = isAll || (isFollowed && !isLeft)
  const shown = isTold ? { job: jobWith(job, live.rows), live } : { job, live: null }
  return <JobView {...shown} lostSinceMs={isLost ? live.heardAtMs : null} />
}

/** `live` is null where the page has not received the rows and reads them page by page. */
function JobView({
  job,
  live,
  lostSinceMs,
}: {
  job: Job
  live: LiveJob | null
  lostSinceMs: number | null
}) {
  const title = jobTitle(job)
  return (
    <>
      <Link
        to="/jobs"
        className="mb-4 inline-flex items-center gap-1.5 text-sm text-muted no-underline hover:text-ink"
      >
        <BackIcon /> All jobs
      </Link>
      <PageHead
        name={title}
        title={
          <span dir="auto" className="wrap-anywhere">
            {title}
          </span>
        }
        about={<OrderedLines urls={job.input.urls} />}
      >
        {isFinal(job) ? <RunAgain job={job} /> : <CancelJob job={job} />}
      </PageHead>
      <JobWords job={job} />
      <section aria-label="Progress" className="space-y-3">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
          <p className="flex items-center gap-3">
            <StateTag state={job.state} />
            <ProgressWords job={job} />
          </p>
          <p className="numbers text-sm text-muted">
            {billingWords(job)}
            {job.billing.settled && (
              <>
                {' · '}
                <Link to="/receipts/$id" params={{ id: job.id }} className="link">
                  Receipt
                </Link>
              </>
            )}
          </p>
        </div>
        <p role="status" className="sr-only">
          {STATE_WORDS[job.state]}
          {isFinal(job) ? `: ${counted(job.progress.delivered, 'transcript')}` : ''}
        </p>
        <CountsBar job={job} />
        <CountsLegend counts={job.progress.counts} />
        <HadBefore job={job} />
        {job.error !== null && <Notice tone="danger">{job.error}</Notice>}
        <Notices job={job} />
        {lostSinceMs !== null && <LostEvents heardAtMs={lostSinceMs} />}
      </section>
      {job.progress.delivered > 0 && <Downloads job={job} />}
      <Facts job={job} />
      <JobCollections job={job} />
      <JobRows job={job} live={live} />
    </>
  )
}

/** Returns a notice with the API's words for programs replaced by this site's. */
function withoutNames(notice: string): string {
  return notice.replace(/`(\w+)`/g, (_, name: string) => `“${statusWords(name)}”`)
}

/** Explains rows delivered before, whose texts open here too; only other lines would bring them in another language. */
function HadBefore({ job }: { job: Job }) {
  if ((job.progress.counts['unchanged'] ?? 0) === 0) return null
  return (
    <p className="max-w-[68ch] text-sm text-muted">
      What was delivered before opens below as it is, free of charge. To have it in another
      language, paste the addresses of the videos themselves into{' '}
      <Link to="/new" className="link">
        a new job
      </Link>
      .
    </p>
  )
}

/** Shows the API's notices about a job that was started here; only the answer to the start has them. */
function Notices({ job }: { job: Job }) {
  const { data = [] } = useQuery<string[]>({
    queryKey: ['notices', job.id],
    queryFn: () => [],
    enabled: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const told = data.filter((notice) => isFull(job) || !notice.startsWith(OF_BALANCE))
  return told.map((notice) => (
    <Notice key={notice} tone="warn">
      <span dir="auto" className="wrap-anywhere">
        {withoutNames(notice)}
      </span>
    </Notice>
  ))
}

/** How the notice begins that the balance lowered the limit: it matters only where the lists hold more. */
const OF_BALANCE = 'The balance covers'

/** Returns whether the job has taken up as many videos as it may. */
function isFull({ input, progress: { processed, counts } }: Job): boolean {
  const { unchanged = 0, skipped = 0, truncated = 0 } = counts
  return truncated > 0 || processed - unchanged - skipped >= input.maxVideos
}

function OrderedLines({ urls }: { urls: string[] }) {
  return (
    <details>
      <summary className="cursor-pointer">{counted(urls.length, 'line')} ordered</summary>
      <ul className="mt-2 space-y-0.5 text-sm">
        {urls.map((url) => (
          <li key={url} dir="auto" className="wrap-anywhere">
            {url}
          </li>
        ))}
      </ul>
    </details>
  )
}

function ProgressWords({ job }: { job: Job }) {
  const total = totalOf(job)
  const { processed, delivered } = job.progress
  if (isFinal(job))
    return (
      <span>
        {counted(delivered, 'transcript')} from {counted(processed, 'video')}
      </span>
    )
  if (total === null) return <span className="text-muted">Looking for the videos…</span>
  return (
    <span className="numbers">
      {count(processed)} of {counted(total, 'video')}
    </span>
  )
}

function billingWords({ billing, input }: Job): string {
  if (billing.charged !== null) return `Charged ${usd(billing.charged)}`
  return `${usd(billing.reserved)} reserved for up to ${counted(input.maxVideos, 'video')}`
}

function Facts({ job }: { job: Job }) {
  const { input } = job
  const facts = [
    `Started ${when(job.createdAt)}`,
    job.finishedAt === null ? '' : `ended ${when(job.finishedAt)}`,
    input.language === 'original' ? 'original language' : languageName(input.language),
    input.requestedMaxVideos > input.maxVideos
      ? `limited to ${count(input.maxVideos)} by the balance`
      : '',
    input.publishedAfter === null ? '' : `from ${input.publishedAfter}`,
    input.publishedBefore === null ? '' : `until ${input.publishedBefore}`,
  ]
  return (
    <p className="mt-4 text-sm text-muted">{facts.filter((fact) => fact !== '').join(' · ')}</p>
  )
}
