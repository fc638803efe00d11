/** Attacks on secrets that come by plain http: what a proxy says of that, in any spelling, at every kind of door. */
import assert from 'node:assert/strict'
import type { OutgoingHttpHeaders } from 'node:http'
import { exchange, type Json, type Reply } from '../../../tools/conformance/http.ts'
import { PASSWORD, type Visitor } from '../../account/visitor.ts'
import { App, CALLBACK } from '../../oauth/app.ts'
import { fillBuckets } from '../../support/rate-limits.ts'
import type { Attack, Target } from '../attack.ts'
import { signUp } from '../member.ts'
import { BEHIND_PROXY } from './sign-in-visits.ts'

const PUBLIC_URL = 'https://transcripts.test'
const FORM = 'application/x-www-form-urlencoded'

/** What proxies write in the headers that most of them agree on; a list is a header of several lines. */
const PROTOS = [
  'http',
  'HTTP',
  'Http',
  'http,',
  ',http',
  ' http\t',
  '"http"',
  'http;',
  'http:',
  'http://',
  'http, https',
  'https, http',
  'https,http,https',
  'HTTPS,\tHTTP',
  '"https", "http"',
  'ws',
  ['https', 'http'],
  ['http', 'https'],
  ['', 'http'],
]
const FORWARDED = [
  'proto=http',
  'Proto=HTTP',
  'proto="http"',
  'PROTO = "HTTP"',
  'proto="h\\ttp"',
  ';proto=http;',
  'for=192.0.2.60;proto=http;by=203.0.113.43',
  'for="[2001:db8::1]:4711" ; proto = http',
  'for=192.0.2.43;proto=https, for=198.51.100.17;proto=http',
  'for="_a;proto=https";proto=http',
  ['proto=https', 'proto=http'],
  ['for=192.0.2.43;proto=http', 'proto=https'],
]
/** All that is said of a request by plain http, also where one header says https. */
const SAID: readonly OutgoingHttpHeaders[] = [
  ...PROTOS.map((said) => ({ 'X-Forwarded-Proto': said })),
  ...FORWARDED.map((said) => ({ Forwarded: said })),
  { 'X-Forwarded-Proto': 'https', Forwarded: 'proto=http' },
  { 'X-Forwarded-Proto': 'http', Forwarded: 'proto=https' },
  { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Scheme': 'http' },
  { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Ssl': 'off' },
  { 'X-Forwarded-Protocol': 'http' },
  { 'X-Scheme': 'Http' },
  { 'X-Url-Scheme': 'http' },
  { 'Front-End-Https': 'Off' },
  { 'CloudFront-Forwarded-Proto': 'http' },
  { 'Cf-Visitor': '{"scheme":"http"}' },
]

export const PLAIN_HTTP: readonly Attack[] = [
  {
    name: 'a key, a token, a sign-in and a password by plain http, in every spelling of a proxy, at every door',
    class: 'keys',
    isInGate: true,
    settings: { ...BEHIND_PROXY, PUBLIC_URL },
    async run(target) {
      const doors = await doorsOf(target)
      const before = await keptSecrets(target)
      for (const door of doors) {
        const replies = await Promise.all(SAID.map((said) => knocks(target, door, said)))
        for (const [at, { status, body }] of replies.entries()) {
          const what = `${door.what} with ${JSON.stringify(SAID[at])}: ${status}`
          assert.equal(status, 403, what)
          assert.match(wordsOf(body), /plain http/, what)
        }
      }
      assert.deepEqual(await keptSecrets(target), before, 'something was made or used up')
      // Each request is right: by https the same one is answered.
      await fillBuckets(target.fleet.database.pool)
      const https = { 'X-Forwarded-Proto': 'https', Forwarded: 'proto=https' }
      for (const door of doors) {
        const { status, bytes } = await knocks(target, door, https)
        assert.ok(status < 400, `${door.what} by https: ${status} ${bytes.toString()}`)
      }
      return `${doors.length} doors × ${SAID.length} spellings, 403 each`
    },
  },
]

type Door = { what: string; path: string; headers: Record<string, string>; body?: string }

/** Doors with a secret that opens each; those that use one up come last. */
async function doorsOf(target: Target): Promise<Door[]> {
  const { visitor, email } = await signUp(target)
  const app = await registersApp(target)
  const tokens = await app.connects(visitor)
  const { bearer } = (await visitor.asks('POST', '/account/bearer')).body
  const { apiKey } = await target.customer()
  const json = (body: object, headers: Record<string, string>) => ({
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const form = (fields: Record<string, string>) => ({
    headers: { 'content-type': FORM },
    body: new URLSearchParams({ client_id: app.client.client_id, ...fields }).toString(),
  })
  const agent = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const site = { origin: PUBLIC_URL }
  const page = { ...site, cookie: cookiesOf(visitor) }
  const withSecret = Object.entries({ key: apiKey, bearer, token: tokens.access }).flatMap(
    ([kind, secret]) => {
      const headers = { authorization: `Bearer ${secret}` }
      return [
        { what: `a ${kind} at the API`, path: '/api/v1/balance', headers },
        { what: `a ${kind} at the API, encoded`, path: '/%61pi/v1/balance', headers },
        {
          what: `a ${kind} at an order`,
          path: '/api/v1/projects',
          ...json({ name: 'P' }, headers),
        },
        { what: `a ${kind} at MCP`, path: '/mcp', ...json(agent, headers) },
      ]
    },
  )
  const signIn = { email, password: PASSWORD }
  const changed = {
    currentPassword: PASSWORD,
    newPassword: `${PASSWORD} of mine`,
    revokeOtherSessions: true,
  }
  return [
    ...withSecret.filter(({ what }) => what !== 'a token at an order'),
    ...['session', 'keys', 'statement.csv'].map((name) => ({
      what: `a cookie at ${name}`,
      path: `/account/${name}`,
      headers: page,
    })),
    { what: 'a cookie at a new key', path: '/account/keys', ...json({ name: 'K' }, page) },
    { what: 'a cookie at a bearer', path: '/account/bearer', ...json({}, page) },
    { what: 'a sign-in', path: '/account/auth/sign-in/email', ...json(signIn, site) },
    {
      what: 'a sign-up',
      path: '/account/auth/sign-up/email',
      ...json({ email: `new-${email}`, password: PASSWORD }, site),
    },
    { what: 'a new password', path: '/account/auth/change-password', ...json(changed, page) },
    {
      what: 'a refresh token',
      path: '/oauth/token',
      ...form({ grant_type: 'refresh_token', refresh_token: tokens.refresh }),
    },
    { what: 'a token that is revoked', path: '/oauth/revoke', ...form({ token: tokens.access }) },
  ]
}

function knocks({ address }: Target, door: Door, said: OutgoingHttpHeaders): Promise<Reply> {
  const { path, headers, body } = door
  const method = body === undefined ? 'GET' : 'POST'
  return exchange({ method, url: address, path, headers: { ...headers, ...said }, body })
}

function wordsOf({ error, error_description: description }: Json): string {
  return typeof error === 'string' ? description : (error?.message ?? '')
}

function cookiesOf({ cookies }: Visitor): string {
  return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
}

/** An app that reaches the service at its own address, as a proxy would: nothing listens at the public one. */
async function registersApp({ address }: Target): Promise<App> {
  const { body } = await exchange({
    method: 'POST',
    url: `${address}/oauth/register`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Reading app', redirect_uris: [CALLBACK] }),
  })
  const server = {
    issuer: PUBLIC_URL,
    authorization_endpoint: `${PUBLIC_URL}/oauth/authorize`,
    token_endpoint: `${address}/oauth/token`,
    authorization_response_iss_parameter_supported: true,
  }
  return new App(server, { client_id: body['client_id'] })
}

/** What the requests would make or use up, were they taken. */
async function keptSecrets({ fleet }: Target): Promise<Json> {
  const { rows } = await fleet.database.pool.query<Json>(`
    select (select count(*)::int from api_key) as keys, (select count(*)::int from project) as projects,
      (select count(*)::int from sign_up) as sign_ups, (select count(*)::int from sign_in_session) as sessions,
      (select count(*)::int from oauth_refresh_token where used_at is not null) as refreshed,
      (select string_agg(password, ',' order by id) from sign_in_method) as passwords`)
  return rows[0] ?? {}
}
