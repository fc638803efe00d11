/** The HTTP application: hooks in the contract's order, every route, one error handler. */
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { accountApi } from './api/account-api/account-api.ts'
import { LIMITS } from './config/config.ts'
import type { Context } from './context.ts'
import { watchRoutes } from './kit/http/allowed-methods.ts'
import { type ArrivalLimits, bareApp, drainOnClose } from './kit/http/bare-app.ts'
import { readJsonBodies } from './kit/http/body.ts'
import { compressTexts } from './kit/http/accept.ts'
import { databaseAway } from './kit/http/errors.ts'
import { dropUndeclaredFields } from './kit/http/declared-fields.ts'
import { openDownloads } from './api/files/downloads.ts'
import {
  answerBareRequests,
  answerEveryRequest,
  answerPreflights,
  type Openness,
  refuseUnstorableQueries,
  securityHeaders,
} from './kit/http/every-answer.ts'
import { originGuard } from './mcp/origins.ts'
import { openWebsite } from './api/landing/website.ts'
import { openJobFeed } from './features/jobs/job-feed.ts'
import { readLegalPages, termsUrlOf } from './api/site-settings.ts'
import { MCP_PATH, mcpRoutes } from './mcp/routes.ts'
import { SERVER_INFO } from './mcp/server.ts'
import { openDocumentReader } from './features/oauth/document-reader.ts'
import { openPayments } from './features/money/stripe.ts'
import { openSearch, type Search } from './features/search/search.ts'
import type { ApiContext } from './api/api-context.ts'
import { cardPathOf } from './api/documents/discovery.ts'
import { readDescription } from './api/documents/printed.ts'
import { publicApi } from './public-api.ts'
import { READING_METHODS, refusePlainHttp } from './api/plain-http.ts'
import { EXPOSED_HEADERS, SENDABLE_HEADERS } from './api/headers.ts'
import { API_BASE, linksFrom } from './api/links.ts'
import {
  clientRoutes,
  findCommandFile,
  openDocuments,
  wellKnownRoutes,
} from './api/documents/routes.ts'
import { healthRoutes } from './api/health/routes.ts'
import { landingRoutes } from './api/landing/routes.ts'
import { oauthRoutes } from './api/oauth/routes.ts'
import { stripeWebhookRoutes } from './api/money/stripe-webhook.ts'
import { trialRoutes } from './api/landing/trial.ts'

const BODY_TIMEOUT_MS = 20_000

/**
 * Limits that tests change: they shorten what a request may take, and lengthen the looks of the job feed, which would
 * hide a lost signal.
 */
type AppLimits = ArrivalLimits & { lookMs?: number }

/** Builds the application, which does not listen yet. */
export async function buildApp(
  ctx: Context,
  publicUrl: string,
  arrival: AppLimits = usualLimits(ctx),
): Promise<FastifyInstance> {
  const security = securityHeaders(publicUrl)
  const app = bareApp(ctx, { arrival, security })
  const routes = watchRoutes(app, `${API_BASE}/openapi.json`)
  const feed = openJobFeed({
    ...ctx,
    ofAccountMax: ctx.config.EVENT_STREAMS,
    onCount: (followers) => ctx.metrics.eventStreams.set(followers),
    lookMs: arrival.lookMs,
  })
  ctx.failovers.onRisen(feed.restart)
  answerBareRequests(app, security)
  app.decorateRequest('authenticated', null)
  const openness = opennessOf(ctx, publicUrl)
  answerEveryRequest(app, security, openness)
  refusePlainHttp(app, { ...ctx, publicUrl }, arrival.bodyMs)
  answerPreflights(app, routes, openness)
  readJsonBodies(app, arrival.bodyMs)
  refuseUnstorableQueries(app)
  dropUndeclaredFields(app)
  compressTexts(app)
  refuseWhileCommitsHang(app, ctx)
  drainOnClose(app, { graceMs: arrival.drainMs, onStop: feed.close })

  const legal = await readLegalPages(ctx.config.LEGAL_DIR)
  const api: ApiContext = {
    ...ctx,
    publicUrl,
    links: linksFrom(publicUrl),
    feed,
    downloads: openDownloads(),
    documents: openDocumentReader({
      isPrivateAllowed: ctx.config.WEBHOOK_ALLOW_PRIVATE,
      deadlineMs: ctx.config.deadlines.appDocumentMs,
    }),
    search: openSearchOf(ctx),
    legal,
  }
  app.addHook('onClose', () => Promise.all([api.documents.close(), api.search.close()]))
  await app.register(healthRoutes(api))
  const siteParts = { config: ctx.config, publicUrl, legal }
  await app.register(clientRoutes(siteParts))
  const description = readDescription({ publicUrl, termsUrl: termsUrlOf(api) })
  const mcp = { path: MCP_PATH, info: SERVER_INFO }
  const hasStatusPage = ctx.config.STATUS_PAGE
  const documents = openDocuments({ publicUrl, legal, hasStatusPage, mcp })
  await app.register(documents.routes)
  await app.register(documents.pages(siteParts))
  await app.register(wellKnownRoutes(api))
  await app.register(oauthRoutes(api, arrival.bodyMs))
  await app.register(stripeWebhookRoutes(api, openPayments(ctx.config)))
  await app.register(trialRoutes(api, arrival.bodyMs))
  await app.register(publicApi(api, routes, description), { prefix: API_BASE })
  await app.register(accountApi(api))
  await app.register(mcpRoutes(api))
  const without = ctx.config.STATUS_PAGE ? [] : ['/status']
  const site = await openWebsite(app, publicUrl, { documents: documents.ofPages, without })
  await app.register(
    landingRoutes({ ...api, site, pages: documents.paths, commandFile: await findCommandFile() }),
  )
  app.setNotFoundHandler(
    (request, reply) => site.answerUnknown(request, reply) ?? routes.refuse(request),
  )
  await app.ready()
  return app
}

/** Refuses at once what would write while commits hang: each would hold a session of the database until they return. */
function refuseWhileCommitsHang(app: FastifyInstance, { readiness }: Context): void {
  app.addHook('onRequest', ({ method }, _reply, done) => {
    done(readiness.commitsHang() && !READING_METHODS.has(method) ? databaseAway() : undefined)
  })
}

function usualLimits({ config }: Context): AppLimits {
  const drainMs = config.STOP_GRACE * 1000
  return { headersMs: LIMITS.headersTimeoutMs, bodyMs: BODY_TIMEOUT_MS, drainMs }
}

function opennessOf({ config }: Context, publicUrl: string): Openness {
  const guard = originGuard(publicUrl, config.MCP_ORIGINS)
  return {
    // The card below the tools is a document; the first that matches decides.
    openBases: [{ path: API_BASE }, { path: cardPathOf(MCP_PATH) }, { path: MCP_PATH, guard }],
    privateBases: ['/api/', '/account/', '/oauth/', '/mcp'],
    exposedHeaders: EXPOSED_HEADERS,
    sendableHeaders: SENDABLE_HEADERS,
  }
}

function openSearchOf({ config, pool, textStore, log, failovers }: Context): Search {
  const folder = path.join(config.DATA_DIR, 'library')
  const bytesMax = config.SEARCH_INDEX_MB * 1_000_000
  const { deadlines } = config
  return openSearch({ pool, textStore, log, folder, bytesMax, deadlines, epoch: failovers.epoch })
}
