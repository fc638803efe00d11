/** One link more: what the account owns is told before the order, left out by default, and opens from the new job. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { uploadsOf } from '../repeats/asking-again.ts'
import {
  DESK,
  isTooWide,
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
    await page.getByRole('link', { name: /^order of / }).getAttribute('href'),
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
  await page.getByLabel(/captions and source$/).waitFor()
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
  await page.getByText('More options').click()
  await page.getByLabel('Language').selectOption('English')
  await page.getByRole('button', { name: 'Start the job' }).click()
  await page.getByText('Charged $0.008').waitFor()

  await page.goto(`${site!.origin}/jobs/${first}/1`)
  await page.getByRole('link', { name: /^Open English/ }).click()
  await page.getByLabel(/^English.*, captions and source$/).waitFor()
  assert.deepEqual(complaints, [])
})

test('each track beside the text that is read can be ordered, once', { skip }, async (t) => {
  const { context, page, complaints } = await openWindow(site!.browser)
  t.after(() => context.close())
  await signUpInBrowser(site!, page, 'each-track@example.org')
  const { videoId } = site!.platform.world.special('both')
  const url = `https://www.youtube.com/watch?v=${videoId}`
  const reader = `${site!.origin}/jobs/${await runJobOnPage(site!, page, url)}/1`
  const listed = page.getByRole('list', { name: 'Captions of this video' }).getByRole('listitem')
  const opensTracks = async () => {
    await page.goto(reader)
    await page.getByLabel(/captions and source$/).click()
    await listed.nth(1).waitFor()
    assert.deepEqual(await listed.locator('> span').allInnerTexts(), [
      'English · by the creator · shown first on YouTube · this text ✓',
      'English · automatic',
    ])
    assert.equal(await listed.nth(0).getByRole('button').count(), 0)
  }

  await opensTracks()
  await listed.getByRole('button', { name: 'Order in English, automatic · $0.008' }).click()
  const question = page.getByRole('dialog')
  await question.getByText('1 video to fetch, at most $0.008.').waitFor()
  assert.deepEqual(await seriousFaults(page), [])
  await question.getByRole('button', { name: 'Not now' }).click()
  assert.deepEqual(await seriousFaults(page), [])
  await picture(page, 'tracks-light', false)
  await page.setViewportSize(PHONE)
  await picture(page, 'tracks-phone', false)
  assert.equal(await isTooWide(page), false)
  await page.setViewportSize(DESK)
  await listed.getByRole('button').click()
  await question.getByRole('button', { name: 'Order it · at most $0.008' }).click()
  await page.getByText('Charged $0.008').waitFor()
  await page.getByText('English, automatic').waitFor()
  await page.getByText(/· automatic captions/).waitFor()
  const job = new URL(page.url()).pathname

  // Once it is owned, it is opened from there, and the way back is as short.
  await opensTracks()
  assert.equal(await listed.getByRole('button').count(), 0)
  await listed.getByRole('link', { name: 'Open English · automatic' }).click()
  await page.waitForURL(`${site!.origin}${job}/1`)
  await page.getByLabel('English · automatic, captions and source').click()
  await listed.getByRole('link', { name: 'Open English · by the creator' }).click()
  await page.waitForURL(reader)
  assert.deepEqual(complaints, [])
})

test('an order of automatic captions takes them, and so does its repeat', { skip }, async (t) => {
  const { context, page, complaints } = await openWindow(site!.browser)
  t.after(() => context.close())
  await signUpInBrowser(site!, page, 'automatic@example.org')
  const { videoId } = site!.platform.world.special('regions')
  await page.goto(`${site!.origin}/new`)
  await page.getByText('More options').click()
  await page.getByLabel('Captions').selectOption('Automatic')
  await picture(page, 'new-captions')
  await page.reload()
  await page.getByText('More options · automatic captions').waitFor()
  assert.equal(await page.getByLabel('Captions').isVisible(), false)
  await page.getByLabel('What do you want to read?').fill(videoId)
  const asked = page.waitForRequest(/\/api\/v1\/jobs\?/)
  await page.getByRole('button', { name: 'Start the job' }).click()
  assert.match((await asked).url(), /track=asr/)
  await page.getByText('English, automatic').waitFor()
  const repeated = page.waitForRequest(/\/api\/v1\/jobs\?/)
  await page.getByRole('button', { name: 'Run again' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Run again · at most/ })
    .click()
  assert.match((await repeated).url(), /track=asr/)
  await page.getByText('1 delivered before').waitFor()
  assert.deepEqual(complaints, [])
})
