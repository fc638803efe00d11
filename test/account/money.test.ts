/**
 * Money on the website's pages: statement, top-ups and invoices, what jobs cost, and keys that spend no more than they
 * may.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testService } from '../support/service.ts'
import { startStripeStandIn } from '../support/stripe-stand-in.ts'
import { startMailBox } from './mail-box.ts'
import { membersOf, visitorsOf } from './visitor.ts'

const mailBox = await startMailBox({ after })
const stripe = await startStripeStandIn()
const SENDER = {
  OPERATOR_NAME: 'Example Press',
  OPERATOR_ADDRESS: '1 Main Street | 12345 Town',
  OPERATOR_TAX_ID: 'VAT ID XX123',
}
const running = await testService(
  { after },
  {
    env: { ...mailBox.env, ...stripe.env, WELCOME_CREDIT_USD: '1', ...SENDER },
  },
)
stripe.webhookUrl = `${running.address}/webhooks/stripe`
after(() => stripe.close())
const { origin } = visitorsOf(running)
const { address } = running

const member = membersOf(running, mailBox)

/** Returns a table of cells without commas as spreadsheets have it that expect semicolons. */
const withSemicolons = (csv: string): string =>
  csv.replaceAll(',', ';').replace(/(?<=^|;)(-?\d+)\.(\d+)(?=;|\r)/gm, '$1,$2')

function calls(key: string, path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${address}/api/v1${path}`, {
    ...init,
    headers: {
      ...(init.headers as Record<string, string> | undefined),
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
    },
  })
}

test('balance and statement tell the same money as the API, line by line', async () => {
  const one = await member('money@example.org')
  const { bearer } = (await one.asks('POST', '/account/bearer')).body
  const started = (await (
    await calls(bearer, '/jobs', {
      method: 'POST',
      body: JSON.stringify({ urls: '@smallworkshop', maxVideos: 3 }),
    })
  ).json()) as any
  const ended = (await (await calls(bearer, `/jobs/${started.id}?wait=60`)).json()) as any
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

  const { total, movements } = await one.gets('/account/movements')
  assert.equal(total, 2)
  assert.deepEqual(
    movements.map(({ entries, ...movement }: any) => [
      movement,
      entries.map(({ kind }: any) => kind),
    ]),
    [
      [
        {
          jobId: started.id,
          title: 'Small Workshop',
          batch: null,
          change: '-0.024',
          held: '0.000',
          balance,
        },
        ['reserve', 'charge'],
      ],
      [
        { jobId: null, title: null, batch: null, change: '1.000', held: '0.000', balance: '1.000' },
        ['top_up'],
      ],
    ],
  )

  const csv = await one.asks('GET', '/account/statement.csv')
  const semicolons = await one.asks('GET', '/account/statement.csv?separator=semicolon')
  assert.equal(semicolons.text, withSemicolons(csv.text))
  assert.match(csv.headers.get('content-disposition') ?? '', /attachment/)
  assert.equal(csv.text.trimEnd().split('\r\n').length, 4)
})

test('a top-up is offered, paid at the payment service and credited', async () => {
  const one = await member('payer@example.org')
  const { amounts } = await one.gets('/account/top-up')
  assert.ok(amounts.length > 0)
  assert.equal((await one.asks('POST', '/account/top-up', { amountUsd: '0.01' })).status, 400)
  const { body } = await one.asks('POST', '/account/top-up', { amountUsd: amounts[0] })
  const checkout = [...stripe.checkouts.values()].at(-1)!
  assert.ok(body.url.startsWith(stripe.origin))
  assert.equal(checkout.successUrl, `${origin}/money?paid={CHECKOUT_SESSION_ID}`)
  const booked = `/account/top-up/${checkout.id}`
  assert.deepEqual(await one.gets(booked), { amount: null })
  await stripe.pay(checkout.id)
  assert.deepEqual(await one.gets(booked), { amount: amounts[0] })
  assert.equal(Number((await one.gets('/account/balance')).available), 1 + Number(amounts[0]))

  const { invoices } = await one.gets('/account/invoices')
  assert.deepEqual(
    invoices.map(({ amount, returned, number }: any) => [amount, returned, number.slice(-5)]),
    [[amounts[0], null, '-0001']],
    'the welcome credit is no payment',
  )
  assert.match(invoices[0].number, /^[0-9A-F]{12}-/, 'no series of two accounts is the same')
  const path = `/account/invoices/${invoices[0].number}.pdf`
  const pdf = await one.asks('GET', path)
  assert.deepEqual(
    [pdf.status, pdf.headers.get('content-type'), pdf.text.slice(0, 5)],
    [200, 'application/pdf', '%PDF-'],
  )
  const other = await member('no-payer@example.org')
  assert.equal((await other.asks('GET', path)).status, 404)
  assert.deepEqual(await other.gets(booked), { amount: null })

  const { paymentIntent } = checkout
  await stripe.tell('refund', { id: 're_1', paymentIntent, cents: 300, status: 'succeeded' })
  const [refunded] = (await one.gets('/account/invoices')).invoices
  assert.equal(refunded.returned, '3.000', 'a payment that went back does not read as paid')
})

test('a job is one line of money, by month and by who started it, with a receipt and a line of CSV', async () => {
  const one = await member('books@example.org')
  const { apiKey, keyId } = (await one.asks('POST', '/account/keys', { name: '=shop' })).body
  const { bearer } = (await one.asks('POST', '/account/bearer')).body
  const ids: string[] = []
  for (const [key, urls] of [
    [apiKey, '@smallworkshop'],
    [bearer, '@dailynotes'],
  ]) {
    const body = JSON.stringify({ urls, maxVideos: 2 })
    const headers = { Prefer: 'wait=60' }
    const job = (await (await calls(key, '/jobs', { method: 'POST', body, headers })).json()) as any
    ids.unshift(job.id)
    assert.equal(job.state, 'finished')
  }
  const month = new Date().toISOString().slice(0, 7)
  const all = await one.gets(`/account/spending?month=${month}`)
  assert.deepEqual(
    all.jobs.map((job: any) => [job.id, job.title, job.charged, job.spender.name]),
    [
      [ids[0], 'Daily Notes', '0.016', null],
      [ids[1], 'Small Workshop', '0.016', '=shop'],
    ],
  )
  assert.deepEqual([all.total, all.charged, all.transcripts], [2, '0.032', 4])
  assert.equal(all.days.at(-1).charged, '0.032')
  assert.deepEqual(
    all.spenders.map(({ id }: any) => id),
    ['website', keyId],
  )
  const usage = await one.gets('/account/usage')
  assert.deepEqual(
    usage.rows.map(({ spender, ...row }: any) => [spender.id, row]),
    [keyId, 'website']
      .toSorted()
      .map((id) => [id, { month, jobs: 1, transcripts: 2, charged: '0.016' }]),
  )
  const usageCsv = (await one.asks('GET', '/account/usage.csv')).text
  assert.match(usageCsv, /^Month \(UTC\),Started by,Jobs,Transcripts,Amount \(USD\)\r\n/)
  assert.ok(usageCsv.includes(`${month},'=shop,1,2,0.016\r\n`))
  const semicolons = await one.asks('GET', '/account/usage.csv?separator=semicolon')
  assert.equal(semicolons.text, withSemicolons(usageCsv))
  const byKey = await one.gets(`/account/spending?spender=${keyId}`)
  assert.deepEqual([byKey.total, byKey.charged, byKey.days.length], [1, '0.016', 1])
  assert.equal((await one.gets('/account/spending?month=2020-01')).total, 0)

  const csv = await one.asks('GET', `/account/spending.csv?month=${month}&spender=${keyId}`)
  assert.deepEqual(csv.text.split('\r\n').slice(0, 2), [
    'Date (UTC),Description,Transcripts,Price each (USD),Amount (USD),Started by,Job',
    `${all.jobs[1].chargedAt.slice(0, 10)},Transcripts of @smallworkshop,2,0.008,0.016,'=shop,${ids[1]}`,
  ])
  const asked = `/account/spending.csv?month=${month}&spender=${keyId}&separator=semicolon`
  assert.equal((await one.asks('GET', asked)).text, withSemicolons(csv.text))
})

test('a key spends no more than its monthly cap, and does only what it may', async () => {
  const one = await member('capped@example.org')
  const limits = { scopes: ['jobs:write'], monthlyCap: '0.016' }
  const made = await one.asks('POST', '/account/keys', { name: 'capped', ...limits })
  const order = (urls: string) =>
    calls(made.body.apiKey, '/jobs', {
      method: 'POST',
      body: JSON.stringify({ urls }),
      headers: { Prefer: 'wait=60' },
    })
  const job = (await (await order('@smallworkshop')).json()) as any
  assert.equal(job.input.maxVideos, 2)
  assert.match(job.notices.join(' '), /monthly limit of this key covers 2/)
  const refused = (await (await order('@dailynotes')).json()) as any
  assert.deepEqual(refused.error.code, 'insufficient_balance')
  assert.match(refused.error.message, /This key has \$0\.00 of its monthly limit left/)

  const reading = await calls(made.body.apiKey, '/balance')
  assert.equal(reading.status, 403)
  assert.match(await reading.text(), /lacks the scope account:read/)
  const [key] = (await one.gets('/account/keys')).keys
  assert.deepEqual(
    [key.scopes, key.monthlyCap, key.spentThisMonth],
    [['jobs:write'], '0.016', '0.016'],
  )
  for (const wrong of [{ monthlyCap: '-1' }, { scopes: [] }, { scopes: ['everything'] }])
    assert.equal((await one.asks('POST', '/account/keys', { name: 'x', ...wrong })).status, 400)
})

test('a key with a monthly cap may do everything but what spends beside it', async () => {
  const one = await member('beside@example.org')
  const key = async (limits: object) =>
    (await one.asks('POST', '/account/keys', { name: 'any', ...limits })).body.apiKey
  const [whole, capped] = [await key({}), await key({ monthlyCap: '0.5' })]
  const follows = { method: 'POST', body: JSON.stringify({ url: '@dailynotes', monthlyCap: '5' }) }
  assert.equal((await calls(capped, '/balance')).status, 200)
  const refused = await calls(capped, '/subscriptions', follows)
  assert.deepEqual([refused.status, /restricted/.test(await refused.text())], [403, true])
  assert.equal((await calls(whole, '/subscriptions', follows)).status, 201)
})
