/** How light the site is: what the first page costs, how soon it can be used, and ten thousand rows. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import {
  noBrowser,
  openWindow,
  type Page,
  runJobOnPage,
  signUpInBrowser,
  startSite,
} from './site.ts'

const FIRST_PAGE_JS_BYTES_MAX = 160 * 1024
const ROWS = 10_000
const ROWS_IN_PAGE_MAX = 80
const SLOWDOWN = 4

const site = noBrowser === false ? await startSite({ after }) : null
const skip = noBrowser

test('the first page needs at most 160 KB of scripts, compressed', { skip }, async (t) => {
  for (const path of ['/', '/sign-in']) {
    const { context, page } = await openWindow(site!.browser)
    const sizes: number[] = []
    page.on('requestfinished', async (request) => {
      if (request.resourceType() === 'script') sizes.push((await request.sizes()).responseBodySize)
    })
    await page.goto(`${site!.origin}${path}`, { waitUntil: 'networkidle' })
    const bytes = sizes.reduce((sum, size) => sum + size, 0)
    t.diagnostic(`${path}: ${sizes.length} scripts, ${(bytes / 1024).toFixed(1)} KB compressed`)
    assert.ok(bytes > 10_000 && bytes <= FIRST_PAGE_JS_BYTES_MAX, `${bytes} bytes`)
    await context.close()
  }
})

test('pages can be used soon on a slow machine, and nothing on them jumps', { skip }, async (t) => {
  const { context, page } = await openWindow(site!.browser)
  await signUpInBrowser(site!, page, 'speed@example.org')
  const jobId = await runJobOnPage(site!, page, '@smallworkshop', 20)
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
  await page.addInitScript(`
    window.shift = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value
    }).observe({ type: 'layout-shift', buffered: true })`)
  const figures: [string, string][] = [
    ['/jobs', 'Transcripts'],
    ['/new', 'New job'],
    [`/jobs/${jobId}`, '@smallworkshop'],
    ['/account', 'Account'],
  ]
  for (const [path, heading] of figures) {
    const begun = performance.now()
    await page.goto(`${site!.origin}${path}`)
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
    const usable = performance.now() - begun
    await page.waitForLoadState('networkidle')
    const paint = (await page.evaluate(
      `performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0`,
    )) as number
    const shift = (await page.evaluate('window.shift')) as number
    t.diagnostic(
      `${path.replace(jobId, ':id')}: first paint ${paint.toFixed(0)} ms, usable ${usable.toFixed(0)} ms, shift ${shift.toFixed(3)} (CPU ${SLOWDOWN}x slower)`,
    )
    assert.ok(shift < 0.1, `${path} shifts by ${shift}`)
  }
  await context.close()
})

test('a job of ten thousand rows is as light as a small one', { skip }, async (t) => {
  const { context, page, complaints } = await openWindow(site!.browser)
  await signUpInBrowser(site!, page, 'many@example.org')
  const jobId = await runJobOnPage(site!, page, '@silentfilms', 5)
  await fillWithRows(jobId)
  const begun = performance.now()
  await page.goto(`${site!.origin}/jobs/${jobId}`)
  await page.getByRole('row').nth(3).waitFor()
  t.diagnostic(`10,000 rows: first rows after ${(performance.now() - begun).toFixed(0)} ms`)
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

/** Rows as a long repeat has them: everything had before. Written by hand, for a real job takes hours. */
async function fillWithRows(jobId: string): Promise<void> {
  const { db } = site!.database
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
