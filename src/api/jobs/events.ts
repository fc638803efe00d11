/** GET /jobs/{id}/events: a job as it goes on, told as server-sent events. */
import { Readable } from 'node:stream'
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import type { JobChange } from '../../features/jobs/job-feed.ts'
import { LIMITS } from '../../config/config.ts'
import { eventIdOf, hasHadAll, lastRowOf } from '../../model/jobs/job-events.ts'
import { Problem } from '../../kit/problem.ts'
import type { ApiContext } from '../api-context.ts'
import { callerOf, jobOf, READING_JOB } from '../auth.ts'
import { JobId } from './schema.ts'
import type { Links } from '../links.ts'
import { presentRow } from '../results/present.ts'
import { presentJob } from './present.ts'
import { departureOf } from './order-job.ts'
import { oneOf } from '../send.ts'

const FOLLOWERS_BUSY_RETRY_SECONDS = 5
/** Time after which a client whose stream ended without `end` connects again. */
const STREAM_RETRY_MS = 2_000
/** A comment, which keeps proxies from closing what seems idle, and shows us clients that are gone. */
const HEARTBEAT = ': here\n\n'
/** Number of bytes that wait for a slow reader before no more rows are read. */
const FOLLOWED_BYTES_AHEAD = 16 * 1024

const EVENT_STREAM = 'text/event-stream'
const FOLLOWING = { ...READING_JOB, isStream: true }

const schema = {
  summary:
    'Follow a job without polling: its state and each finished row, as soon as there is news',
  description: `Server-sent events. \`job\` (data: Job) comes first, then whenever the state or the number of videos found
changes, and at the latest after 50 rows. \`video\` (data: Video without text and segments) is a finished row; its id is its
number in order of completion. \`end\` is the last event of a final job. While nothing happens, a comment is sent every
${LIMITS.heartbeatMs / 1000} seconds. If a stream ends without \`end\`, connect again with the last id in \`Last-Event-ID\`: any
server continues where it stopped. An id is a whole number that grows; where the service lost rows in a failover, it
continues far above, and the stream begins again at the first row. Opening a stream costs one request; an account's open streams are limited.`,
  operationId: 'followJob',
  tags: ['Jobs'],
  params: Type.Object({ id: JobId }),
  documentedHeaders: {
    'Last-Event-ID': Type.String({
      description: 'The id of the last event that you received; the stream continues after it',
      examples: ['17'],
    }),
  },
  response: {
    200: {
      description: 'Events, until the job is final and all of them are sent',
      content: {
        [EVENT_STREAM]: { schema: Type.String() },
      },
    },
    204: { description: 'The job is final and you have received every row: do not connect again' },
  },
}

export function eventRoutes({
  links,
  feed,
  config,
  failovers,
}: ApiContext): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/jobs/:id/events', { schema, config: FOLLOWING }, async (request, reply) => {
      const job = jobOf(request)
      const lastEventId = oneOf(request.headers['last-event-id'])
      const epoch = failovers.epoch()
      const after = lastRowOf(lastEventId, job, epoch)
      if (after === null) throw notAnId(lastEventId, eventIdOf(job.processed, epoch))
      if (hasHadAll(lastEventId, job, epoch)) return reply.code(204).send()

      reply.headers({
        'Content-Type': EVENT_STREAM,
        'Cache-Control': 'no-store, no-transform',
        'X-Accel-Buffering': 'no',
        Connection: 'close', // nothing follows on it, and a process that stops need not wait for it
      })
      if (request.method === 'HEAD' || reply.raw.closed) return reply.send(Readable.from([]))

      const departure = departureOf(reply)
      const changes = feed.follow(job, { after, keyId: callerOf(request).keyId, departure })
      if (changes === null) throw tooMany(config.EVENT_STREAMS)
      const events = eventsOf(changes, { links, epoch }) // reads on as the client does
      const highWaterMark = FOLLOWED_BYTES_AHEAD
      return reply.send(Readable.from(events, { objectMode: false, highWaterMark }))
    })
  }
}

function notAnId(lastEventId: string | undefined, last: number): Problem {
  return new Problem('invalid_request', {
    message: `Last-Event-ID must be an id of this job's events, a whole number up to ${last}; got ${JSON.stringify(lastEventId?.slice(0, 40))}. Leave it out to begin at the first row.`,
    field: 'Last-Event-ID',
  })
}

function tooMany(streams: number): Problem {
  return new Problem('rate_limited', {
    message: `Your account has ${streams} event streams open here, or the server has as many as it can; close one, or try again after Retry-After seconds.`,
    headers: { 'Retry-After': String(FOLLOWERS_BUSY_RETRY_SECONDS) },
  })
}

/**
 * Yields the events of these changes as text, a page of rows at a time. None is asked for before the last one was
 * taken, so a slow client holds one page and no more.
 */
export async function* eventsOf(
  changes: AsyncIterable<JobChange>,
  given: { links: Links; epoch: number },
): AsyncGenerator<string> {
  yield `retry: ${STREAM_RETRY_MS}\n\n`
  for await (const change of changes) yield eventsOfChange(change, given)
}

function eventsOfChange(
  change: JobChange,
  { links, epoch }: { links: Links; epoch: number },
): string {
  switch (change.kind) {
    case 'job':
      return eventText('job', JSON.stringify(presentJob(change.job, links)))
    case 'rows': {
      const { job, after, rows } = change
      const events = rows.map((row, at) =>
        eventText('video', presentRow(row, { job, links }), eventIdOf(after + at + 1, epoch)),
      )
      return events.join('')
    }
    case 'quiet':
      return HEARTBEAT
    case 'end': {
      const { id, state, processed } = change.job
      return eventText('end', JSON.stringify({ id, state }), eventIdOf(processed, epoch))
    }
    default:
      return change satisfies never
  }
}

function eventText(name: string, json: string, id: number | null = null): string {
  return `event: ${name}\n${id === null ? '' : `id: ${id}\n`}data: ${json}\n\n`
}
