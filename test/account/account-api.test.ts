/** What the website's pages do with an account: keys, bearers, money, files. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testService } from '../support/service.ts'
import { startStripeStandIn } from '../support/stripe-stand-in.ts'
import { startMailBox } from './mail-box.ts'
import { Visitor, visitorsOf } from './visitor.ts'

const mailBox = await startMailBox({ after })
const stripe = await startStripeStandIn()
const running = await testService(
  { after },
  { env: { ...mailBox.env, ...stripe.env, WELCOME_CREDIT_USD: '1' } },
)
stripe.webhookUrl = `${running.address}/webhooks/stripe`
after(() => stripe.close())
const { origin, visitor } = visitorsOf(running)
const { address } = running

async function member(email: string): Promise<Visitor> {
  const one = visitor()
  await one.signsUp(email)
  assert.equal((await one.opens((await mailBox.newestTo(email)).link ?? '')).status, 200)
  return one
}

function calls(key: string, path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${address}/api/v1${path}`, {
    ...init,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
  })
}

test('a key made on the account page is shown once, works at once and is refused when revoked', async () => {
  const anna = await member('anna@example.org')
  const made = await anna.asks('POST', '/account/keys', { name: ' my program ' })
  assert.equal(made.status, 201)
  assert.match(made.body.apiKey, /^sk_/)
  assert.equal((await calls(made.body.apiKey, '/balance')).status, 200)

  const listed = await anna.asks('GET', '/account/keys')
  const [key] = listed.body.keys
  assert.deepEqual(
    [key.name, key.prefix, key.revokedAt],
    ['my program', made.body.apiKey.slice(0, 11), null],
  )
  assert.notEqual(key.lastUsedAt, null)
  assert.ok(!listed.text.includes(made.body.apiKey))

  assert.equal((await anna.asks('DELETE', `/account/keys/${key.id}`)).status, 200)
  assert.equal((await calls(made.body.apiKey, '/balance')).status, 401)
})

test('nobody revokes or sees a key of another account', async () => {
  const [owner, other] = [await member('owner@example.org'), await member('other@example.org')]
  const { keyId, apiKey } = (await owner.asks('POST', '/account/keys', { name: 'mine' })).body
  assert.equal((await other.asks('DELETE', `/account/keys/${keyId}`)).status, 404)
  assert.deepEqual((await other.gets('/account/keys')).keys, [])
  assert.equal((await calls(apiKey, '/balance')).status, 200)
})

test('a wrong name for a key is refused at its field', async () => {
  const one = await member('names@example.org')
  for (const body of [
    { name: '' },
    { name: '   ' },
    { name: 'x'.repeat(81) },
    {},
    { name: 'ok', kind: 'session' },
  ]) {
    assert.equal((await one.asks('POST', '/account/keys', body)).status, 400, JSON.stringify(body))
  }
})

test('session bearers share one bucket of 600, are never listed, and end with the session', async () => {
  const one = await member('bearer@example.org')
  const { bearer, lifetimeSeconds } = (await one.asks('POST', '/account/bearer')).body
  const second = (await one.asks('POST', '/account/bearer')).body.bearer
  assert.equal(lifetimeSeconds, 900)
  assert.match(bearer, /^ss_/)
  const first = await calls(bearer, '/balance')
  assert.equal(first.headers.get('x-ratelimit-limit'), '600')
  const left = Number(first.headers.get('x-ratelimit-remaining'))
  for (let call = 0; call < 20; call++) await calls(bearer, '/balance')
  const shared = Number((await calls(second, '/balance')).headers.get('x-ratelimit-remaining'))
  assert.ok(shared < left - 10, `${shared} after 21 more calls of both, ${left} before`)
  assert.deepEqual((await one.gets('/account/keys')).keys, [])

  assert.equal((await one.asks('POST', '/account/sign-out', { everywhere: false })).status, 200)
  assert.deepEqual(
    [(await calls(bearer, '/balance')).status, (await calls(second, '/balance')).status],
    [401, 401],
  )
  assert.equal((await one.asks('POST', '/account/bearer')).status, 401)
})

test('balance and statement tell the same money as the API, line by line', async () => {
  const one = await member('money@example.org')
  const { bearer } = (await one.asks('POST', '/account/bearer')).body
  const started = (await (
    await calls(bearer, '/jobs', {
      method: 'POST',
      body: JSON.stringify({ urls: '@smallworkshop', maxVideos: 3 }),
    })
  ).json()) as any
  const ended = (await (await calls(bearer, `/jobs/${started.id}?wait=30`)).json()) as any
  assert.equal(ended.state, 'finished')
  const { balance } = (await (await calls(bearer, '/balance')).json()) as any
  const funds = await one.gets('/account/balance')
  assert.deepEqual([funds.available, funds.held], [balance, '0.000'])

  const page = await one.gets('/account/statement?limit=2')
  assert.deepEqual([page.total, page.entries.length, page.nextOffset], [3, 2, 2])
  assert.deepEqual(
    page.entries.map((entry: any) => [entry.kind, entry.jobId, entry.charged]),
    [
      ['charge', started.id, '0.024'],
      ['reserve', started.id, null],
    ],
  )
  assert.equal(page.entries[0].balance, balance)
  assert.equal((await one.gets('/account/statement?offset=2')).entries[0].reason, 'welcome credit')

  const csv = await one.asks('GET', '/account/statement.csv')
  assert.match(csv.headers.get('content-disposition') ?? '', /attachment/)
  assert.equal(csv.text.trimEnd().split('\r\n').length, 4)
})

test('files come by plain links behind the cookie, the same bytes as with a key', async () => {
  const one = await member('files@example.org')
  const { bearer } = (await one.asks('POST', '/account/bearer')).body
  const started = (await (
    await calls(bearer, '/jobs', {
      method: 'POST',
      body: JSON.stringify({ urls: '@smallworkshop', maxVideos: 3 }),
    })
  ).json()) as any
  await calls(bearer, `/jobs/${started.id}?wait=30`)
  for (const file of ['zip', 'all.txt', 'report.csv', '1.txt', '1.json']) {
    const byCookie = await one.asks('GET', `/account/files/${started.id}/${file}`)
    const byKey = await calls(bearer, `/jobs/${started.id}/files/${file}`)
    assert.deepEqual([byCookie.status, byCookie.text], [byKey.status, await byKey.text()], file)
    assert.match(byCookie.headers.get('content-disposition') ?? '', /^attachment/)
  }
  const stranger = await member('stranger@example.org')
  assert.equal((await stranger.asks('GET', `/account/files/${started.id}/zip`)).status, 404)
  assert.equal((await visitor().asks('GET', `/account/files/${started.id}/zip`)).status, 401)
  assert.equal((await one.asks('GET', `/account/files/${started.id}/passwd`)).status, 404)
})

test('pasted lines are told for what they are', async () => {
  const one = await member('lines@example.org')
  const { body } = await one.asks('POST', '/account/recognise', {
    text: '@small\n\nhttps://youtu.be/jNQXAC9IVRw\nhttps://example.com/\n@small',
  })
  assert.equal(body.lineCount, 4)
  assert.deepEqual(
    body.lines.map((line: any) => line.kind),
    ['channel', 'video', null],
  )
  assert.equal(body.lines[2].about, 'it is a link to another site')
})

test('a top-up is offered, paid at the payment service and credited', async () => {
  const one = await member('payer@example.org')
  const { amounts } = await one.gets('/account/top-up')
  assert.ok(amounts.length > 0)
  assert.equal((await one.asks('POST', '/account/top-up', { amountUsd: '0.01' })).status, 400)
  const { body } = await one.asks('POST', '/account/top-up', { amountUsd: amounts[0] })
  const checkout = [...stripe.checkouts.values()].at(-1)!
  assert.ok(body.url.startsWith(stripe.origin))
  assert.equal(checkout.successUrl, `${origin}/account?paid=yes`)
  await stripe.pay(checkout.id)
  assert.equal(Number((await one.gets('/account/balance')).available), 1 + Number(amounts[0]))
})

test('nothing of the account API is answered without a session', async () => {
  const nobody = visitor()
  for (const path of [
    'keys',
    'balance',
    'statement',
    'statement.csv',
    'top-up',
    'sign-in-methods',
    'files/x/zip',
  ]) {
    assert.equal((await nobody.asks('GET', `/account/${path}`)).status, 401, path)
  }
  for (const path of ['keys', 'bearer', 'recognise', 'top-up', 'sign-out']) {
    assert.equal((await nobody.asks('POST', `/account/${path}`, {})).status, 401, path)
  }
  const document = await (await fetch(`${address}/api/v1/openapi.json`)).text()
  assert.ok(!document.includes('/account'), 'it is no part of the public contract')
})

test('pages are metered by their account, and without a session by the network they come from', async () => {
  const one = await member('busy@example.org')
  const { accountId } = await one.gets('/account/session')
  const { pool } = running.database
  await pool.query(
    `update rate_bucket set tokens = -5, updated_at = clock_timestamp() where id = 'sessions:' || $1`,
    [accountId],
  )
  for (const path of [
    '/account/session',
    '/account/balance',
    '/account/keys',
    '/account/sign-in-methods',
  ]) {
    const { status, headers, body } = await one.asks('GET', path)
    assert.deepEqual(
      [status, body.error.code, headers.get('retry-after')],
      [429, 'rate_limited', '1'],
      path,
    )
  }
  const other = await member('calm@example.org')
  assert.equal(
    (await other.asks('GET', '/account/balance')).status,
    200,
    'another account is not touched',
  )

  const stranger = visitor()
  const answers = await Promise.all(
    Array.from({ length: 200 }, () => stranger.asks('GET', '/account/session')),
  )
  const refused = answers.filter(({ status }) => status === 429)
  assert.ok(refused.length > 20 && refused.length < 120, `${refused.length} of 200 were refused`)
  assert.match(refused[0]!.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  assert.match(refused[0]!.body.error.message, /from your network/)
  assert.equal(
    (await other.asks('GET', '/account/balance')).status,
    200,
    'who is signed in there goes on',
  )
})
