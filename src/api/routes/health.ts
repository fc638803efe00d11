/** GET /healthz: the process lives. GET /readyz: it can serve, or what is missing. GET /metrics. */
import type { FastifyPluginAsync } from 'fastify'
import type { Context } from '../../context.ts'
import { findMissing, openReadiness } from '../../postgres/readiness.ts'
import { requireMetricsReader } from '../metrics-access.ts'

const STOPPING = 'this process: it is stopping'

export function healthRoutes({ db, metrics, config, now, stopping }: Context): FastifyPluginAsync {
  const readiness = openReadiness(
    () => findMissing(db),
    () => performance.now(),
  )
  return async (app) => {
    app.addHook('onResponse', async (request, reply) => {
      const route = request.routeOptions.url ?? 'unknown'
      const labels = { route, method: request.method, status: String(reply.statusCode) }
      metrics.httpSeconds.observe(labels, reply.elapsedTime / 1000)
    })

    app.get('/healthz', { schema: { hide: true } }, async () => ({ status: 'ok' }))

    app.get('/readyz', { schema: { hide: true } }, async (_request, reply) => {
      const missing = stopping.signal.aborted ? [STOPPING] : await readiness.look()
      return reply
        .code(missing.length === 0 ? 200 : 503)
        .send({ ready: missing.length === 0, missing })
    })

    app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
      requireMetricsReader(request, config.METRICS_TOKEN)
      const text = await metrics.print(db, now())
      return reply.type(metrics.registry.contentType).header('Cache-Control', 'no-store').send(text)
    })
  }
}
