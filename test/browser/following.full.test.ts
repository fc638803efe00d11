/** Following on the website: a channel is followed, its new video arrives, and it is paused and followed no longer. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  boxAtRest,
  noBrowser,
  openWindow,
  runJobOnPage,
  signUpInBrowser,
  startSite,
} from './site.ts'

const skip = noBrowser
const site = noBrowser === false ? await startSite({ after }) : null

test('a member follows a channel, and sees how it stands', { skip }, async (t) => {
  const { context, page, complaints } = await openWindow(site!.browser)
  t.after(() => context.close())
  await signUpInBrowser(site!, page, 'follower@example.org')

  await page.getByRole('link', { name: 'Following' }).first().click()
  await page.getByRole('heading', { name: 'Follow a channel or playlist' }).waitFor()
  await page.getByRole('textbox', { name: 'Channel or playlist' }).fill('https://example.org/')
  await page.getByRole('button', { name: 'Follow', exact: true }).click()
  const told = page.getByRole('alert')
  const [error, button] = [
    await boxAtRest(told),
    await boxAtRest(page.getByRole('button', { name: 'Follow', exact: true })),
  ]
  assert.ok(error.y - (button.y + button.height) >= 8, 'the error does not touch the button')
  assert.equal(complaints.splice(0).filter((text) => !text.includes('400')).length, 0)

  // A channel that does not exist is refused by the first look, and nothing is followed.
  await page.getByRole('textbox', { name: 'Channel or playlist' }).fill('@nosuchchannelatall')
  await page.getByRole('button', { name: 'Follow', exact: true }).click()
  await page.getByText('The platform has no such channel or playlist').waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Follow a channel or playlist' }).waitFor()

  await page.getByRole('textbox', { name: 'Channel or playlist' }).fill('@smallworkshop')
  await page.getByLabel('Monthly limit (USD)').fill('0.5')
  await page.getByRole('button', { name: 'Follow', exact: true }).click()
  await page.getByText('Small Workshop').waitFor()
  await page.getByText('$0.00 of $0.50 this month').waitFor()

  await page.getByText('Limit and interval').click()
  const line = page.getByRole('listitem').filter({ hasText: 'Small Workshop' })
  await line.getByLabel('Monthly limit (USD)').fill('1.25')
  await line.getByLabel('Check every (hours)').fill('6')
  await line.getByRole('button', { name: 'Change' }).click()
  await page.getByText('$0.00 of $1.25 this month').waitFor()
  await page.getByText('· every 6 hours, checked today').waitFor()

  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByText('Paused').waitFor()
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.getByText('Active ·').waitFor()
  await page.getByRole('button', { name: 'Unfollow' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Unfollow' }).click()
  await line.waitFor({ state: 'detached' })

  // A channel's own page offers to follow it, until it is followed.
  const jobId = await runJobOnPage(site!, page, '@smallworkshop', 1)
  await page.goto(`${site!.origin}/library`)
  await page.getByRole('link', { name: 'Small Workshop' }).click()
  await page.getByLabel('More', { exact: true }).click()
  await page.getByRole('button', { name: 'Follow new videos' }).click()
  await page.getByRole('button', { name: 'Follow', exact: true }).waitFor()

  // So does a job that fetched from it, whose link opens the form there.
  await page.goto(`${site!.origin}/jobs/${jobId}`)
  await page.getByRole('link', { name: 'Follow new videos' }).click()
  await page.getByRole('button', { name: 'Follow', exact: true }).click()
  await page.getByRole('main').getByRole('link', { name: 'following', exact: true }).waitFor()
  await page.goto(`${site!.origin}/jobs/${jobId}`)
  await page.getByText('In your library:').waitFor()
  await page.waitForLoadState('networkidle')
  assert.equal(await page.getByRole('link', { name: 'Follow new videos' }).count(), 0)
  assert.deepEqual(complaints, [])
})
