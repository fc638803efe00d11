/** A job's events as text/event-stream: whole events only, a page of rows at a time, as the client reads them. */
import { type JobProgress, isJobDue } from '../model/jobs/job-events.ts'
import { isFinal } from '../model/jobs/job.ts'
import type { JobFollower } from '../features/jobs/watch-job.ts'
import type { JobRecord } from '../store/jobs.ts'
import type { FinishedRow } from '../store/video-rows.ts'
import { type Links, presentJob, presentRow } from './present.ts'

/** When a client whose stream ended comes again. */
const STREAM_RETRY_MS = 2_000

/** When the stream ends, however it does, a client that was not told `end` comes again after this. */
const RETRY = Buffer.from(`retry: ${STREAM_RETRY_MS}\n\n`)
/** A comment: it keeps proxies from closing what seems idle, and tells us of clients that are gone. */
const HEARTBEAT = Buffer.from(': here\n\n')

/**
 * What a follower who has had the first `after` rows is told, until `end` or until the follower is over.
 * Nothing is read before the last piece was taken, so a slow client holds one page and no more.
 */
export async function* eventsOf(
  follower: JobFollower,
  after: number,
  links: Links,
): AsyncGenerator<Buffer> {
  yield RETRY
  let told: JobProgress | null = null
  let toldRows = after
  while (!follower.isOver) {
    const { job } = follower
    let isQuiet = true
    if (isJobDue(job, told)) {
      yield jobEvent(job, links)
      told = job
      isQuiet = false
    }
    while (toldRows < job.processed && !follower.isOver) {
      const rows = await follower.rowsAfter(toldRows)
      if (rows.length === 0) break
      yield videoEvents(rows, { job, after: toldRows, links })
      toldRows += rows.length
      isQuiet = false
    }
    if (isFinal(job.state) && toldRows >= job.processed) return yield endEvent(job)
    if (isQuiet) yield HEARTBEAT
    await follower.untilNews(job)
  }
}

function jobEvent(job: JobRecord, links: Links): Buffer {
  return Buffer.from(`event: job\ndata: ${JSON.stringify(presentJob(job, links))}\n\n`)
}

function endEvent({ id, state, processed }: JobRecord): Buffer {
  return Buffer.from(`event: end\nid: ${processed}\ndata: ${JSON.stringify({ id, state })}\n\n`)
}

/** Pages that several followers were handed are written once. */
const written = new WeakMap<FinishedRow[], Buffer>()

function videoEvents(
  rows: FinishedRow[],
  { job, after, links }: { job: JobRecord; after: number; links: Links },
): Buffer {
  const known = written.get(rows)
  if (known !== undefined) return known
  const events = Buffer.concat(
    rows.flatMap((row, at) => [
      Buffer.from(`event: video\nid: ${after + at + 1}\ndata: `),
      presentRow(row, { job, links }),
      GAP,
    ]),
  )
  written.set(rows, events)
  return events
}

const GAP = Buffer.from('\n\n')
