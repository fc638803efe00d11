/** What comes by plain http to a service of https: refused at every door, and the owner of a key told once. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { closeConnections, exchange, type Json } from '../../tools/conformance/http.ts'
import { OF_PAYMENTS } from '../attack/attacks/stripe-stories.ts'
import { collectRoutes, type Schema } from '../attack/declared-fields.ts'
import { fillBuckets } from '../support/rate-limits.ts'
import { testService } from '../support/service.ts'
import { startMailBox } from './mail-box.ts'

const PUBLIC_URL = 'https://transcripts.test'
const routes = collectRoutes()
after(closeConnections)
const box = await startMailBox({ after })
const { customer, database, address, another } = await testService(
  { after },
  { env: { PUBLIC_URL, ...OF_PAYMENTS, ...box.env } },
)
const by = (protocol: string) => ({ headers: { 'X-Forwarded-Proto': protocol } })

test('it is refused before anything is done, and its owner is told once, by mail and in the list of keys', async () => {
  const buyer = await customer()
  const email = 'customer-1@example.org'
  const body = { urls: '@dailynotes', maxVideos: 1 }
  const refused = await buyer.asks('POST', '/jobs', { body, ...by('http') })
  assert.deepEqual([refused.status, refused.body['error'].code], [403, 'unauthorized'])
  assert.match(refused.body['error'].message, /plain http.*Replace it.*https:\/\/transcripts\.test/)
  assert.ok(refused.headers.has('x-ratelimit-remaining'), 'as on every answer to a valid key')
  const mcp = await buyer.asks('POST', buyer.base.replace('/api/v1', '/mcp'), {
    body: {},
    ...by('http'),
  })
  assert.equal(mcp.status, 403)

  const mail = await box.newestTo(email)
  assert.match(mail.subject, /A key of your Scriptorium account was sent without encryption/)
  assert.ok(mail.text.trim().endsWith(`\n${PUBLIC_URL}/settings/keys`))
  assert.ok(!mail.text.includes(buyer.apiKey), 'no secret is mailed')
  const { rows } = await database.pool.query(
    'select sent_in_clear_at is not null as told from api_key where account_id = $1',
    [buyer.accountId],
  )
  assert.deepEqual(rows, [{ told: true }])

  const [jobs, balance] = [
    await buyer.gets('/jobs'),
    await buyer.asks('GET', '/balance', by('https')),
  ]
  assert.deepEqual(
    [jobs['total'], balance.status],
    [0, 200],
    'by https it works, and nothing was started',
  )
  await buyer.asks('GET', '/balance', by('https, http'))
  await box.newestTo(email)
  assert.equal(box.mails.filter(({ to }) => to === email).length, 1)
})

/** What proxies write; src/kit/http/plain-http.test.ts has all of it. */
const SAID: Record<string, string>[] = [
  { 'x-forwarded-proto': 'http' },
  { 'x-forwarded-proto': 'HTTP' },
  { 'x-forwarded-proto': 'http,' },
  { 'x-forwarded-proto': 'https', forwarded: 'for=192.0.2.60;proto=http' },
  { 'x-forwarded-ssl': 'off' },
]
/** Routes that change something and are open to all, since nothing that comes with them is secret. */
const OPEN = ['POST /trial', 'POST /webhooks/stripe']
const SECRET = /password|token|secret|code|grant|assertion/i
const PARTS: Record<string, string> = { ':file': 'zip', ':index': '1' }

/** Asks every route by plain http, one by one, and returns the answers. */
async function askEverywhere(headers: Record<string, string>) {
  const answers: { where: string; schema: Schema; status: number; body: Json }[] = []
  for (const { method, url, schema } of routes.values()) {
    if (answers.length % 20 === 0) await fillBuckets(database.pool)
    const hasBody = method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS'
    const { status, body: answer } = await exchange({
      method,
      url: address + url.replaceAll(/:\w+/g, (name) => PARTS[name] ?? 'x'),
      headers: {
        origin: PUBLIC_URL,
        ...SAID[answers.length % SAID.length],
        ...(hasBody ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      body: hasBody ? '{}' : undefined,
    })
    const { body, form, querystring } = schema as Record<string, Schema>
    const properties = { ...body?.properties, ...form?.properties, ...querystring?.properties }
    answers.push({ where: `${method} ${url}`, schema: { properties }, status, body: answer })
  }
  return answers
}

/** Whether an answer is the refusal, in the form of its door. */
function isRefusal(where: string, { status, body }: { status: number; body: Json }): boolean {
  if (status !== 403 || where.startsWith('HEAD ')) return status === 403
  const { error, error_description: description } = body
  const isOfOAuth = / \/(?:oauth|\.well-known\/oauth-)/.test(where)
  assert.equal(typeof error, isOfOAuth ? 'string' : 'object', `${where}: ${JSON.stringify(body)}`)
  return /plain http/.test(isOfOAuth ? description : error.message)
}

test('every route refuses a key that came by plain http, and its owner is told once', async () => {
  const buyer = await customer()
  const authorization = `Bearer ${buyer.apiKey}`
  const answers = await askEverywhere({ authorization })
  assert.ok(answers.length > 150, `${answers.length} routes were asked`)
  const passed = answers.filter(({ where, ...answer }) => !isRefusal(where, answer))
  assert.deepEqual(
    passed.map(({ where, status }) => `${where}: ${status}`),
    [],
  )
  for (const path of ['/api/v1/balance', '/mcp', '/oauth/token', '/nothing', '/%61pi/v1/balance']) {
    const headers = { authorization, ...SAID[0] }
    const preflight = await exchange({ method: 'OPTIONS', url: address + path, headers })
    assert.equal(preflight.status, 403, `OPTIONS ${path}`)
  }
  const email = 'customer-2@example.org'
  await box.newestTo(email)
  assert.equal(box.mails.filter(({ to }) => to === email).length, 1)
})

test('without a key, every route that changes something or reads a cookie or a code refuses', async () => {
  const answers = await askEverywhere({})
  const open = answers.filter(({ where, ...answer }) => !isRefusal(where, answer))
  const odd = open.filter(({ where, schema }) => {
    const [method = '', path = ''] = where.split(' ')
    const isDocument = /^(?:GET|HEAD)$/.test(method) && !/^\/(?:account|oauth)\//.test(path)
    const names = Object.keys(schema.properties ?? {}).filter((name) => SECRET.test(name))
    return names.length > 0 || (!isDocument && method !== 'OPTIONS' && !OPEN.includes(where))
  })
  assert.deepEqual(
    odd.map(({ where, status }) => `${where}: ${status}`),
    [],
  )
  for (const path of ['/nothing', '/account/nothing', '/%6fauth/token', '/%6Dcp']) {
    const headers = { origin: PUBLIC_URL, ...SAID[0] }
    const { status } = await exchange({ method: 'POST', url: address + path, headers })
    assert.equal(status, 403, path)
  }
  for (const where of [...OPEN, 'GET /healthz', 'GET /', 'GET /api/v1/openapi.json'])
    assert.ok(
      open.some((one) => one.where === where),
      where,
    )
})

test('by https, and to a service that is reached by plain http, every door is as it was', async () => {
  for (const path of ['/oauth/token', '/account/auth/sign-in/email', '/mcp']) {
    const headers = { origin: PUBLIC_URL, 'x-forwarded-proto': 'https', forwarded: 'proto=https' }
    const { status } = await exchange({ method: 'POST', url: address + path, headers })
    assert.notEqual(status, 403, path)
  }
  const { address: local } = await another({ PUBLIC_URL: 'http://localhost:8080', ROLES: 'api' })
  const { apiKey } = await customer()
  const headers = { authorization: `Bearer ${apiKey}`, ...SAID[0] }
  const url = `${local}/api/v1/balance`
  assert.equal((await exchange({ method: 'GET', url, headers })).status, 200)
})

test('a key without a request left is refused for how it came, and its owner told', async () => {
  const buyer = await customer('1', { isLimited: true })
  await buyer.gets('/balance')
  await database.pool.query('update rate_bucket set tokens = 0, updated_at = now()')
  await database.pool.query('update api_key set refill = 1e-9')
  assert.equal((await buyer.asks('GET', '/balance')).status, 429)
  const { status, headers } = await buyer.asks('GET', '/balance', by('HTTP'))
  assert.deepEqual([status, headers.get('x-ratelimit-remaining')], [403, '0'])
  await box.newestTo('customer-4@example.org')
})

test('a program in a page may read why its request for a token was refused', async () => {
  const refused = await exchange({
    method: 'POST',
    url: `${address}/oauth/token`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...SAID[0] },
    body: 'grant_type=refresh_token&refresh_token=x&client_id=x',
  })
  assert.equal(refused.headers.get('access-control-allow-origin'), '*')
  assert.equal(refused.body['error'], 'invalid_request')
})
