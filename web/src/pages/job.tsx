/** One job: how far it is, what came of each video, and what can be done with it. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { Job } from '../api/client.ts'
import { ApiProblem } from '../api/problem.ts'
import { isFinal, jobQuery } from '../api/queries.ts'
import { Notice } from '../parts/controls.tsx'
import { BackIcon } from '../parts/icons.tsx'
import { CancelJob, Downloads, RunAgain } from '../parts/job-actions.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { CountsBar, CountsLegend, StateTag, totalOf } from '../parts/progress.tsx'
import { JobRows } from '../parts/job-rows.tsx'
import { Failed, Loading } from '../parts/states.tsx'
import { count, counted, jobName, languageName, STATE_WORDS, usd, when } from '../format.ts'
import { NotFoundPage } from './not-found.tsx'

const route = getRouteApi('/member/jobs/$id')

export function JobPage() {
  const { id } = route.useParams()
  const client = useQueryClient()
  const { data: job, error, refetch } = useQuery(jobQuery(id, client))
  const settled = job?.billing.settled ?? false
  useEffect(() => {
    if (settled) void client.invalidateQueries({ queryKey: ['funds'] })
  }, [client, settled])

  if (job === undefined) {
    if (error instanceof ApiProblem && error.status === 404) return <NotFoundPage />
    return error === null ? (
      <Loading lines={5} label="Loading the job" />
    ) : (
      <Failed error={error} onRetry={() => void refetch()} />
    )
  }
  return <JobView job={job} />
}

function JobView({ job }: { job: Job }) {
  const { first, more } = jobName(job)
  return (
    <>
      <Link
        to="/jobs"
        className="mb-4 inline-flex items-center gap-1.5 text-sm text-muted no-underline hover:text-ink"
      >
        <BackIcon /> All transcripts
      </Link>
      <PageHead
        name={first}
        title={
          <span dir="auto" className="wrap-anywhere" title={job.input.urls[0]}>
            {first}
          </span>
        }
        about={more > 0 ? <MoreLines urls={job.input.urls} /> : undefined}
      >
        {isFinal(job) ? <RunAgain job={job} /> : <CancelJob job={job} />}
      </PageHead>
      <section aria-label="Progress" className="space-y-3">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
          <p className="flex items-center gap-3">
            <StateTag state={job.state} />
            <ProgressWords job={job} />
          </p>
          <p className="numbers text-sm text-muted">{billingWords(job)}</p>
        </div>
        <p role="status" className="sr-only">
          {STATE_WORDS[job.state]}
          {isFinal(job) ? `: ${counted(job.progress.delivered, 'transcript')}` : ''}
        </p>
        <CountsBar job={job} />
        <CountsLegend counts={job.progress.counts} />
        {job.error !== null && <Notice tone="danger">{job.error}</Notice>}
        <Notices jobId={job.id} />
      </section>
      {job.progress.delivered > 0 && <Downloads job={job} />}
      <Facts job={job} />
      <JobRows job={job} />
    </>
  )
}

/** What the API said when the job was started here; it says it only then. */
function Notices({ jobId }: { jobId: string }) {
  const { data = [] } = useQuery<string[]>({
    queryKey: ['notices', jobId],
    queryFn: () => [],
    enabled: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data.map((notice) => (
    <Notice key={notice} tone="warn">
      <span dir="auto" className="wrap-anywhere">
        {notice}
      </span>
    </Notice>
  ))
}

function MoreLines({ urls }: { urls: string[] }) {
  return (
    <details>
      <summary className="cursor-pointer">and {counted(urls.length - 1, 'line')} more</summary>
      <ul className="mt-2 space-y-0.5 text-sm">
        {urls.slice(1).map((url) => (
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
