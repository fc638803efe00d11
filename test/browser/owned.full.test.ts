/** One link more: what the account owns is told before the order, left out by default, and opens from the new job. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
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
const CHANNEL = 'https://www.youtube.com/@smallworkshop'

test('a list with one link more costs one transcript, and says so', { skip }, async (t) => {
  const { context, page, complaints } = await openWindow(site!.browser)
  t.after(() => context.close())
  await signUpInBrowser(site!, page, 'one-more@example.org')
  await runJobOnPage(site!, page, CHANNEL)
  const first = page.url()
  const { world } = site!.platform
  const other = uploadsOf(world, world.channel('medium')).find(({ status }) => status === 'success')
  const videoId = other!.videoId

  await page.goto(`${site!.origin}/new`)
  const box = page.getByLabel('What do you want to read?')
  await box.fill(`${CHANNEL}\n${videoId}`)
  const lines = page.getByRole('list', { name: 'Recognised lines' })
  await lines.getByText(/^\d+ of 24 you already have, free; \d+ to fetch/).waitFor()
  await lines.getByText('New', { exact: true }).waitFor()
  assert.equal(
    await lines.getByRole('link', { name: /^order of / }).getAttribute('href'),
    new URL(first).pathname,
  )
  const choice = page.getByRole('group', { name: 'What you already have' })
  assert.ok(await choice.getByLabel('Only what is new').isChecked())
  await choice.getByText(/charged again, for up to \$0\.\d+\./).waitFor()
  await picture(page, 'owned-light')

  await choice.getByLabel('As a new order').check()
  await choice.getByText(/charged again: \$0\.\d+ of the price above/).waitFor()
  await lines.getByText(/^\d+ of 24 you already have; 24 to fetch/).waitFor()
  assert.deepEqual(await seriousFaults(page), [])
  await page.setViewportSize(PHONE)
  await picture(page, 'owned-phone')

  await choice.getByLabel('Only what is new').check()
  await lines.getByText(/^\d+ of 24 you already have, free/).waitFor()
  await page.getByRole('button', { name: 'Start the job' }).click()
  await page.waitForURL(/\/jobs\/[\w-]+$/)
  await page.getByRole('button', { name: 'Run again' }).waitFor({ timeout: 60_000 })
  await page.getByText('Charged $0.008').waitFor()
  const second = page.url()
  await page.getByLabel('Show').selectOption('unchanged')
  await page.getByRole('table', { name: 'Videos' }).getByRole('link').first().click()
  await page.getByRole('button', { name: 'Copy the text' }).waitFor()
  assert.ok(page.url().startsWith(first) && !page.url().startsWith(second))
  assert.deepEqual(complaints, [])
})

test('a video that is ordered in one of its languages is not bought twice', { skip }, async (t) => {
  const { context, page, complaints } = await openWindow(site!.browser)
  t.after(() => context.close())
  await signUpInBrowser(site!, page, 'one-language@example.org')
  const { videoId } = site!.platform.world.special('no-original')
  const first = await runJobOnPage(site!, page, videoId)
  await page.goto(`${site!.origin}/new`)
  await page.getByLabel('What do you want to read?').fill(`${videoId}\n${CHANNEL}`)
  await page.getByLabel('Maximum number of videos').fill('1')
  await page.getByLabel('Language').selectOption('English')
  await page.getByRole('button', { name: 'Start the job' }).click()
  await page.getByText('Charged $0.008').waitFor()

  await page.goto(`${site!.origin}/jobs/${first}/1`)
  await page.getByRole('button', { name: 'Order in English · $0.008' }).click()
  await page.getByRole('button', { name: 'Order it · $0.008' }).click()
  await page.getByText('1 delivered before').waitFor()
  await page.getByText('Charged $0.00').first().waitFor()
  assert.deepEqual(complaints, [])
})
