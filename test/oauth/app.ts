/** An app as other authors write them: oauth4webapi does a client's part, and a visitor of the site decides. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import * as oauth from 'oauth4webapi'
import type { Db } from '../../src/store/database.ts'
import type { PageReply, Visitor } from '../account/visitor.ts'

const insecure = { [oauth.allowInsecureRequests]: true } as const
export const CALLBACK = 'http://127.0.0.1:4711/callback'

export type Tokens = { access: string; refresh: string; scope: string }
/** A question under way: where the browser goes, and what the app remembers of it. */
export type Asking = { url: URL; verifier: string; state: string; redirectUri: string }

export class App {
  readonly server: oauth.AuthorizationServer
  readonly client: oauth.Client

  constructor(server: oauth.AuthorizationServer, client: oauth.Client) {
    this.server = server
    this.client = client
  }

  static async discovers(origin: string): Promise<oauth.AuthorizationServer> {
    const issuer = new URL(origin)
    const response = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure })
    return oauth.processDiscoveryResponse(issuer, response)
  }

  /** Registers an app; `from` is the address that a proxy tells of its sender. */
  static async registers(
    origin: string,
    metadata: Partial<oauth.Client> = {},
    from?: string,
  ): Promise<App> {
    const server = await App.discovers(origin)
    const described = { client_name: 'Reading app', redirect_uris: [CALLBACK], ...metadata }
    const headers = from === undefined ? {} : { 'x-forwarded-for': from }
    const options = { ...insecure, headers }
    const response = await oauth.dynamicClientRegistrationRequest(server, described, options)
    return new App(server, await oauth.processDynamicClientRegistrationResponse(response))
  }

  /** An app of a release before this one, which kept each registration as a row. */
  static async registersAsBefore(
    origin: string,
    db: Db,
    { name = 'Old app', uris = [CALLBACK] } = {},
  ): Promise<App> {
    const id = `client_${randomUUID().replaceAll('-', '')}`
    await sql`
      insert into oauth_client (id, kind, name, redirect_uris) values (${id}, 'registered', ${name}, ${uris})
    `.execute(db)
    return new App(await App.discovers(origin), { client_id: id })
  }

  async asks(more: Record<string, string> = {}): Promise<Asking> {
    const verifier = oauth.generateRandomCodeVerifier()
    const { state = oauth.generateRandomState(), redirect_uri: redirectUri = CALLBACK } = more
    const url = new URL(this.server.authorization_endpoint ?? '')
    const query = {
      response_type: 'code',
      client_id: this.client.client_id,
      redirect_uri: CALLBACK,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      ...more,
    }
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    return { url, verifier, state, redirectUri }
  }

  /** Checks state and issuer of the answer, and exchanges its code. */
  async brings({ verifier, state, redirectUri }: Asking, location: string): Promise<Tokens> {
    const answer = oauth.validateAuthResponse(this.server, this.client, new URL(location), state)
    const response = await oauth.authorizationCodeGrantRequest(
      this.server,
      this.client,
      oauth.None(),
      answer,
      redirectUri,
      verifier,
      insecure,
    )
    return tokensOf(
      await oauth.processAuthorizationCodeResponse(this.server, this.client, response),
    )
  }

  async refreshes(refresh: string, more = {}): Promise<Tokens> {
    const response = await oauth.refreshTokenGrantRequest(
      this.server,
      this.client,
      oauth.None(),
      refresh,
      { ...insecure, additionalParameters: more },
    )
    return tokensOf(await oauth.processRefreshTokenResponse(this.server, this.client, response))
  }

  async revokes(token: string): Promise<void> {
    const response = await oauth.revocationRequest(
      this.server,
      this.client,
      oauth.None(),
      token,
      insecure,
    )
    await oauth.processRevocationResponse(response)
  }

  /** Connects the app, from the question to the tokens, with the visitor's consent. */
  async connects(visitor: Visitor, more: Record<string, string> = {}, cap = '5'): Promise<Tokens> {
    const asking = await this.asks(more)
    const decided = await decides(visitor, asking, { isAllowed: true, cap })
    assert.equal(decided.status, 200, decided.text)
    return this.brings(asking, decided.body.location)
  }
}

/** Follows the app's link in the visitor's browser, and answers the page that it leads to. */
export async function decides(
  visitor: Visitor,
  { url }: Asking,
  { isAllowed, cap = '5' }: { isAllowed: boolean; cap?: string },
): Promise<PageReply> {
  const led = await visitor.asks('GET', `${url.pathname}${url.search}`)
  assert.equal(led.status, 302, led.text)
  const page = new URL(led.headers.get('location') ?? '')
  assert.equal(page.pathname, '/consent', page.href)
  assert.equal((await visitor.asks('GET', `/account/consent${page.search}`)).status, 200)
  return visitor.asks('POST', '/account/consent', {
    request: page.searchParams.get('request'),
    isAllowed,
    monthlyCap: cap,
  })
}

function tokensOf({ access_token, refresh_token, scope }: oauth.TokenEndpointResponse): Tokens {
  return { access: access_token, refresh: refresh_token ?? '', scope: scope ?? '' }
}

/** Returns a check that an error is the server's refusal with this code. */
export function refusedWith(code: string): (error: unknown) => boolean {
  return (error) => error instanceof oauth.ResponseBodyError && error.error === code
}
