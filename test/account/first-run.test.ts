/** The first account: made by whoever reads the service's terminal, on its machine, once; by nobody else. */
import assert from 'node:assert/strict'
import http from 'node:http'
import { after, test } from 'node:test'
import { createAccountWithKey } from '../../src/features/accounts/account.ts'
import { mayOfferFirstRun } from '../../src/features/accounts/first-run.ts'
import { readConfig } from '../../src/config/config.ts'
import { greeting } from '../../src/greeting.ts'
import { testService } from '../support/service.ts'

const EMAIL = 'first@example.org'
const PASSWORD = 'a-house-of-words-9'
/** A form and a text that no browser sends to a service of another origin by itself. */
const JSON_TYPE = 'application/json'

type Answer = { status: number; body: any; cookies: string[] }
type Ask = { path?: string; headers?: Record<string, string>; body?: unknown }

/** Starts a service without accounts; `asks` is a browser of its machine, but for the headers that it is given. */
async function emptyService(env: Record<string, string> = {}) {
  const it = await testService({ after }, { env: { ROLES: 'api', ...env } })
  const { port } = new URL(it.address)
  const origin = `http://localhost:${port}`
  const own = { host: `localhost:${port}`, origin, 'content-type': JSON_TYPE }
  const asks = ({ path = '/account/first-run', headers = {}, body }: Ask) =>
    new Promise<Answer>((resolve, reject) => {
      const method = body === undefined ? 'GET' : 'POST'
      const options = { method, agent: false, headers: { ...own, ...headers } }
      const request = http.request(`${it.address}${path}`, options, async (response) => {
        const text = await new Response(response as any).text()
        const cookies = response.headers['set-cookie'] ?? []
        resolve({ status: response.statusCode ?? 0, body: JSON.parse(text || 'null'), cookies })
      })
      request.on('error', reject)
      request.end(body === undefined ? undefined : JSON.stringify(body))
    })
  const { context } = it.service
  const code = context.firstRun?.code ?? 'none'
  const claim = (more: Ask = {}, email = EMAIL) =>
    asks({ body: { code, email, password: PASSWORD }, ...more })
  const isOffered = async (headers = {}): Promise<boolean> =>
    (await asks({ path: '/account/session', headers })).body.isFirstRun
  const accounts = async (): Promise<number> =>
    (await context.pool.query('select count(*)::int as n from account')).rows[0].n
  return { ...it, context, origin, code, asks, claim, isOffered, accounts }
}

test('whoever reads the terminal makes the operator’s account, is signed in, and the page is gone for ever', async () => {
  const { asks, claim, isOffered, context } = await emptyService()
  assert.equal(await isOffered(), true)
  const made = await claim()
  assert.equal(made.status, 200)
  const cookie = made.cookies.map((one) => one.split(';')[0]).join('; ')
  const { body: visit } = await asks({ path: '/account/session', headers: { cookie } })
  assert.deepEqual([visit.email, visit.isOperator, visit.isFirstRun], [EMAIL, true, false])
  const clearance = await asks({ path: '/account/operator', headers: { cookie } })
  assert.deepEqual(clearance.body, { isEnrolled: false, isProven: false })
  const { rows } = await context.pool.query('select act, reason, detail from operator_act')
  const reason = 'first run'
  assert.deepEqual(rows, [
    { act: 'grant_operator', reason, detail: null },
    { act: 'add_credit', reason, detail: '$5.00' },
  ])
  const funds = await asks({ path: '/account/balance', headers: { cookie } })
  assert.equal(funds.body.affordableTranscripts, 625, 'the first job needs nobody')
  const own = `/account/operator/accounts/${visit.accountId}/credit`
  const more = { usd: '10', reason: 'a stolen session' }
  assert.equal((await asks({ path: own, headers: { cookie }, body: more })).status, 403)

  assert.equal(await isOffered(), false)
  assert.equal((await claim({}, 'second@example.org')).status, 404)
  const password = await asks({
    path: '/account/auth/sign-in/email',
    body: { email: EMAIL, password: PASSWORD },
  })
  assert.equal(password.status, 200)
})

test('of many claims at once, in two processes, one makes an account', async () => {
  const { claim, accounts, another, context } = await emptyService()
  const other = await another()
  const theirs = (await import('../../src/features/accounts/first-run.ts')).openFirstRun(context.db)
  assert.notEqual(other.context.firstRun?.code, context.firstRun?.code, 'each has its own code')
  const claims = Array.from({ length: 6 }, (_, at) => claim({}, `one-${at}@example.org`))
  const direct = Array.from({ length: 6 }, (_, at) =>
    theirs.claim({ code: theirs.code, email: `other-${at}@example.org`, password: 'hash' }),
  )
  const statuses = (await Promise.all(claims)).map(({ status }) => status)
  const users = (await Promise.all(direct)).filter((userId) => userId !== null)
  assert.equal(statuses.filter((status) => status === 200).length + users.length, 1)
  assert.equal(await accounts(), 1)
})

test('a guess, another site, another name and a proxy of the same machine make no account', async () => {
  const { claim, accounts, asks, isOffered, origin, code } = await emptyService()
  const wrong = `${code.slice(0, -1)}${code.endsWith('A') ? 'E' : 'A'}`
  for (const guess of [wrong, 'none', code.toLowerCase(), code.slice(0, 42)]) {
    const { status } = await asks({ body: { code: guess, email: EMAIL, password: PASSWORD } })
    assert.equal(status, 403, guess)
  }
  const { port } = new URL(origin)
  const foreign: Record<string, string>[] = [
    // A page of another site, and one whose name was made to lead to this machine.
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { host: `evil.example:${port}`, origin: `http://evil.example:${port}` },
    { host: `evil.example:${port}` },
    { host: `127.0.0.1:${port}` },
    { host: 'localhost' },
    ...[
      'forwarded',
      'via',
      'x-real-ip',
      'x-forwarded-for',
      'x-forwarded-host',
      'x-forwarded-proto',
    ].map((name) => ({ [name]: 'localhost' })),
    // What a form of another page can send without being asked for leave.
    { 'content-type': 'text/plain' },
  ]
  for (const headers of foreign) {
    const { status } = await claim({ headers })
    assert.ok(status >= 400 && status < 500, `${JSON.stringify(headers)}: ${status}`)
    const isOwnBrowser = 'origin' in headers && !('host' in headers)
    if (!isOwnBrowser && !('content-type' in headers))
      assert.equal(await isOffered(headers), false, JSON.stringify(headers))
  }
  assert.equal(await accounts(), 0)
  assert.equal((await claim()).status, 200, 'and the owner still can')
})

test('an account that a command or a sign-up makes closes it; a weak password does not use it up', async () => {
  const { asks, claim, isOffered, context, code } = await emptyService()
  const weak = await asks({ body: { code, email: EMAIL, password: 'short' } })
  assert.equal(weak.status, 400)
  assert.equal(await isOffered(), true)
  await createAccountWithKey(context.db, { email: 'made@example.org', micros: 0n })
  assert.equal(await isOffered(), false)
  assert.equal((await claim()).status, 404)
})

test('FIRST_RUN=false, another address to listen on, a public name and trusted proxies switch it off', async () => {
  const settings: [Record<string, string>, boolean][] = [
    [{}, true],
    [{ PORT: '0' }, true],
    [{ HOST: '::1' }, true],
    [{ PUBLIC_URL: 'http://127.0.0.1:8080' }, true],
    [{ FIRST_RUN: 'false' }, false],
    [{ HOST: '0.0.0.0' }, false],
    [{ HOST: '::' }, false],
    [{ PUBLIC_URL: 'https://transcripts.example.org' }, false],
    [{ PUBLIC_URL: 'http://localhost.example.org' }, false],
    [{ TRUSTED_PROXIES: '127.0.0.1' }, false],
    [{ ROLES: 'worker' }, false],
  ]
  for (const [env, mayBe] of settings)
    assert.equal(mayOfferFirstRun(readConfig(env)), mayBe, JSON.stringify(env))
  const { asks, isOffered } = await emptyService({ FIRST_RUN: 'false' })
  assert.equal(await isOffered(), false)
  assert.equal((await asks({ body: { code: 'x', email: EMAIL, password: PASSWORD } })).status, 404)
})

test('what is printed for people names the site, the way to an account and the mails, and no secret in a file', async () => {
  const { context, origin, code } = await emptyService()
  const lines = await greeting(context, origin)
  assert.match(lines, new RegExp(`^\\n {2}Website +${origin}\\n`))
  assert.match(lines, /Accounts +none yet; npm run --silent admin -- account create/)
  assert.ok(lines.includes(context.config.MAIL_DIR))
  assert.ok(!lines.includes(code), 'standard error is no terminal here')
})
