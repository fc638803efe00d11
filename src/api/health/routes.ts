/**
 * /healthz, /readyz and /metrics: whether the process lives, whether it can serve, and what it measures; also as the
 * only addresses of a process without the role `api`.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import {
  fastify,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Context } from '../../context.ts'
import { LIMITS } from '../../config/config.ts'
import { readPlatformNotes } from '../../features/operator/service.ts'
import { guardConnections } from '../../kit/http/connections.ts'
import { answerError } from '../../kit/http/errors.ts'
import { isOfThisMachine } from '../../kit/http/own-machine.ts'
import { compileValidator } from '../../kit/http/validation.ts'
import { Problem } from '../../kit/problem.ts'
import { refusePlainHttp } from '../plain-http.ts'

/**
 * Lets a client with METRICS_TOKEN read the metrics or, where none is set, one on this machine. Throws `unauthorized`
 * for a wrong token; where none is set, `not_found` for a caller from elsewhere.
 */
export function requireMetricsReader(request: FastifyRequest, token: string | null): void {
  if (token !== null) {
    if (isSame(request.headers.authorization ?? '', `Bearer ${token}`)) return
    throw new Problem('unauthorized', {
      message: 'Send `Authorization: Bearer <METRICS_TOKEN>`.',
      headers: { 'WWW-Authenticate': 'Bearer' },
    })
  }
  if (isOfThisMachine(request)) return
  throw new Problem('not_found')
}

/** Returns whether the texts are equal; takes the same time wherever they differ. */
function isSame(given: string, wanted: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(wanted))
}

// GET /healthz: the process lives. GET /readyz: it can serve, or what is missing; with `?verbose`, for readers of
// the metrics, also how the platform changed, how many captions each route has left, and what the
// canary found. GET /metrics.

const STOPPING = 'this process: it is stopping'

export function healthRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  const { metrics, watch, config } = ctx
  return async (app) => {
    app.addHook('onResponse', async (request, reply) => {
      const { url: route = 'unknown', config } = request.routeOptions
      if (config.isStream === true && reply.statusCode === 200) return
      const labels = { route, method: request.method, status: String(reply.statusCode) }
      metrics.httpSeconds.observe(labels, reply.elapsedTime / 1000)
    })

    app.get('/healthz', { schema: { hide: true } }, async () => ({ status: 'ok' }))

    const querystring = Type.Object({ verbose: Type.Optional(Type.Unknown()) })
    app.get('/readyz', { schema: { hide: true, querystring } }, async (request, reply) => {
      // The lines name routes, which strangers may not read.
      const isVerbose = request.query.verbose !== undefined
      if (isVerbose) requireMetricsReader(request, config.METRICS_TOKEN)
      const missing = ctx.stopping.signal.aborted ? [STOPPING] : await ctx.readiness.look()
      const ready = missing.length === 0
      const drifts = isVerbose ? { drifts: watch.lines() } : {}
      const more = isVerbose && ready ? await readPlatformNotes(ctx.db) : {}
      const parts = ctx.readiness.degraded
      const degraded = parts.length === 0 ? {} : { degraded: parts }
      return reply.code(ready ? 200 : 503).send({ ready, missing, ...degraded, ...drifts, ...more })
    })

    app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
      requireMetricsReader(request, config.METRICS_TOKEN)
      const text = await metrics.print(ctx.db, { now: ctx.now(), watch })
      return reply.type(metrics.registry.contentType).header('Cache-Control', 'no-store').send(text)
    })
  }
}

/** Builds the application of a process without the role `api`, which does not listen yet. */
export async function buildHealthApp(ctx: Context): Promise<FastifyInstance> {
  const app = fastify({
    loggerInstance: ctx.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: LIMITS.bodyBytes,
    requestTimeout: LIMITS.headersTimeoutMs,
    forceCloseConnections: true,
    frameworkErrors: answerError,
  })
  guardConnections(app, ctx.config)
  app.setErrorHandler(answerError)
  app.setValidatorCompiler(compileValidator)
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('X-Content-Type-Options', 'nosniff')
    done()
  })
  refusePlainHttp(app, { ...ctx, publicUrl: ctx.config.PUBLIC_URL ?? '' }, 0) // no route has a form
  app.setNotFoundHandler(() => {
    throw new Problem('not_found', {
      message:
        'This process answers only health checks; send the request to a process with the role api.',
    })
  })
  await app.register(healthRoutes(ctx))
  await app.ready()
  return app
}
