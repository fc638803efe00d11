/**
 * GET /oauth/authorize and the documents by which clients find it. Requests for tokens are in tokens.ts; people
 * decide on the website's pages /consent and /device (api/account-api/consent.ts).
 */
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { limitApps } from '../../features/accounts/attempt-limits.ts'
import { LIMITS } from '../../config/config.ts'
import {
  AUDIENCES,
  AUTHORIZATION_FIELDS,
  readAuthorization,
} from '../../model/oauth/authorization.ts'
import { findApp } from '../../features/oauth/apps.ts'
import {
  OAUTH_PATHS,
  RESOURCE_METADATA,
  resourceMetadata,
  resourceMetadataPath,
  serverMetadata,
} from '../../model/oauth/metadata.ts'
import type { ApiContext } from '../api-context.ts'
import {
  answerInOAuthsForm,
  appFinders,
  fieldsNamed,
  type FindersOfRequest,
  hidden,
  openToBrowsers,
  packQuery,
  queryOf,
} from './answers.ts'
import { oauthTokenRoutes, registerRoutes } from './tokens.ts'

/** Routes of OAuth. `bodyMs` is how long a body may take to arrive. */
export function oauthRoutes(ctx: ApiContext, bodyMs: number): FastifyPluginAsync {
  return async (app) => {
    app.setErrorHandler(answerInOAuthsForm)
    const finder = appFinders(ctx)
    metadataRoutes(app, ctx.publicUrl)
    authorizeRoute(app, ctx, finder)
    await app.register(oauthTokenRoutes(ctx, finder, bodyMs))
    await app.register(registerRoutes(ctx))
  }
}

function metadataRoutes(app: FastifyInstance, publicUrl: string): void {
  const documents: [path: string, document: object][] = [
    ['/.well-known/oauth-authorization-server', serverMetadata(publicUrl)],
    [RESOURCE_METADATA, { ...resourceMetadata(publicUrl, 'api'), resource: publicUrl }],
  ]
  for (const one of AUDIENCES)
    documents.push([resourceMetadataPath(one), resourceMetadata(publicUrl, one)])
  for (const [path, document] of documents) {
    openToBrowsers(app, path)
    app.get(path, { schema: hidden }, async (_request, reply) => {
      reply.header('Cache-Control', `public, max-age=${LIMITS.publicKeysKeptSeconds}`)
      reply.header('Access-Control-Allow-Origin', '*')
      return document
    })
  }
}

/** Leads to the page that asks the reader, once the question is one that can be answered. */
function authorizeRoute(app: FastifyInstance, ctx: ApiContext, finders: FindersOfRequest): void {
  const querystring = fieldsNamed(...AUTHORIZATION_FIELDS)
  app.get(OAUTH_PATHS.authorize, { schema: { ...hidden, querystring } }, async (request, reply) => {
    await limitApps(ctx.pool, { ip: request.ip, work: 'token' })
    const query = queryOf(request)
    const client = await findApp(finders(request), query.get('client_id'))
    const reading = readAuthorization(query, client, ctx.publicUrl)
    if (reading.kind === 'refused') return reply.redirect(reading.location, 302)
    return reply.redirect(`${ctx.publicUrl}/consent?request=${packQuery(query)}`, 302)
  })
}
