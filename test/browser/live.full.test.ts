/** The page of a running job: what it costs in requests and bytes, and what it does without a connection. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { transact } from '../../src/kit/postgres/database.ts'
import { Customer } from '../../tools/conformance/customer.ts'
import { issueKey } from '../../src/features/accounts/keys.ts'
import { addCredit } from '../../src/features/money/balance.ts'
import { until } from '../support/until.ts'
import {
  type BrowserContext,
  noBrowser,
  openWindow,
  type Page,
  signUpInBrowser,
  startSite,
} from './site.ts'

const VIDEOS = 500
/** Bytes beside the rows: the job, sent again every fifty rows, names and ids of events, and heartbeats. */
const BYTES_BESIDE_MAX = 0.15
/** A job is asked what it is called when its lists are known, when its first videos are, and at its end. */
const TITLE_READS_MAX = 3

const site = noBrowser === false ? await startSite({ after }) : null
const skip = noBrowser

type Request = { path: string; bytes: number }

/** Counts the page's requests to the API, with the bytes of their bodies as they came over the wire. */
async function countRequests(context: BrowserContext, page: Page): Promise<Request[]> {
  const devtools = await context.newCDPSession(page)
  const requests: Request[] = []
  const byId = new Map<string, Request>()
  devtools.on('Network.requestWillBeSent', ({ requestId, request }) => {
    const { pathname } = new URL(request.url)
    if (!pathname.startsWith('/api/v1/')) return
    const one = { path: pathname.slice('/api/v1'.length), bytes: 0 }
    requests.push(one)
    byId.set(requestId, one)
  })
  devtools.on('Network.dataReceived', ({ requestId, dataLength }) => {
    const one = byId.get(requestId)
    if (one !== undefined) one.bytes += dataLength
  })
  await devtools.send('Network.enable')
  return requests
}

async function startOnPage(page: Page, line: string, maxVideos: number): Promise<string> {
  await page.goto(`${site!.origin}/new`)
  await page.getByLabel('What do you want to read?').fill(line)
  await page.getByLabel('Maximum number of videos').fill(String(maxVideos))
  await page.getByRole('button', { name: 'Start the job' }).click()
  await page.waitForURL(/\/jobs\/[\w-]+$/)
  return page.url().split('/').at(-1) ?? ''
}

/** Opens the window of a member with credit for many videos, and a client with a key of theirs. */
async function openMember(email: string) {
  const { db, pool } = site!.database
  const opened = await openWindow(site!.browser)
  await signUpInBrowser(site!, opened.page, email)
  const { rows } = await pool.query<{ id: string }>('select id from account where email = $1', [
    email,
  ])
  const accountId = rows[0]?.id ?? ''
  const apiKey = await transact(db, async (tx) => {
    const grant = { accountId, micros: 10_000_000n, reference: `grant:${email}`, reason: null }
    await addCredit(tx, grant)
    return (await issueKey(tx, { accountId, name: 'to compare' })).apiKey
  })
  return { ...opened, customer: new Customer({ address: site!.address, accountId, apiKey }) }
}

test(
  'a running job of 500 videos costs its page one connection and the bytes of its rows once',
  { skip },
  async (t) => {
    const { context, page, customer, complaints } = await openMember('live@example.org')
    const requests = await countRequests(context, page)
    const jobId = await startOnPage(page, '@endlessarchive', VIDEOS)
    await page.getByRole('row').nth(3).waitFor()
    await page.getByText('Running', { exact: true }).first().waitFor()
    await page.getByText(/^[\d,]+ of [\d,]+ videos$/).waitFor()
    await page.getByRole('button', { name: 'Run again' }).waitFor({ timeout: 60_000 })

    const rows = await customer.readsRows({ id: jobId })
    assert.ok(rows.length >= VIDEOS)
    const count = (await page.getByRole('table').getAttribute('aria-rowcount')) ?? ''
    assert.equal(Number(count), rows.length)
    const first = page.getByRole('row').first().getByRole('cell')
    assert.equal(
      await first.first().innerText(),
      '1',
      'a final job stands in the order of its index',
    )

    const ofJob = requests.filter(({ path }) => path.startsWith(`/jobs/${jobId}`))
    const streams = ofJob.filter(({ path }) => path.endsWith('/events'))
    const others = ofJob.map(({ path }) => path).filter((path) => !path.endsWith('/events'))
    assert.deepEqual(
      others.filter((path) => path !== `/jobs/${jobId}`),
      [],
      'nothing else is asked of the job',
    )
    assert.ok(others.length <= TITLE_READS_MAX, `asked ${others.length} times what it is called`)
    assert.equal(streams.length, 1)
    const bytes = streams[0]?.bytes ?? 0
    const worth = rows
      .map((row) => Buffer.byteLength(JSON.stringify({ ...row, text: null, segments: null })))
      .reduce((sum, one) => sum + one, 0)
    t.diagnostic(`${rows.length} rows of ${worth} bytes came in a stream of ${bytes}`)
    assert.ok(bytes >= worth && bytes <= worth * (1 + BYTES_BESIDE_MAX), `${bytes} for ${worth}`)

    // Rows that arrived as events are shown without a request: under filters, and when the page is opened again.
    await page.getByLabel('Show').selectOption('no_captions')
    const silent = rows.filter(({ status }) => status === 'no_captions').length
    assert.ok(silent > 0)
    await page.locator(`[role=table][aria-rowcount="${silent}"]`).waitFor()
    await page.getByRole('link', { name: 'All jobs' }).click()
    await page
      .getByRole('link', { name: /Endless Archive/ })
      .first()
      .click()
    await page.locator(`[role=table][aria-rowcount="${rows.length}"]`).waitFor()
    assert.equal(requests.filter(({ path }) => path.endsWith('/events')).length, 1)
    assert.deepEqual(complaints, [])
    await context.close()
  },
)

test(
  'a page that loses its connection says so, and goes on behind what it has',
  { skip },
  async () => {
    const { context, page, customer } = await openMember('lost@example.org')
    // The job must not end before the page has lost the connection and has it again.
    site!.platform.apply({ faults: [{ do: 'hang', on: ['player'], after: 12, per: 'all' }] })
    const jobId = await startOnPage(page, '@dailynotes', 60)
    await page.getByRole('row').nth(3).waitFor()
    const behind: string[] = []
    page.on('request', async (request) => {
      if (!request.url().endsWith('/events')) return
      behind.push((await request.allHeaders())['last-event-id'] ?? '')
    })
    // The bearer expires, which ends the stream, and then the server cannot be reached.
    await context.route('**/events', (route) => route.abort())
    await site!.database.pool.query(
      "update api_key set expires_at = now() where kind = 'session' and account_id = $1",
      [customer.accountId],
    )
    await page.getByText(/^Not connected, .*trying again…$/).waitFor()
    await context.unroute('**/events')
    await page.getByText(/^Not connected, .*trying again…$/).waitFor({ state: 'detached' })
    site!.platform.clear()
    await page.getByRole('button', { name: 'Run again' }).waitFor({ timeout: 60_000 })
    const rows = await customer.readsRows({ id: jobId })
    await page.locator(`[role=table][aria-rowcount="${rows.length}"]`).waitFor()
    assert.ok(behind.length >= 2 && behind.every((id) => Number(id) >= 4), behind.join())
    await context.close()
  },
)

test(
  'an account with as many streams as it may have is still shown how its job goes on',
  { skip },
  async () => {
    const { context, page } = await openMember('refused@example.org')
    await context.route('**/events', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'Retry-After': '5' },
        json: { error: { code: 'rate_limited', message: 'Too many.' } },
      }),
    )
    await startOnPage(page, '@smallworkshop', 5)
    await page.getByText(/^Not connected, .*trying again…$/).waitFor()
    await page.getByRole('button', { name: 'Run again' }).waitFor({ timeout: 30_000 })
    await page.getByRole('row').nth(3).waitFor()
    await context.close()
  },
)

test('a page in the background holds no connection', { skip }, async () => {
  const { context, page, customer } = await openMember('hidden@example.org')
  site!.platform.apply({ faults: [{ do: 'hang', on: ['player'] }] })
  const jobId = await startOnPage(page, '@smallworkshop', 2)
  const streams = async (): Promise<number> =>
    (await site!.service.context.metrics.eventStreams.get()).values[0]?.value ?? 0
  await until('it follows', async () => (await streams()) === 1)
  await page.evaluate(`Object.defineProperty(document, 'visibilityState', { get: () => 'hidden', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))`)
  await until('it has left', async () => (await streams()) === 0)
  await page.evaluate(`delete document.visibilityState
    document.dispatchEvent(new Event('visibilitychange'))`)
  await until('it follows again', async () => (await streams()) === 1)
  await customer.asks('POST', `/jobs/${jobId}/cancel`)
  await page.getByText('Cancelled', { exact: true }).first().waitFor()
  site!.platform.clear()
  await context.close()
})

test('a late answer to "Cancel" does not take back what the stream told', { skip }, async () => {
  const { context, page } = await openMember('overtaken@example.org')
  site!.platform.apply({ faults: [{ do: 'hang', on: ['player'] }] })
  await startOnPage(page, '@smallworkshop', 2)
  await page.getByText('Running', { exact: true }).first().waitFor()
  const cancelled = page.getByText('Cancelled', { exact: true })
  let late = ''
  await context.route('**/cancel', async (route) => {
    const response = await route.fetch()
    const job = (await response.json()) as { state: string; finishedAt: string | null }
    late = job.state
    await cancelled.waitFor()
    // A quick worker has ended the job before it is read: then the answer is replaced by one from before the end.
    await route.fulfill({ response, json: { ...job, state: 'cancelling', finishedAt: null } })
  })
  const answered = page.waitForEvent('requestfinished', (one) => one.url().endsWith('/cancel'))
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Cancel the job' }).click()
  await answered
  assert.match(late, /^cancell(ing|ed)$/)
  await page.evaluate("fetch('/healthz').then((answer) => answer.text())") // the page has read it by then
  assert.ok(await cancelled.isVisible())
  assert.ok(await page.getByRole('button', { name: 'Run again' }).isVisible())
  site!.platform.clear()
  await context.close()
})
