/** An OpenID Connect provider that says yes: discovery, consent by redirect, tokens signed with RS256. */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { TestScope } from '../support/database.ts'

export type Person = { sub: string; email: string; email_verified: boolean; name: string }

export type OidcProvider = {
  /** Settings of a service that trusts this provider. */
  env: Record<string, string>
  /** The person who is signed in at the provider. */
  person: Person
  /** True makes the provider answer nothing usable. */
  isAway: boolean
}

type Grant = { person: Person; challenge: string; nonce: string | null }

export async function startOidcProvider(scope: TestScope): Promise<OidcProvider> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const grants = new Map<string, Grant>()
  const provider = {
    env: {},
    isAway: false,
    person: { sub: '1', email: 'one@example.org', email_verified: true, name: 'One' },
  } as OidcProvider
  let issuer = ''

  const idToken = ({ person, nonce }: Grant): string => {
    const now = Math.floor(Date.now() / 1000)
    const claims = {
      iss: issuer,
      aud: 'texts',
      iat: now,
      exp: now + 300,
      ...(nonce === null ? {} : { nonce }),
      ...person,
    }
    const body = [{ alg: 'RS256', kid: 'k1', typ: 'JWT' }, claims]
      .map((part) => base64url(JSON.stringify(part)))
      .join('.')
    return `${body}.${sign('sha256', Buffer.from(body), privateKey).toString('base64url')}`
  }
  const authorize = (query: URLSearchParams): string => {
    const code = randomBytes(12).toString('hex')
    grants.set(code, {
      person: provider.person,
      challenge: query.get('code_challenge') ?? '',
      nonce: query.get('nonce'),
    })
    return `${query.get('redirect_uri')}?${new URLSearchParams({ code, state: query.get('state') ?? '', iss: issuer })}`
  }
  const exchange = (form: URLSearchParams): object | null => {
    const grant = grants.get(form.get('code') ?? '')
    const verifier = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (grant === undefined || grant.challenge !== verifier) return null
    return {
      access_token: form.get('code'),
      token_type: 'Bearer',
      expires_in: 300,
      id_token: idToken(grant),
    }
  }

  const server = http
    .createServer(async (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', issuer)
      const say = (body: object, status = 200) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      if (provider.isAway) return say({}, 503)
      if (pathname === '/.well-known/openid-configuration') {
        return say({
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          userinfo_endpoint: `${issuer}/userinfo`,
          jwks_uri: `${issuer}/jwks`,
          id_token_signing_alg_values_supported: ['RS256'],
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
        })
      }
      if (pathname === '/jwks')
        return say({
          keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'RS256', use: 'sig' }],
        })
      if (pathname === '/authorize')
        return response.writeHead(302, { location: authorize(searchParams) }).end()
      if (pathname === '/token') {
        const tokens = exchange(new URLSearchParams(await text(request)))
        return tokens === null ? say({ error: 'invalid_grant' }, 400) : say(tokens)
      }
      if (pathname === '/userinfo')
        return say(grants.get((request.headers.authorization ?? '').slice(7))?.person ?? {})
      return say({}, 404)
    })
    .listen(0, '127.0.0.1')
  await once(server, 'listening')
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  provider.env = {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: 'texts',
    OIDC_CLIENT_SECRET: 'a secret',
    OIDC_NAME: 'Example ID',
  }
  scope.after(async () => void server.close())
  return provider
}

function base64url(part: string): string {
  return Buffer.from(part).toString('base64url')
}
