/** The HTTP application: hooks in the contract's order, every route, one error handler. */
import { randomUUID } from 'node:crypto'
import { fastify, type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { accountApi } from '../account-api/account-api.ts'
import type { Context } from '../context.ts'
import { LIMITS } from '../config.ts'
import { openPayments } from '../payments/stripe.ts'
import { watchRoutes } from '../http/allowed-methods.ts'
import { requireKey } from './auth.ts'
import { ignoreUnwantedBody, readJsonBodies } from '../http/body.ts'
import { compressLargeJson } from '../http/compression.ts'
import { guardConnections } from '../http/connections.ts'
import { type Downloads, openDownloads } from '../http/downloads.ts'
import { drainOnClose } from '../http/drain.ts'
import { answerError } from '../http/errors.ts'
import { answerBareRequests, answerEveryRequest, readableUrl, requireHost } from '../http/edges.ts'
import { type JobWaits, openJobWaits } from '../jobs/wait-for-job.ts'
import { documentOf } from './openapi.ts'
import { parserErrorAnswer, watchConnections } from '../http/parser-errors.ts'
import { API_BASE, linksFrom } from './present.ts'
import { balanceRoutes } from './routes/balance.ts'
import { docsRoutes } from './routes/docs.ts'
import { fileRoutes } from './routes/files.ts'
import { healthRoutes } from './routes/health.ts'
import { jobRoutes } from './routes/jobs.ts'
import { openApiRoutes } from './routes/openapi.ts'
import { receiptRoutes } from './routes/receipt.ts'
import { resultRoutes } from './routes/results.ts'
import { startJobRoutes } from './routes/start-job.ts'
import { stripeWebhookRoutes } from './routes/stripe-webhook.ts'
import { wellKnownRoutes } from './routes/well-known.ts'
import { securityHeaders } from '../http/security-headers.ts'
import { refuseUnstorableQueries } from '../http/storable.ts'
import { compileValidator } from '../http/validation.ts'
import { openWebsite } from '../http/website.ts'

export type ApiContext = Context & {
  links: ReturnType<typeof linksFrom>
  publicUrl: string
  waits: JobWaits
  downloads: Downloads
}

/** How long a request may take to arrive; tests shorten them. */
export type ArrivalLimits = { headersMs: number; bodyMs: number; drainMs: number }

/** Builds the application; it listens nowhere yet. */
export async function buildApp(
  ctx: Context,
  publicUrl: string,
  arrival: ArrivalLimits = {
    headersMs: LIMITS.headersTimeoutMs,
    bodyMs: LIMITS.bodyTimeoutMs,
    drainMs: ctx.config.STOP_GRACE * 1000,
  },
): Promise<FastifyInstance> {
  const security = securityHeaders(publicUrl)
  const app = bareApp(ctx, arrival, security)
  const routes = watchRoutes(app)
  const waits = openJobWaits(ctx)
  answerBareRequests(app, security)
  watchConnections(app.server)
  answerEveryRequest(app, routes, security)
  readJsonBodies(app, arrival.bodyMs)
  refuseUnstorableQueries(app)
  compressLargeJson(app)
  drainOnClose(app, { graceMs: arrival.drainMs, onStop: () => waits.close() })

  const api: ApiContext = {
    ...ctx,
    publicUrl,
    links: linksFrom(publicUrl),
    waits,
    downloads: openDownloads(),
  }
  await app.register(healthRoutes(api))
  await app.register(docsRoutes())
  await app.register(wellKnownRoutes(api))
  await app.register(stripeWebhookRoutes(api, openPayments(ctx.config)))
  await app.register(
    async (scope) => {
      await scope.register(async (open) => {
        open.addHook('onRequest', requireHost)
        await open.register(openApiRoutes(() => documentOf(routes.all(), publicUrl)))
      })
      await scope.register(async (guarded) => {
        guarded.addHook('onRequest', requireKey(ctx.pool))
        guarded.addHook('onRequest', requireHost)
        // Before any body is looked at: what is not there takes none.
        guarded.addHook('onRequest', (request, _reply, done) => {
          done(request.is404 ? routes.refusalOf(request) : undefined)
        })
        guarded.addHook('preParsing', ignoreUnwantedBody)
        guarded.setNotFoundHandler(routes.refuse)
        await guarded.register(startJobRoutes(api))
        await guarded.register(jobRoutes(api))
        await guarded.register(resultRoutes(api))
        await guarded.register(fileRoutes(api))
        await guarded.register(balanceRoutes())
        await guarded.register(receiptRoutes(api))
      })
    },
    { prefix: API_BASE },
  )
  await app.register(accountApi(api))
  const site = await openWebsite(app, publicUrl)
  app.setNotFoundHandler(
    (request, reply) => site.answerUnknown(request, reply) ?? routes.refuse(request),
  )
  await app.ready()
  return app
}

function bareApp(
  ctx: Context,
  arrival: ArrivalLimits,
  security: Record<string, string>,
): FastifyInstance {
  const app = fastify({
    loggerInstance: ctx.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    bodyLimit: LIMITS.bodyBytes,
    exposeHeadRoutes: true,
    keepAliveTimeout: LIMITS.keepAliveMs,
    // Bodies have a deadline of their own, answered like any refusal; this one is the last resort.
    requestTimeout: arrival.headersMs + arrival.bodyMs + LIMITS.arrivalCheckMs,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    http: {
      maxHeaderSize: LIMITS.headerBytes,
      headersTimeout: arrival.headersMs,
      connectionsCheckingInterval: Math.min(LIMITS.arrivalCheckMs, arrival.headersMs),
      requireHostHeader: false, // Node's own answer has no Error shape; see requireHost
    },
    rewriteUrl: readableUrl,
    trustProxy: ctx.config.TRUSTED_PROXIES ?? false,
    // An id of any length is one that does not exist, not an address that is too long.
    routerOptions: { maxParamLength: LIMITS.headerBytes },
    clientErrorHandler: parserErrorAnswer(security),
    frameworkErrors: answerError,
  })
  guardConnections(app, ctx.config)
  app.setErrorHandler(answerError)
  app.setValidatorCompiler(compileValidator)
  app.setSerializerCompiler(() => (value) => JSON.stringify(value))
  return app
}
