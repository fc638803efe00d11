/** One job: its progress, the outcome of each video, and what can be done with it. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { isFinal, type Job, type StartedJob } from '../api/client.ts'
import { jobQuery } from '../api/queries.ts'
import { jobWith } from '../live.ts'
import { Notice } from '../parts/controls.tsx'
import { CancelJob, RunAgain } from '../parts/job-actions.tsx'
import { LostEvents } from '../parts/lost-connection.tsx'
import { OfBatch } from '../parts/of-batch.tsx'
import { BackLink, PageHead } from '../parts/page-head.tsx'
import { JobRows } from '../parts/job-rows.tsx'
import { JobSummary } from '../parts/job-summary.tsx'
import { JobWords } from '../parts/job-words.tsx'
import { useLiveJob } from '../parts/use-live-job.ts'
import { jobTitle } from '../format.ts'
import { WaitingPage } from './not-found.tsx'
import { statusWords } from '../words.ts'
import { TextLink } from '../parts/text-link.tsx'

const route = getRouteApi('/member/jobs/$id')
const NEXT_LOOK_MS = 5_000

export function JobPage() {
  const { id } = route.useParams()
  const client = useQueryClient()
  const [isLost, setIsLost] = useState(false)
  const query = useQuery({
    ...jobQuery(id),
    // Without an event stream, the page reads the job at intervals.
    refetchInterval: ({ state }) =>
      isLost && state.data !== undefined && !isFinal(state.data) ? NEXT_LOOK_MS : false,
  })
  const { data: job } = query
  const settled = job?.billing.settled ?? false
  useEffect(() => {
    if (settled) void client.invalidateQueries({ queryKey: ['funds'] })
  }, [client, settled])
  useFreshTitle(job)

  if (job === undefined) return <WaitingPage query={query} lines={5} label="Loading the job" />
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
function FollowedJob({ job: known, onLost }: { job: Job; onLost: (isLost: boolean) => void }) {
  const live = useLiveJob(known.id, !isFinal(known))
  const { isLost, isAll, isFollowed, told } = live
  useEffect(() => onLost(isLost), [onLost, isLost])
  const isLeft = isLost && (told === 0 || isFinal(known)) // the missing rows can be read page by page
  const isTold = isAll || (isFollowed && !isLeft)
  const job = isTold ? jobWith(known, live.rows) : known
  return (
    <>
      <BackLink to="/jobs">All jobs</BackLink>
      <PageHead kind="thing" name={jobTitle(job)}>
        {isFinal(job) ? <RunAgain job={job} /> : <CancelJob job={job} />}
      </PageHead>
      <OfBatch batch={job.batch} />
      <JobWords job={job} />
      <div className="space-y-3">
        <JobSummary job={job} />
        <HadBefore job={job} />
        {job.error !== null && <Notice tone="danger">{job.error}</Notice>}
        <Notices job={job} />
        {isLost && <LostEvents heardAtMs={live.heardAtMs} />}
      </div>
      <JobRows job={job} live={isTold ? live : null} />
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
      <TextLink to="/new">a new job</TextLink>.
    </p>
  )
}

/** Shows the API's notices about a job that was started here; only the answer to the start has them. */
function Notices({ job }: { job: Job }) {
  const { data } = useQuery<StartedJob>({
    queryKey: ['started', job.id],
    enabled: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  // That the balance lowered the limit matters only where the lists hold more.
  const { notices = [], balanceNotice }: StartedJob = data ?? job
  const told = notices.filter((notice) => isFull(job) || notice !== balanceNotice)
  return told.map((notice) => (
    <Notice key={notice} tone="warn">
      <span dir="auto" className="wrap-anywhere">
        {withoutNames(notice)}
      </span>
    </Notice>
  ))
}

/** Returns whether the job has taken up as many videos as it may. */
function isFull({ input, progress: { processed, counts } }: Job): boolean {
  const { unchanged = 0, skipped = 0, truncated = 0 } = counts
  return truncated > 0 || processed - unchanged - skipped >= input.maxVideos
}
