/** Attacks by apps and pages: getting a code, a token, a visitor or the tools of agents that no owner gave them. */
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { App, CALLBACK, decides } from '../../oauth/app.ts'
import type { Visitor } from '../../account/visitor.ts'
import type { Attack, Target } from '../attack.ts'
import { BEHIND_PROXY, browser, mails, persists } from './sign-in-visits.ts'

const ELSEWHERE = [
  'https://evil.example/',
  'http://127.0.0.1.evil.example/callback',
  'http://127.0.0.1:4711@evil.example/callback',
  `${CALLBACK}/../../evil`,
  'javascript:alert(1)',
  'data:text/html,evil',
  '\\\\evil.example',
]

/** Addresses at which a system runs or opens something. */
const HANDLERS = [
  'ms-msdt:/id',
  'search-ms:query=x&crumb=location:%5C%5Cevil.example',
  'feed:javascript:alert(1)',
  'shell:startup',
  'facetime:evil@example.org',
  'x-apple.systempreferences:x',
]
const OUR_NAMES = [
  'Scriptorium',
  'scriptorium  COMMAND line',
  'Sсriрtоrium',
  'S\u200bcriptorium',
  '𝐒criptorium',
]

export const APPS: readonly Attack[] = [
  {
    name: "calling the tools of agents from another site's page, also under a name that was led here (DNS rebinding)",
    class: 'forged requests',
    isInGate: true,
    settings: BEHIND_PROXY,
    async run(target) {
      const who = await target.customer('1')
      const { hostname } = new URL(target.address)
      const origins = ['null', 'file://', 'https://evil.example', `http://${hostname}.evil.example`]
      const pages = [...origins, `${target.origin}.evil.example`, `${target.origin}@evil.example`]
      const params = { name: 'get_transcript', arguments: { video: '60vNGGwFgvk' } }
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
      for (const Origin of pages)
        for (const Host of [undefined, 'evil.example', `${hostname}.evil.example`]) {
          const headers = { Origin, ...(Host === undefined ? {} : { Host }) }
          for (const method of ['POST', 'OPTIONS']) {
            const sent = { headers, ...(method === 'POST' ? { body } : {}) }
            const answer = await who.asks(method, `${target.address}/mcp`, sent)
            const what = `${method} from ${Origin} at ${Host}: ${answer.status}`
            assert.equal(answer.status, 403, what)
            assert.equal(answer.headers.get('access-control-allow-origin'), null, what)
          }
        }
      assert.equal((await who.gets('/jobs'))['total'], 0)
      return `${pages.length} origins under 3 names refused, nothing was ordered`
    },
  },
  {
    name: 'apps with the name of the service, or with addresses that run something',
    class: 'apps',
    isInGate: true,
    settings: BEHIND_PROXY,
    async run(target) {
      for (const redirect_uri of HANDLERS)
        assert.equal(
          await registration(target, { redirect_uris: [redirect_uri] }),
          400,
          redirect_uri,
        )
      for (const client_name of OUR_NAMES) {
        const description = { client_name, redirect_uris: [CALLBACK] }
        assert.equal(await registration(target, description), 400, client_name)
      }
      const victim = await member(target, 'trusts-names@example.org')
      // A release before this one registered both.
      const { db } = target.fleet.database
      const ours = await App.registersAsBefore(target.origin, db, { name: 'Scriptorium' })
      const { url } = await ours.asks()
      const named = await victim.asks('GET', `${url.pathname}${url.search}`)
      assert.equal(named.status, 401, named.text)
      const uris = HANDLERS.slice(0, 1)
      const running = await App.registersAsBefore(target.origin, db, { uris })
      const { url: leading } = await running.asks()
      leading.searchParams.delete('redirect_uri')
      const led = await victim.asks('GET', `${leading.pathname}${leading.search}`)
      assert.deepEqual([led.status, led.headers.get('location')], [400, null], led.text)
      return `${HANDLERS.length} addresses and ${OUR_NAMES.length} names refused`
    },
  },
  {
    name: 'apps that lead visitors elsewhere, or have consent given for them',
    class: 'apps',
    isInGate: true,
    settings: BEHIND_PROXY,
    async run(target) {
      const victim = await member(target, 'led-by-apps@example.org')
      const app = await App.registers(target.origin)
      for (const redirect_uri of ELSEWHERE) {
        const { url } = await app.asks({ redirect_uri })
        const led = await victim.asks('GET', `${url.pathname}${url.search}`)
        assert.deepEqual([led.status, led.headers.get('location')], [400, null], redirect_uri)
        const description = { redirect_uris: [redirect_uri.replace(/^http:/, 'ftp:')] }
        const sent = await registration(target, description)
        if (!redirect_uri.startsWith('https:')) assert.equal(sent, 400, redirect_uri)
      }
      const { url } = await app.asks()
      const request = Buffer.from(url.search.slice(1)).toString('base64url')
      const answer = { request, isAllowed: true, monthlyCap: '1000' }
      for (const from of [null, 'null', 'https://evil.example', `${target.origin}.evil.example`])
        assert.equal((await victim.asks('POST', '/account/consent', answer, from)).status, 403)
      const page = await victim.asks('GET', `/consent?request=${request}`)
      if (page.status === 200)
        assert.match(page.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
      assert.deepEqual((await victim.gets('/account/apps')).apps, [])
      return `${ELSEWHERE.length} addresses and 4 foreign pages refused, no app connected`
    },
  },
  {
    name: 'apps that use what they were given beyond what was allowed',
    class: 'apps',
    isInGate: true,
    settings: BEHIND_PROXY,
    async run(target) {
      const victim = await member(target, 'reads-by-apps@example.org')
      const [app, thief] = [await App.registers(target.origin), await App.registers(target.origin)]
      const asking = await app.asks({ scope: 'transcripts:read' })
      const { body } = await decides(victim, asking, { isAllowed: true })
      const stolen = { ...asking, verifier: 'x'.repeat(43) }
      await assert.rejects(thief.brings(asking, body.location), 'another app brings the code')
      await assert.rejects(app.brings(stolen, body.location), 'a code without its verifier')
      await assert.rejects(app.brings(asking, body.location), 'a code that was tried before')

      const tokens = await app.connects(victim, { scope: 'transcripts:read' })
      const calls = (path: string, method = 'GET') =>
        fetch(`${target.origin}/api/v1${path}`, {
          method,
          headers: { authorization: `Bearer ${tokens.access}`, 'content-type': 'application/json' },
          ...(method === 'GET' ? {} : { body: '{"urls":"@dailynotes"}' }),
        })
      const tried = [calls('/jobs', 'POST'), calls('/balance'), calls('/webhooks')]
      for (const { status } of await Promise.all(tried)) assert.equal(status, 403)
      for (const path of ['/account/apps', '/account/keys']) {
        const headers = { authorization: `Bearer ${tokens.access}` }
        assert.equal((await fetch(`${target.origin}${path}`, { headers })).status, 401, path)
      }
      await assert.rejects(thief.refreshes(tokens.refresh))
      await assert.rejects(app.refreshes(tokens.refresh, { scope: 'jobs:write' }))
      return 'codes, scopes, pages and tokens of others stayed out of reach'
    },
  },
  {
    name: 'apps that one account connects and disconnects again and again',
    class: 'apps',
    isInGate: true,
    settings: BEHIND_PROXY,
    async run(target) {
      const { db } = target.fleet.database
      const one = await member(target, 'turns-over-apps@example.org')
      const kept = async (): Promise<number> => {
        const { rows } = await sql<{ kept: number }>`
          select count(*)::int as kept from app_connection where account_id = (
            select account_id from sign_in_user where email = 'turns-over-apps@example.org')
        `.execute(db)
        return rows[0]?.kept ?? 0
      }
      const rounds = 8
      for (let round = 0; round < rounds; round += 1) {
        const app = await App.registers(target.origin, {}, `192.0.2.${round}`)
        await app.connects(one)
        const [{ id }] = (await one.gets('/account/apps')).apps
        assert.equal((await one.asks('DELETE', `/account/apps/${id}`)).status, 200)
      }
      assert.ok((await kept()) <= 1, `${await kept()} connections are kept of ${rounds}`)
      return `${await kept()} of ${rounds} kept`
    },
  },
  {
    name: 'apps registered in masses from one network',
    class: 'floods',
    settings: BEHIND_PROXY,
    async run(target) {
      const masses = { redirect_uris: [CALLBACK], client_name: 'x'.repeat(10_000) }
      const tries = Array.from({ length: 200 }, () => registration(target, masses, '192.0.2.7'))
      const made = (await Promise.all(tries)).filter((status) => status === 201).length
      assert.ok(made <= 32, `${made} were registered`)
      return `${made} of 200 registered`
    },
  },
  {
    name: '6,000 apps registered from one /48 before an honest one',
    class: 'floods',
    settings: BEHIND_PROXY,
    async run(target) {
      let made = 0
      for (let network = 0; network < 200; network += 1) {
        const from = `2001:db8:a:${network.toString(16)}::1`
        const tries = Array.from({ length: 30 }, () =>
          registration(target, { redirect_uris: [CALLBACK] }, from),
        )
        made += (await Promise.all(tries)).filter((status) => status === 201).length
      }
      const honest = await member(target, 'after-a-flood-of-apps@example.org')
      const app = await App.registers(target.origin)
      const { access } = await app.connects(honest)
      const headers = { authorization: `Bearer ${access}` }
      assert.equal((await fetch(`${target.origin}/api/v1/balance`, { headers })).status, 200)
      const { rows } = await sql<{ kept: number }>`
        select count(*)::int as kept from oauth_client where name = 'An app without a name'
      `.execute(target.fleet.database.db)
      assert.equal(rows[0]?.kept, 0, 'apps that nobody allowed have rows')
      return `${made} registered without a row, and an honest app works`
    },
  },
]

async function registration(
  { origin }: Pick<Target, 'origin'>,
  body: object,
  from?: string,
): Promise<number> {
  const headers = {
    'content-type': 'application/json',
    ...(from === undefined ? {} : { 'x-forwarded-for': from }),
  }
  const sent = { method: 'POST', headers, body: JSON.stringify(body) }
  const reply = await fetch(`${origin}/oauth/register`, sent)
  await reply.body?.cancel()
  return reply.status
}

/** Signs a member up and in, who tries again while the service is busy. */
async function member(target: Target, email: string): Promise<Visitor> {
  const one = browser(target)
  await persists(() => one.signsUp(email))
  const { link } = await mails.newestTo(email)
  await persists(() => one.opens(link ?? ''))
  return one
}
