/** The weight of the site: bytes of the first page, requests of a job's page, and ten thousand rows. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import type { Request } from 'playwright-core'
import {
  noBrowser,
  openWindow,
  type Page,
  runJobOnPage,
  SCRIPT_BYTES_MAX,
  signUpInBrowser,
  startSite,
} from './site.ts'

/** Two fonts are 90 KB of it, three pictures of the product 130. */
const LANDING_BYTES_MAX = 240 * 1024
const ROWS = 10_000
const ROWS_IN_PAGE_MAX = 80
const site = noBrowser === false ? await startSite({ after }) : null
const skip = noBrowser

test(
  'signing in needs at most 150 KB of scripts, the first page none and 240 KB in all',
  { skip },
  async (t) => {
    const [landing, signIn] = [await loaded('/'), await loaded('/sign-in')]
    for (const [path, { all, scripts }] of Object.entries({ '/': landing, '/sign-in': signIn }))
      t.diagnostic(
        `${path}: ${kilobytes(all)} in all, ${kilobytes(scripts)} of scripts, compressed`,
      )
    assert.equal(landing.scripts, 0)
    assert.ok(landing.all > 10_000 && landing.all <= LANDING_BYTES_MAX, `${landing.all} bytes`)
    assert.ok(signIn.scripts > 10_000 && signIn.scripts <= SCRIPT_BYTES_MAX)
  },
)

/** Returns the bytes that opening a page transfers. */
async function loaded(path: string): Promise<{ all: number; scripts: number }> {
  const { context, page } = await openWindow(site!.browser)
  const sent = { all: 0, scripts: 0 }
  const counted: Promise<void>[] = []
  const add = async (request: Request): Promise<void> => {
    const { responseBodySize: size } = await request.sizes()
    sent.all += size
    if (request.resourceType() === 'script') sent.scripts += size
  }
  page.on('requestfinished', (request) => counted.push(add(request)))
  await page.goto(`${site!.origin}${path}`, { waitUntil: 'networkidle' })
  await Promise.all(counted)
  await context.close()
  return sent
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KB`
}

test(
  'what a job’s page needs is asked for at once, and not one after the other',
  { skip },
  async () => {
    const desk = await openWindow(site!.browser)
    await signUpInBrowser(site!, desk.page, 'at-once@example.org')
    const jobId = await runJobOnPage(site!, desk.page, '@smallworkshop', 20)
    const storageState = await desk.context.storageState()
    await desk.context.close()
    const { context, page, complaints } = await openWindow(site!.browser, { storageState })
    const isAsked = (address: RegExp) => page.waitForRequest(address)
    // Each answer waits until every request that does not depend on it was sent.
    const hold = async (address: string | RegExp, until: Promise<unknown>): Promise<void> => {
      await page.route(address, async (route) => {
        await until
        await route.continue()
      })
    }
    await hold('**/account/session', isAsked(/\/assets\/job-/))
    await hold(/\/assets\/index-.*\.js$/, isAsked(/\/account\/session/))
    await hold(new RegExp(`/api/v1/jobs/${jobId}$`), isAsked(/\/results\?/))
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto(`${site!.origin}/jobs/${jobId}`)
    await page.getByRole('row').nth(3).waitFor()
    await page.waitForLoadState('networkidle')
    for (const once of ['/account/session', `/api/v1/jobs/${jobId}/results`])
      assert.equal(asked.filter((path) => path === once).length, 1, asked.join('\n'))
    assert.ok(
      !asked.some((path) => path.includes('add-to-project-form')),
      'nor what only a click needs',
    )
    assert.deepEqual(complaints, [])
    await context.close()
  },
)

test('a job of ten thousand rows is as light as a small one', { skip }, async () => {
  const { context, page, complaints } = await openWindow(site!.browser)
  await signUpInBrowser(site!, page, 'many@example.org')
  const jobId = await runJobOnPage(site!, page, '@silentfilms', 5)
  await fillWithRows(jobId)
  await page.goto(`${site!.origin}/jobs/${jobId}`)
  await page.getByRole('row').nth(3).waitFor()
  assert.equal(await page.getByRole('table').getAttribute('aria-rowcount'), String(ROWS))
  assert.ok((await rowsInPage(page)) <= ROWS_IN_PAGE_MAX)

  await page.keyboard.press('End')
  await page.getByText(`Row number ${ROWS}`, { exact: true }).waitFor()
  assert.ok((await rowsInPage(page)) <= ROWS_IN_PAGE_MAX)
  await page.keyboard.press('Home')
  await page.getByLabel('Search titles').fill('number 7777')
  await page.getByText('Row number 7777', { exact: true }).waitFor()
  assert.deepEqual(complaints, [])
  await context.close()
})

function rowsInPage(page: Page): Promise<number> {
  return page.getByRole('row').count()
}

/** Writes rows of a long repeat, all delivered before; a real job would take hours. */
async function fillWithRows(jobId: string): Promise<void> {
  const { db } = site!.database
  await sql`delete from collection_video where job_id = ${jobId}`.execute(db)
  await sql`delete from video_row where job_id = ${jobId}`.execute(db)
  await sql`
    insert into video_row (job_id, index, source, video_id, title, url, channel_name, status, label, done, finished_at)
    select ${jobId}, n, 1, lpad(n::text, 11, 'v'), 'Row number ' || n, 'https://www.youtube.com/watch?v=' || lpad(n::text, 11, 'v'),
      'Silent Films', 'unchanged', 'delivered by an earlier job', n, now() from generate_series(1, ${ROWS}) n
  `.execute(db)
  await sql`
    update job set processed = ${ROWS}, unchanged = ${ROWS}, discovered = ${ROWS}, no_captions = 0, slots_used = 0,
      skipped = 0, truncated = 0 where id = ${jobId}
  `.execute(db)
}
