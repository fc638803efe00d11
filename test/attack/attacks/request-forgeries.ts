/** Attacks by other sites' pages, which act with a visitor's cookie, or lead visitors away from our site. */
import assert from 'node:assert/strict'
import { startOidcProvider } from '../../account/oidc-provider.ts'
import { type PageReply, Visitor } from '../../account/visitor.ts'
import type { Attack } from '../attack.ts'
import { signUp } from '../member.ts'
import { sendRaw } from '../raw.ts'
import { BEHIND_PROXY } from './sign-in-visits.ts'

const FORGERIES_MIN = 30
const REDIRECTS_MIN = 14
const EVIL = 'evil.example'

type Forgery = { method: string; path: string; headers: Record<string, string>; body?: string }

export const REQUEST_FORGERIES: readonly Attack[] = [
  {
    name: "acting at the website with a visitor's cookie from another site's page",
    class: 'forged requests',
    isInGate: true,
    settings: BEHIND_PROXY,
    async run(target) {
      const { visitor } = await signUp(target)
      const before = await stateOf(visitor)
      const forgeries = forgeriesOf(target.origin)
      assert.ok(forgeries.length >= FORGERIES_MIN)
      const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      for (const { method, path, headers, body } of forgeries) {
        const answer = await fetch(target.address + path, {
          method,
          redirect: 'manual',
          headers: { cookie, ...headers },
          ...(body === undefined ? {} : { body }),
        })
        const text = await answer.text()
        const what = `${method} ${path} ${JSON.stringify(headers)}: ${answer.status} ${text}`
        assert.ok(answer.status >= 400 && answer.status < 500, what)
        assert.equal(
          typeof (JSON.parse(text) as { error: { code: unknown } }).error.code,
          'string',
          what,
        )
        assert.deepEqual(answer.headers.getSetCookie(), [], what)
      }
      assert.deepEqual(await stateOf(visitor), before, 'nothing changed')
      return `${forgeries.length} forgeries refused, nothing changed`
    },
  },
  {
    name: 'links of ours that lead to another site: addresses to return to, at sign-in and sign-up',
    class: 'redirects',
    isInGate: true,
    settings: BEHIND_PROXY,
    async run(target) {
      const { visitor } = await signUp(target)
      const count = await tryRedirects(visitor, target.origin)
      const raw = [
        `//${EVIL}/`,
        `//${EVIL}/%2e%2e`,
        `/\\${EVIL}`,
        `/%5c${EVIL}/..`,
        `//${EVIL}/jobs/`,
        `/jobs//${EVIL}/..`,
      ]
      for (const path of raw) {
        const answer = await sendRaw(
          target.address,
          `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
        )
        assert.doesNotMatch(answer.text, /^location:/im, path)
      }
      return `${count + raw.length} addresses, none led away`
    },
  },
  {
    name: 'links of ours that lead to another site: addresses to return to from a sign-in provider',
    class: 'redirects',
    async run({ fleet }) {
      const ends: (() => Promise<void>)[] = []
      const provider = await startOidcProvider({ after: (end) => void ends.push(end) })
      const service = await fleet.start({ ...provider.env, ROLES: 'api' })
      try {
        const origin = service.address.replace('127.0.0.1', 'localhost')
        const count = await tryRedirects(
          new Visitor({ address: service.address, origin }),
          origin,
          ['/account/auth/sign-in/social'],
        )
        return `${count} addresses, none led away`
      } finally {
        await service.ends('SIGTERM')
        for (const end of ends) await end()
      }
    },
  },
]

/** Returns the state that an attack of this kind is after. */
async function stateOf(visitor: Visitor): Promise<unknown> {
  const [session, keys, methods] = await Promise.all(
    ['/account/session', '/account/keys', '/account/sign-in-methods'].map((path) =>
      visitor.gets(path),
    ),
  )
  return { email: session.email, keys: keys.keys, methods }
}

const CHANGES: readonly [method: string, path: string, body: object][] = [
  ['POST', '/account/keys', { name: 'stolen' }],
  ['POST', '/account/bearer', {}],
  ['POST', '/account/sign-out', { everywhere: true }],
  ['POST', '/account/top-up', { amountUsd: '10' }],
  [
    'POST',
    '/account/auth/change-password',
    { currentPassword: 'a long enough sentence', newPassword: 'a sentence of the attacker' },
  ],
  ['POST', '/account/auth/passkey/verify-registration', { response: {} }],
  ['DELETE', '/account/keys/key_1', {}],
]

/** Browsers write Origin and Sec-Fetch-Site themselves; a page chooses the rest within what a form may send. */
function forgeriesOf(origin: string): Forgery[] {
  const { host, hostname, port } = new URL(origin)
  const json = { 'content-type': 'application/json' }
  const origins: Record<string, string>[] = [
    {},
    { origin: 'null' },
    { origin: `https://${EVIL}` },
    { origin: `${origin}.${EVIL}` },
    { origin: `http://${EVIL}:${port}` },
    { origin: `https://${host}` },
    { origin: `http://${hostname}` },
    { origin: `${origin}/` },
    { origin: `${origin}@${EVIL}` },
    { origin: `${origin} https://${EVIL}` },
    { origin: `http://sub.${host}` },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
    { referer: `${origin}/account` },
  ]
  const forms: [type: string, body: string][] = [
    ['application/x-www-form-urlencoded', 'name=stolen&everywhere=true&amountUsd=10'],
    ['text/plain', '{"name":"stolen","x":"="}'],
    [
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="name"\r\n\r\nstolen\r\n--b--\r\n',
    ],
  ]
  const hidden: [path: string, headers: Record<string, string>][] = [
    ['/account/keys/key_1?_method=DELETE', {}],
    ['/account/sign-out?_method=POST', { 'x-http-method-override': 'POST' }],
    ['/account/bearer', { 'x-http-method-override': 'POST', 'x-method-override': 'POST' }],
    ['/account/auth/sign-out', {}],
    ['/account/auth/change-password', { 'x-http-method': 'POST' }],
  ]
  return [
    ...CHANGES.flatMap(([method, path, body]) =>
      origins.map((headers) => ({
        method,
        path,
        headers: { ...json, ...headers },
        body: JSON.stringify(body),
      })),
    ),
    ...CHANGES.slice(0, 4).flatMap(([method, path]) =>
      forms.flatMap(([type, body]) =>
        [
          ...(path === '/account/bearer' ? [] : [{ origin }]),
          { origin: `https://${EVIL}` },
          {},
        ].map((headers) => ({
          method,
          path,
          headers: { 'content-type': type, ...headers } as Record<string, string>,
          body,
        })),
      ),
    ),
    ...hidden.map(([path, headers]) => ({
      method: 'GET',
      path,
      headers: { ...headers, accept: 'application/json' },
    })),
  ]
}

const PLACES: readonly [method: string, path: string, body: object][] = [
  [
    'POST',
    '/account/auth/sign-in/email',
    { email: 'nobody@example.org', password: 'not the right sentence' },
  ],
  ['POST', '/account/auth/sign-in/social', { provider: 'oidc' }],
  [
    'POST',
    '/account/auth/sign-up/email',
    { email: 'member@example.org', password: 'a long enough sentence', name: 'x' },
  ],
  ['POST', '/account/auth/request-password-reset', { email: 'nobody@example.org' }],
  ['GET', '/account/auth/verify-email', { token: 'x' }],
  ['GET', '/account/auth/callback/oidc', { code: 'x', state: 'x' }],
]
const NAMES = ['callbackURL', 'newUserCallbackURL', 'errorCallbackURL', 'redirectTo']

function addressesOf(origin: string): string[] {
  return [
    `https://${EVIL}`,
    `//${EVIL}`,
    `///${EVIL}`,
    `/\\${EVIL}`,
    `\\\\${EVIL}`,
    `https:${EVIL}`,
    `https:/${EVIL}`,
    `/\t/${EVIL}`,
    `\t//${EVIL}`,
    `/\n/${EVIL}`,
    `/%5C${EVIL}`,
    `/%2F%2F${EVIL}`,
    `/.//${EVIL}`,
    `/..//${EVIL}`,
    `${origin}@${EVIL}`,
    `${origin}.${EVIL}`,
    `${origin}:80@${EVIL}`,
    `javascript:alert(1)`,
    `data:text/html,x`,
    ` https://${EVIL}`,
    `HtTpS://${EVIL}`,
    `//${EVIL}?${origin}`,
  ]
}

/**
 * Tries every address in every place, under all names at once or under one; only at `paths`, if named. Returns how
 * many.
 */
async function tryRedirects(
  visitor: Visitor,
  origin: string,
  paths: readonly string[] = PLACES.map(([, path]) => path),
): Promise<number> {
  const addresses = addressesOf(origin)
  assert.ok(addresses.length >= REDIRECTS_MIN)
  let count = 0
  for (const [method, path, fields] of PLACES.filter(([, one]) => paths.includes(one))) {
    // Attempts are limited: each address is tried once, half of them under all names, the others under one.
    for (const [index, address] of addresses.entries()) {
      const named = Object.fromEntries(
        (index % 2 === 0 ? NAMES : [NAMES[index % NAMES.length] ?? '']).map((name) => [
          name,
          address,
        ]),
      )
      const all = { ...fields, ...named }
      const query = method === 'GET' ? `?${new URLSearchParams(all as Record<string, string>)}` : ''
      const reply = await visitor.asks(method, path + query, method === 'GET' ? undefined : all)
      const where = await destinationOf(visitor, reply, origin)
      assert.equal(
        where === null ? origin : new URL(where, origin).origin,
        origin,
        `${path} with ${JSON.stringify(named)} led to ${where}`,
      )
      count += 1
    }
  }
  return count
}

/** Returns where a browser ends up: by a redirect, by what a page is told to open, or back from the provider. */
async function destinationOf(
  visitor: Visitor,
  reply: PageReply,
  origin: string,
): Promise<string | null> {
  const there =
    reply.headers.get('location') ?? (reply.body as { url?: string } | null)?.url ?? null
  if (there === null || reply.status !== 200 || new URL(there, origin).pathname !== '/authorize')
    return there
  const consent = await fetch(there, { redirect: 'manual' })
  const back = new URL(consent.headers.get('location') ?? '')
  assert.equal(back.origin, origin, 'the provider sends back to us')
  return (await visitor.asks('GET', `${back.pathname}${back.search}`)).headers.get('location')
}
