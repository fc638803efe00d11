/** More than a job may have: sixty links, and a whole channel, are one order with one price. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addCredit } from '../../src/features/money/balance.ts'
import { transact } from '../../src/kit/postgres/database.ts'
import { holdAfter } from '../support/held-platform.ts'
import { uploadsOf } from '../repeats/asking-again.ts'
import {
  noBrowser,
  openWindow,
  PHONE,
  picture,
  runJobOnPage,
  seriousFaults,
  signUpInBrowser,
  startSite,
} from './site.ts'

const skip = noBrowser
const site = noBrowser === false ? await startSite({ after }) : null

test(
  'sixty links are one order with one price; it is stopped and continued',
  { skip },
  async (t) => {
    const { context, page, complaints } = await openWindow(site!.browser)
    t.after(() => context.close())
    await signUpInBrowser(site!, page, 'sixty@example.org')
    const { world } = site!.platform
    const uploads = uploadsOf(world, world.channel('medium')).slice(0, 60)
    const texts = uploads.filter(({ status }) => status === 'success').length
    await page.goto(`${site!.origin}/new`)
    const box = page.getByLabel('What do you want to read?')
    await box.fill([...uploads.map(({ videoId }) => videoId), 'nothing of this'].join('\n'))
    await page.getByText('60 links found · 1 line not understood').waitFor()
    await page.getByText('and 10 more, each of which is checked when its turn comes').waitFor()
    await page.getByText('60 transcripts at $0.008').waitFor()
    await page.getByText('$0.48', { exact: true }).first().waitFor()
    await page.setViewportSize(PHONE)
    assert.ok(await page.getByRole('button', { name: 'Start the batch' }).isVisible())
    assert.deepEqual(await seriousFaults(page), [])
    await picture(page, 'batch-new-phone')

    holdAfter(site!.platform, 5)
    t.after(() => site!.platform.clear())
    await page.getByRole('button', { name: 'Start the batch' }).click()
    await page.waitForURL(/\/batches\/batch_\w+$/)
    await page
      .getByText(/^[1-9]\d* transcripts?, part 1 of 2$/)
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stop it' }).click()
    site!.platform.clear()
    await page.getByText('You stopped it.').waitFor()
    const goOn = page.getByRole('button', { name: /^Continue · at most \$/ })
    await goOn.click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Continue/ })
      .click()
    await page.getByText('Finished').first().waitFor({ timeout: 60_000 })
    await page.getByText(`${texts} transcripts`, { exact: true }).first().waitFor()
    assert.deepEqual(await seriousFaults(page), [])
    await picture(page, 'batch-phone')

    await page.getByRole('button', { name: 'Add all to a project' }).click()
    await page.getByLabel('Name of the new project').fill('Sixty texts')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText(`${texts} transcripts added to “Sixty texts”.`).waitFor()

    // One link more: what is owned is told, and left out of the price, unless it is wished again.
    await page.goto(`${site!.origin}/new`)
    await box.fill([...uploads.map(({ videoId }) => videoId), 'dQw4w9WgXcQ'].join('\n'))
    await page.getByText(`${texts} videos of yours are left out, free.`).waitFor()
    const price = page.getByRole('heading', { name: 'Costs at most' }).locator('xpath=..')
    assert.match(await price.innerText(), new RegExp(`${61 - texts} transcripts at \\$0\\.008`))
    await page.getByLabel('As a new order').check()
    await price.getByText('61 transcripts at $0.008').waitFor()
    await picture(page, 'batch-owned-phone')
    assert.deepEqual(complaints, [])
  },
)

test(
  'a channel of 1,200 videos is taken whole, from a new job and from its page',
  { skip },
  async (t) => {
    const { context, page, complaints } = await openWindow(site!.browser)
    t.after(() => context.close())
    await signUpInBrowser(site!, page, 'whole@example.org')
    await page.goto(`${site!.origin}/new?urls=%40dailynotes`)
    await page.getByRole('button', { name: 'Take all 1,200' }).click()
    await page.getByText('$9.60', { exact: true }).first().waitFor()
    assert.ok(await page.getByRole('button', { name: 'Start the batch' }).isVisible())
    await page.goto(`${site!.origin}/new?max=2`)
    await runJobOnPage(site!, page, '@dailynotes', 2)
    await page.goto(`${site!.origin}/library`)
    await page.getByRole('link', { name: 'Daily Notes' }).first().click()
    await page.getByLabel('More', { exact: true }).click()
    await page.getByRole('button', { name: /^Fetch all 1,198 · at most \$9\.584$/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/1,198 videos at most, as jobs one after another/).waitFor()
    await picture(page, 'batch-ask-light')
    await dialog.getByRole('button', { name: 'Not now' }).click()
    assert.deepEqual(complaints, [])
  },
)

test(
  'a batch whose limit ends before its last line says so before and after, and is found again',
  { skip },
  async (t) => {
    const { context, page, complaints } = await openWindow(site!.browser)
    t.after(() => context.close())
    await signUpInBrowser(site!, page, 'limit@example.org')
    await creditFor('limit@example.org')
    await page.goto(`${site!.origin}/new?urls=%40dailynotes%0A%40longformonly`)
    await page.getByLabel('Maximum number of videos').fill('510')
    await page.getByText('1,200 videos; about 510 to fetch').waitFor()
    await page.getByText('60 videos; nothing: the lines before take the maximum').waitFor()
    await page.getByRole('button', { name: 'Start the batch' }).click()
    await page.waitForURL(/\/batches\/batch_\w+$/)
    await page.getByText('Limit reached').first().waitFor({ timeout: 60_000 })
    const lines = page.getByRole('table', { name: 'Lines' })
    await lines.getByRole('row', { name: /Not reached 0 of 60 0/ }).waitFor()
    await lines.getByRole('row', { name: /^Daily Notes 690 left 510 of 1,200 \d+ / }).waitFor()
    await page.getByText(/^\d+ of 1,260 transcripts$/).waitFor()
    await page.getByRole('link', { name: 'Daily Notes, videos 501 to 510' }).waitFor()
    await page.getByRole('button', { name: 'Order 60 · at most $0.48' }).waitFor()
    assert.deepEqual(await seriousFaults(page), [])
    await picture(page, 'batch-limit-light')
    await page.setViewportSize(PHONE)
    await picture(page, 'batch-limit-phone')

    await page.goto(`${site!.origin}/jobs`)
    await page.getByText('· batch of 2 jobs').waitFor()
    assert.equal(await page.getByRole('link', { name: 'Daily Notes and 1 more' }).count(), 1)
    await page.getByRole('button', { name: 'Jobs of Daily Notes and 1 more' }).click()
    await picture(page, 'jobs-batch-phone')
    await page.setViewportSize({ width: 1440, height: 900 })
    assert.deepEqual(await seriousFaults(page), [])
    await picture(page, 'jobs-batch-light')
    await page.getByRole('link', { name: 'Daily Notes, videos 501 to 510' }).click()
    await page.getByText('Job 2 of the batch Daily Notes and 1 more').waitFor()
    await page.goto(`${site!.origin}/billing`)
    await page.getByText('Job 2 of the batch Daily Notes and 1 more').first().waitFor()
    await picture(page, 'billing-batch-light')
    assert.deepEqual(complaints, [])
  },
)

async function creditFor(email: string): Promise<void> {
  const { db, pool } = site!.database
  const { rows } = await pool.query('select id from account where email = $1', [email])
  const grant = { accountId: rows[0].id, micros: 10_000_000n, reference: email, reason: null }
  await transact(db, (tx) => addCredit(tx, grant))
}
