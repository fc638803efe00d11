/** One publish day on every page, wherever its reader is. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { lateVideo } from '../library/late-videos.ts'
import { noBrowser, openWindow, runJobOnPage, signUpInBrowser, startSite } from './site.ts'

const skip = noBrowser
const site = noBrowser === false ? await startSite({ after }) : null

const inWords = (day: string) =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day))

test('every page shows the platform’s day in Berlin, Tokyo and New York', { skip }, async (t) => {
  const { videoId, day, utc, word } = lateVideo(site!.platform.world)
  const first = await openWindow(site!.browser)
  t.after(() => first.context.close())
  await signUpInBrowser(site!, first.page, 'days@example.org')
  await runJobOnPage(site!, first.page, videoId)
  const job = new URL(first.page.url()).pathname
  const storageState = await first.context.storageState()

  for (const timezoneId of ['Europe/Berlin', 'Asia/Tokyo', 'America/New_York']) {
    const { context, page, complaints } = await openWindow(site!.browser, {
      timezoneId,
      storageState,
    })
    const isThePlatforms = async () => {
      await page.getByText(inWords(day)).first().waitFor()
      assert.equal(await page.getByText(inWords(utc)).count(), 0, `${timezoneId} ${page.url()}`)
    }
    const search = `/search?q=${encodeURIComponent(word)}`
    for (const path of [job, `${job}/1`, search, `${search}&after=${day}&before=${day}`]) {
      await page.goto(`${site!.origin}${path}`)
      await isThePlatforms()
    }
    await page.keyboard.press('/')
    await page.getByRole('combobox', { name: 'Words to look for' }).fill(word)
    await page.getByRole('option').first().getByText(inWords(day)).waitFor()
    await page.goto(`${site!.origin}/library`)
    await page.getByRole('link', { name: 'Kleine Werkstatt' }).first().click()
    await isThePlatforms()
    assert.deepEqual(complaints, [])
    await context.close()
  }
})
