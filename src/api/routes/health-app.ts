/** The HTTP application of a process without the role `api`: /healthz, /readyz and /metrics alone. */
import { fastify, type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { LIMITS } from '../../kit/config/config.ts'
import type { Context } from '../../context.ts'
import { Problem } from '../../kit/problem.ts'
import { guardConnections } from '../../kit/http/connections.ts'
import { errorHandler } from '../../kit/http/errors.ts'
import { isDatabaseAway } from '../../kit/postgres/database.ts'
import { healthRoutes } from './health.ts'

/** Builds the application, which does not listen yet. */
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
