/**
 * GET /healthz: the process lives. GET /readyz: it can serve, or what is missing; with `?verbose`, for readers of the
 * metrics, also how the platform changed. GET /metrics.
 */
import type { FastifyPluginAsync } from 'fastify'
import type { Context } from '../../context.ts'
import { requireMetricsReader } from '../metrics-access.ts'

const STOPPING = 'this process: it is stopping'

export function healthRoutes({
  db,
  metrics,
  watch,
  config,
  readiness,
  now,
  stopping,
}: Context): FastifyPluginAsync {
  return async (app) => {
    app.addHook('onResponse', async (request, reply) => {
      const { url: route = 'unknown', config } = request.routeOptions
      if (config.isStream === true && reply.statusCode === 200) return
      const labels = { route, method: request.method, status: String(reply.statusCode) }
      metrics.httpSeconds.observe(labels, reply.elapsedTime / 1000)
    })

    app.get('/healthz', { schema: { hide: true } }, async () => ({ status: 'ok' }))

    app.get('/readyz', { schema: { hide: true } }, async (request, reply) => {
      // The lines name routes, which strangers may not read.
      const isVerbose = (request.query as Record<string, unknown>).verbose !== undefined
      if (isVerbose) requireMetricsReader(request, config.METRICS_TOKEN)
      const missing = stopping.signal.aborted ? [STOPPING] : await readiness.look()
      return reply.code(missing.length === 0 ? 200 : 503).send({
        ready: missing.length === 0,
        missing,
        ...(isVerbose ? { drifts: watch.lines() } : {}),
      })
    })

    app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
      requireMetricsReader(request, config.METRICS_TOKEN)
      const text = await metrics.print(db, { now: now(), watch })
      return reply.type(metrics.registry.contentType).header('Cache-Control', 'no-store').send(text)
    })
  }
}
