/** GET /status.json: what the public status page shows, read from the database once a minute at most. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { ApiContext } from '../api-context.ts'
import { readStatus, type ServiceStatus } from '../../features/operator/service.ts'
import { Problem } from '../../kit/problem.ts'
import { answering, REPLIES } from './replies.ts'

const STATUS_KEPT_MS = 60_000

export function statusRoutes({ db, config, now }: ApiContext): FastifyPluginAsyncTypebox {
  let kept: { status: Promise<ServiceStatus>; untilMs: number } | null = null
  /** Returns one answer for all requests of a minute. A failure is that only of the requests that waited for it. */
  const readKept = (): Promise<ServiceStatus> => {
    if (kept !== null && now().getTime() < kept.untilMs) return kept.status
    const reading = { status: readStatus(db, now()), untilMs: now().getTime() + STATUS_KEPT_MS }
    kept = reading
    reading.status.catch(() => {
      if (kept === reading) kept = null
    })
    return reading.status
  }
  return async (app) => {
    app.get('/status.json', { schema: answering(REPLIES.ServiceStatus) }, async (_, reply) => {
      if (!config.STATUS_PAGE) throw new Problem('not_found', { message: 'There is no such page.' })
      const status = await readKept()
      reply.header('Cache-Control', `public, max-age=${STATUS_KEPT_MS / 1_000}`)
      return status
    })
  }
}
