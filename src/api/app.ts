/** The HTTP application: hooks in the contract's order, every route, one error handler. */
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { accountApi } from '../account-api/account-api.ts'
import { LIMITS } from '../config.ts'
import type { Context } from '../context.ts'
import { type RouteWatch, watchRoutes } from '../http/allowed-methods.ts'
import { type ArrivalLimits, bareApp } from '../http/bare-app.ts'
import { ignoreUnwantedBody, readJsonBodies } from '../http/body.ts'
import { compressLargeJson } from '../http/compression.ts'
import { openDownloads } from '../http/downloads.ts'
import { drainOnClose } from '../http/drain.ts'
import { answerBareRequests, answerEveryRequest, requireHost } from '../http/edges.ts'
import { errorHandler } from '../http/errors.ts'
import { watchConnections } from '../http/parser-errors.ts'
import { securityHeaders } from '../http/security-headers.ts'
import { refuseUnstorableQueries } from '../http/storable.ts'
import { openWebsite } from '../http/website.ts'
import { openJobWaits } from '../jobs/wait-for-job.ts'
import { openPayments } from '../payments/stripe.ts'
import { isDatabaseAway } from '../postgres/database.ts'
import type { ApiContext } from './api-context.ts'
import { requireKey } from './auth.ts'
import { documentOf } from './openapi.ts'
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
  const app = bareApp({
    log: ctx.log,
    config: ctx.config,
    arrival,
    security,
    answerError: errorHandler(isDatabaseAway),
  })
  const routes = watchRoutes(app)
  const waits = openJobWaits(ctx)
  answerBareRequests(app, security)
  watchConnections(app.server)
  answerEveryRequest(app, { routes, security, apiBase: API_BASE })
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
  await app.register(publicApi(api, routes), { prefix: API_BASE })
  await app.register(accountApi(api))
  const site = await openWebsite(app, publicUrl)
  app.setNotFoundHandler(
    (request, reply) => site.answerUnknown(request, reply) ?? routes.refuse(request),
  )
  await app.ready()
  return app
}

/** What stands below API_BASE: behind a key, all but its own description. */
function publicApi(api: ApiContext, routes: RouteWatch): FastifyPluginAsync {
  return async (scope) => {
    await scope.register(async (open) => {
      open.addHook('onRequest', requireHost)
      await open.register(openApiRoutes(() => documentOf(routes.all(), api.publicUrl)))
    })
    await scope.register(async (guarded) => {
      guarded.addHook('onRequest', requireKey(api.pool))
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
  }
}
