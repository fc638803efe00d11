/** GET /status.json: what the public status page shows, read from the database once a minute at most. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { presentIncident } from '../../admin/service-commands.ts'
import type { ApiContext } from '../api-context.ts'
import { readStatus, type ServiceStatus } from '../../features/operator/service.ts'
import { Problem } from '../../kit/problem.ts'
import { type Reply, REPLIES } from './replies.ts'

const STATUS_KEPT_MS = 60_000

const schema = { hide: true, response: { 200: REPLIES.ServiceStatus } }

export function statusRoutes({ db, config, now }: ApiContext): FastifyPluginAsyncTypebox {
  const read = keptFor(STATUS_KEPT_MS, now, async () => presentStatus(await readStatus(db, now())))
  return async (app) => {
    app.get('/status.json', { schema }, async (_request, reply) => {
      if (!config.STATUS_PAGE) throw new Problem('not_found', { message: 'There is no such page.' })
      const status = await read()
      reply.header('Cache-Control', `public, max-age=${STATUS_KEPT_MS / 1_000}`)
      return status
    })
  }
}

/** Returns one answer for all requests within `ms`. A failure is the answer only of the requests that waited for it. */
function keptFor<T>(ms: number, now: () => Date, read: () => Promise<T>): () => Promise<T> {
  let kept: { answer: Promise<T>; untilMs: number } | null = null
  return () => {
    if (kept !== null && now().getTime() < kept.untilMs) return kept.answer
    const answer = read()
    const mine = { answer, untilMs: now().getTime() + ms }
    kept = mine
    answer.catch(() => {
      if (kept === mine) kept = null
    })
    return answer
  }
}

function presentStatus({ readAt, days, incidents }: ServiceStatus): Reply<'ServiceStatus'> {
  return { readAt: readAt.toISOString(), days, incidents: incidents.map(presentIncident) }
}
