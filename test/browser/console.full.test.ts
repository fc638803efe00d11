/** The operator's console and the status page in a real browser: which visitors are let in, and what is done there. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { recordService } from '../../src/features/operator/service.ts'
import { adminOn } from '../admin/admin-command.ts'
import { until } from '../support/until.ts'
import {
  boxAtRest,
  isTooWide,
  noBrowser,
  openWindow,
  type Page,
  PHONE,
  picture,
  seriousFaults,
  signUpInBrowser,
  startSite,
} from './site.ts'

const skip = noBrowser
const site = noBrowser === false ? await startSite({ after }) : null
const PARTS = ['Accounts', 'Jobs', 'Checks', 'Deliveries', 'Storage', 'Settings', 'Log']

/** Asserts that a page fits a narrow screen and has no serious fault of accessibility. */
async function isSound(page: Page, name: string): Promise<void> {
  assert.deepEqual(await seriousFaults(page), [], name)
  assert.equal(await isTooWide(page), false, `${name} is too wide`)
  await picture(page, `console-${name.toLowerCase()}`)
}

/** Records a hundred and seventeen answers over the day, more and more of them without captions. */
async function answersOfADay(): Promise<void> {
  const { pool } = site!.database
  const hours = [
    { ago: 9, all: 40, missing: 2 },
    { ago: 5, all: 47, missing: 11 },
    { ago: 0, all: 30, missing: 18 },
  ]
  for (const { ago, all, missing } of hours)
    await pool.query(
      `insert into verdict_hour (hour, part, verdict, answers)
      select date_trunc('hour', now(), 'UTC') - make_interval(hours => $1), 'captions all', verdict, answers
      from unnest($2::text[], $3::bigint[]) as a (verdict, answers)`,
      [ago, ['', 'no_captions'], [all, missing]],
    )
}

/** Sets up the second factor, which opens the console. */
async function provesFactor(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Set up an app' }).click()
  const secret = await page.getByTestId('factor-secret').innerText()
  await isSound(page, 'Factor')
  const codes = new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) })
  await page.getByLabel('Code').fill(codes.generate())
  await page.getByRole('button', { name: 'Open the console' }).click()
}

test(
  'an operator sets up a second factor, gives credit, suspends, verifies and reads the log; to others there is no such page',
  { skip },
  async (t) => {
    const { value } = adminOn(site!.database.url)
    const { context, page, complaints } = await openWindow(site!.browser)
    t.after(() => context.close())
    const { accountId } = await site!.customer('1')
    await signUpInBrowser(site!, page, 'ops@example.org')
    await page.goto(`${site!.origin}/operator`)
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    assert.equal(complaints.splice(0).filter((text) => !text.includes('404')).length, 0)

    await value('operator', 'grant', '--email', 'ops@example.org')
    await page.reload()
    await answersOfADay()
    await provesFactor(page)
    await page.getByRole('heading', { name: 'Videos of the last 24 hours' }).waitFor()
    const shares = page.getByRole('img', { name: /^no captions, captions all, by hour: / })
    await shares.waitFor()
    assert.match(
      (await shares.getAttribute('aria-label')) ?? '',
      /\d\d:00 5\.0 %.*\d\d:00 60\.0 %$/,
    )
    await page.getByRole('row', { name: /captions all no captions 31 26\.5 %/ }).waitFor()
    await isSound(page, 'Health')
    await page.emulateMedia({ colorScheme: 'dark' })
    await isSound(page, 'Health-dark')
    await page.emulateMedia({ colorScheme: 'light' })

    for (const part of PARTS) {
      await page.getByLabel('Console').getByRole('link', { name: part }).click()
      await page.getByRole('heading', { name: part, level: 1 }).waitFor()
    }
    await page.getByLabel('Console').getByRole('link', { name: 'Settings' }).click()
    const setting = page.getByRole('row', { name: /^STRIPE_SECRET_KEY/ })
    await setting.getByText('set, hidden').waitFor()

    await page.goto(`${site!.origin}/operator/accounts?id=${accountId}`)
    const suspend = page.getByRole('button', { name: 'Suspend…' })
    const { height } = (await suspend.boundingBox())!
    await page.getByRole('button', { name: 'Add credit…' }).click()
    assert.equal((await suspend.boundingBox())!.height, height, 'no form stretches its neighbour')
    await until('its form has the focus', () =>
      page.evaluate<boolean>(`document.activeElement?.closest('form') != null`),
    )
    await page.getByLabel('USD').fill('2.50')
    await page.getByLabel('Reason, for the log').fill('the outage of Monday')
    await page.getByRole('button', { name: 'Add credit', exact: true }).click()
    await page.getByText('$3.50', { exact: true }).waitFor()
    await suspend.click()
    await page.getByLabel('Reason, for the log').fill('a stolen card')
    await page.getByRole('button', { name: 'Suspend', exact: true }).click()
    await page.getByRole('button', { name: 'Resume…' }).waitFor()
    await isSound(page, 'Account')

    await page.goto(`${site!.origin}/operator/checks`)
    await page.getByRole('button', { name: 'Verify the ledger' }).click()
    await page.getByText('all sums, chains, charges and rows agree').waitFor()
    await page.setViewportSize(PHONE)
    await page.getByLabel('Console').getByRole('link', { name: 'Log' }).click()
    await page
      .getByRole('row', { name: 'the outage of Monday' })
      .getByText('$2.50')
      .first()
      .waitFor()
    await isSound(page, 'Log')
    await page.reload()
    const { x, width } = await boxAtRest(
      page.getByRole('main').getByRole('link', { name: 'Log', exact: true }),
    )
    assert.ok(x + width <= PHONE.width, 'the open tab is in view')
    assert.deepEqual(complaints, [])
  },
)

test(
  'a table of the console has names and figures that are compared, and folds a report of many lines',
  { skip },
  async (t) => {
    const { context, page, complaints } = await openWindow(site!.browser)
    t.after(() => context.close())
    const who = await site!.customer('1')
    await who.waitsFor(await who.startsJob({ urls: ['@smallworkshop', '@warsha'], maxVideos: 4 }))
    await signUpInBrowser(site!, page, 'tables@example.org')
    await adminOn(site!.database.url).value('operator', 'grant', '--email', 'tables@example.org')
    await page.goto(`${site!.origin}/operator/jobs`)
    await provesFactor(page)
    const row = page.getByRole('row', { name: /^Small Workshop and 1 more / })
    await row.getByText('4 of 4', { exact: true }).waitFor()
    const charged = row.getByRole('cell').last()
    assert.equal(await charged.innerText(), '$0.032')
    assert.equal(
      await charged.evaluate(
        (cell: any) => cell.ownerDocument.defaultView.getComputedStyle(cell).textAlign,
      ),
      'right',
    )
    await page.goto(`${site!.origin}/operator/accounts`)
    await page
      .getByRole('img', { name: /\$0\.032 for 4 transcripts in 30 days/ })
      .first()
      .waitFor()

    await page.goto(`${site!.origin}/operator/checks`)
    await page.getByRole('button', { name: 'Run the doctor' }).click()
    await page.getByText(/^healthy/).waitFor()
    await page.getByLabel('Console').getByRole('link', { name: 'Log' }).click()
    const report = page.getByText('healthy', { exact: true }).last()
    await report.waitFor()
    const lines = page.locator('details pre').last()
    assert.equal(await lines.isVisible(), false)
    await report.click()
    assert.ok((await lines.innerText()).includes('\n'), 'its lines are kept')
    assert.deepEqual(complaints, [])
  },
)

test('anybody sees how the service did, and nobody of whom', { skip }, async (t) => {
  await recordService(site!.database.db, { routes: [], isPlatformChanged: true })
  const { context, page, complaints } = await openWindow(site!.browser)
  t.after(() => context.close())
  await page.goto(`${site!.origin}/status`)
  await page.getByText('The platform changed its answers.').waitFor()
  await isSound(page, 'Status')
  assert.deepEqual(complaints, [])
})
