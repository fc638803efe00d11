/**
 * POST /oauth/token, /oauth/revoke, /oauth/device_authorization and /oauth/register: requests of programs, without a
 * key.
 */
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { limitApps, limitRows } from '../../features/accounts/attempt-limits.ts'
import { readFormBodies } from '../../kit/http/body.ts'
import {
  type Audience,
  OAUTH_LIMITS,
  readAudience,
  readScopes,
  refuseRepeated,
} from '../../model/oauth/authorization.ts'
import { createClient, findApp, revokeToken } from '../../features/oauth/apps.ts'
import {
  takeCode,
  takeDeviceCode,
  takeRefreshToken,
  type TokenAnswer,
} from '../../features/oauth/tokens.ts'
import { DEVICE_GRANT, OAUTH_PATHS } from '../../model/oauth/metadata.ts'
import { OAuthError } from '../../model/oauth/oauth-error.ts'
import { startDeviceLogin } from '../../features/oauth/consent.ts'
import type { ApiContext } from '../api-context.ts'
import { fieldsNamed, type FindersOfRequest, hidden, openToBrowsers } from './answers.ts'

/** Every name that a form may have once only. */
const ONCE = [
  'client_id',
  'client_secret',
  'code',
  'code_verifier',
  'device_code',
  'grant_type',
  'redirect_uri',
  'refresh_token',
  'scope',
  'token',
]
/** The fields of any form of OAuth; `resource` may be there several times. */
const formSchema = { ...hidden, form: fieldsNamed(...ONCE, 'resource') }

export function oauthTokenRoutes(
  ctx: ApiContext,
  finders: FindersOfRequest,
  bodyMs: number,
): FastifyPluginAsync {
  const { db, pool, publicUrl } = ctx
  return async (app) => {
    readFormBodies(app, bodyMs)
    anyOrigin(app)
    for (const path of [OAUTH_PATHS.token, OAUTH_PATHS.revoke, OAUTH_PATHS.device])
      openToBrowsers(app, path)

    app.post(OAUTH_PATHS.token, { schema: formSchema }, async (request) => {
      await limitApps(pool, { ip: request.ip, work: 'token' })
      return answerGrant(ctx, formOf(request))
    })

    app.post(OAUTH_PATHS.revoke, { schema: formSchema }, async (request) => {
      await limitApps(pool, { ip: request.ip, work: 'token' })
      const form = formOf(request)
      await revokeToken(db, { token: needed(form, 'token'), clientId: needed(form, 'client_id') })
      return {}
    })

    app.post(OAUTH_PATHS.device, { schema: formSchema }, async (request) => {
      await limitRows(pool, request)
      const form = formOf(request)
      const { id: clientId } = await findApp(finders(request), form.get('client_id'))
      const scopes = readScopes(form.get('scope'))
      if (scopes === null)
        throw new OAuthError('invalid_scope', 'None of these scopes exists here.')
      const audience = audienceOf(form, publicUrl)
      const started = await startDeviceLogin(db, { clientId, scopes, audience })
      const page = `${publicUrl}/device`
      return {
        device_code: started.deviceCode,
        user_code: started.userCode,
        verification_uri: page,
        // No link has the code in it, since the page reads none.
        verification_uri_complete: page,
        expires_in: OAUTH_LIMITS.deviceLoginSeconds,
        interval: OAUTH_LIMITS.pollSeconds,
      }
    })
  }
}

/** A description of any form, which `readClient` reads; these are the fields of which something is kept. */
const Description = Type.Unsafe<unknown>({
  properties: { client_name: {}, redirect_uris: {}, grant_types: {} },
})

/** Routes of registration. A description is JSON; the answer says what is kept of it (RFC 7591, section 3.2.1). */
export function registerRoutes({ box, pool }: ApiContext): FastifyPluginAsync {
  return async (app) => {
    anyOrigin(app)
    openToBrowsers(app, OAUTH_PATHS.register)
    const schema = { ...hidden, body: Description }
    app.post(OAUTH_PATHS.register, { schema }, async (request, reply) => {
      await limitApps(pool, { ip: request.ip, work: 'register' })
      const client = createClient(box, request.body)
      return reply.code(201).send({
        client_id: client.id,
        client_name: client.name,
        redirect_uris: client.redirectUris,
        grant_types: ['authorization_code', 'refresh_token', DEVICE_GRANT],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      })
    })
  }
}

async function answerGrant(
  { db, publicUrl }: ApiContext,
  form: URLSearchParams,
): Promise<TokenAnswer> {
  const clientId = needed(form, 'client_id')
  const grantType = needed(form, 'grant_type')
  const audience = form.has('resource') ? audienceOf(form, publicUrl) : null
  switch (grantType) {
    case 'authorization_code': {
      const [code, verifier] = [needed(form, 'code'), needed(form, 'code_verifier')]
      const redirectUri = form.get('redirect_uri')
      return takeCode(db, { code, verifier, clientId, redirectUri, audience })
    }
    case 'refresh_token': {
      const refreshToken = needed(form, 'refresh_token')
      return takeRefreshToken(db, { refreshToken, clientId, scope: form.get('scope'), audience })
    }
    case DEVICE_GRANT:
      return takeDeviceCode(db, { deviceCode: needed(form, 'device_code'), clientId })
    default:
      throw new OAuthError('unsupported_grant_type', 'This grant_type does not exist here.')
  }
}

function audienceOf(form: URLSearchParams, publicUrl: string): Audience[] {
  const audience = readAudience(form.getAll('resource'), publicUrl)
  if (audience === null)
    throw new OAuthError('invalid_target', 'resource is not an address of this service.')
  return audience
}

/** Returns the form of a request. Throws where it was sent without one. */
function formOf({ body }: FastifyRequest): URLSearchParams {
  if (!(body instanceof URLSearchParams))
    throw new OAuthError('invalid_request', 'Send a form: application/x-www-form-urlencoded.')
  refuseRepeated(body, ONCE)
  return body
}

function needed(form: URLSearchParams, name: string): string {
  const value = form.get(name)
  if (value === null || value === '') throw new OAuthError('invalid_request', `${name} is missing.`)
  return value
}

function anyOrigin(app: FastifyInstance): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('Access-Control-Allow-Origin', '*')
  })
}
