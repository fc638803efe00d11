/** A job's events as text/event-stream: whole events only, a page of rows at a time, as the client reads them. */
import type { JobChange } from '../features/jobs/job-feed.ts'
import { type Links, presentJob, presentRow } from './present.ts'

/** Time after which a client whose stream ended connects again. */
const STREAM_RETRY_MS = 2_000

/** The event that says when a client reconnects after a stream that ended without `end`. */
const RETRY = Buffer.from(`retry: ${STREAM_RETRY_MS}\n\n`)
/** A comment, which keeps proxies from closing what seems idle, and shows us clients that are gone. */
const HEARTBEAT = Buffer.from(': here\n\n')

const GAP = Buffer.from('\n\n')

/**
 * Yields the events of these changes. None is asked for before the last one was taken, so a slow client holds one page
 * and no more.
 */
export async function* eventsOf(
  changes: AsyncIterable<JobChange>,
  links: Links,
): AsyncGenerator<Buffer> {
  yield RETRY
  for await (const change of changes) yield eventsOfChange(change, links)
}

function eventsOfChange(change: JobChange, links: Links): Buffer {
  switch (change.kind) {
    case 'job':
      return Buffer.from(`event: job\ndata: ${JSON.stringify(presentJob(change.job, links))}\n\n`)
    case 'rows':
      return Buffer.concat(
        change.rows.flatMap((row, at) => [
          Buffer.from(`event: video\nid: ${change.after + at + 1}\ndata: `),
          presentRow(row, { job: change.job, links }),
          GAP,
        ]),
      )
    case 'quiet':
      return HEARTBEAT
    case 'end': {
      const { id, state, processed } = change.job
      return Buffer.from(`event: end\nid: ${processed}\ndata: ${JSON.stringify({ id, state })}\n\n`)
    }
    default:
      return change satisfies never
  }
}
