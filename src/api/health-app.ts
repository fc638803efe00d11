/** The HTTP application of a process without the role `api`: /healthz, /readyz and /metrics alone. */
import { fastify, type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { LIMITS } from '../config.ts'
import type { Context } from '../context.ts'
import { Problem } from '../problem.ts'
import { guardConnections } from '../http/connections.ts'
import { errorHandler } from '../http/errors.ts'
import { isDatabaseAway } from '../postgres/database.ts'
import { healthRoutes } from './routes/health.ts'

/** Builds the application; it listens nowhere yet. */
export async function buildHealthApp(ctx: Context): Promise<FastifyInstance> {
  const answerError = errorHandler(isDatabaseAway)
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
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('X-Content-Type-Options', 'nosniff')
    done()
  })
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
