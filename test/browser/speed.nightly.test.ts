/** How soon the site can be used on a slow phone. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  noBrowser,
  openWindow,
  runJobOnPage,
  SHIFT_MAX,
  shiftOf,
  signUpInBrowser,
  startSite,
  watchShifts,
} from './site.ts'
import { LENIENCY, machineNow, SLOW_PHONE, slowDown, workOf, workWords } from './slow-phone.ts'

const site = noBrowser === false ? await startSite({ after }) : null

test(
  'pages can be used soon on a slow phone, and nothing on them jumps',
  { skip: noBrowser },
  async (t) => {
    const desk = await openWindow(site!.browser)
    await signUpInBrowser(site!, desk.page, 'speed@example.org')
    const jobId = await runJobOnPage(site!, desk.page, '@smallworkshop', 20)
    const storageState = await desk.context.storageState()
    await desk.context.close()
    const pages = [
      { path: '/', heading: /every word of a channel/, usableMs: 3_000, isVisitor: true },
      { path: `/jobs/${jobId}`, heading: 'Small Workshop', usableMs: 4_000 },
      { path: '/jobs', heading: 'Jobs' },
      { path: '/new', heading: 'New job' },
      { path: '/settings/sign-in', heading: 'Account' },
    ]
    t.diagnostic((await machineNow()).line)
    for (const { path, heading, usableMs = null, isVisitor = false } of pages) {
      // A fresh window, with nothing cached.
      const state = isVisitor ? {} : { storageState }
      const { context, page } = await openWindow(site!.browser, { ...SLOW_PHONE.window, ...state })
      await watchShifts(context)
      const devtools = await slowDown(context, page, { hasSlowNetwork: true })
      const begun = performance.now()
      await page.goto(`${site!.origin}${path}`, { waitUntil: 'commit' })
      await page.getByRole('heading', { level: 1, name: heading }).waitFor()
      if (path.startsWith('/jobs/')) await page.getByRole('row').nth(3).waitFor()
      const usable = performance.now() - begun
      await page.waitForLoadState('networkidle')
      const paint = (await page.evaluate(
        `performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0`,
      )) as number
      const { sum, parts } = await shiftOf(page)
      const cpu = workWords(await workOf(devtools))
      const shown = path.replace(jobId, ':id')
      t.diagnostic(
        `${shown}: first paint ${paint.toFixed(0)} ms, usable ${usable.toFixed(0)} ms${usableMs === null ? '' : ` (aim: ${usableMs})`}, shift ${sum.toFixed(3)}, ${cpu} (${SLOW_PHONE.name})`,
      )
      assert.ok(sum < SHIFT_MAX, `${shown} shifts by ${sum}: ${parts.join('; ')}`)
      if (usableMs !== null)
        assert.ok(usable < usableMs * LENIENCY, `${shown} is usable after ${usable} ms`)
      await context.close()
    }
  },
)
