/** The library on the website: a channel is bought in two steps, read and taken as one file, in a real browser. */
import assert from 'node:assert/strict'
import fs from 'node:fs/promises'
import { after, test } from 'node:test'
import { until } from '../support/until.ts'
import { unzipped } from '../support/unzipped.ts'
import {
  isTooWide,
  noBrowser,
  openWindow,
  type Page,
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
  'a channel shows what is there and what is left, and one button fetches it',
  { skip },
  async (t) => {
    const { context, page, complaints } = await openWindow(site!.browser)
    t.after(() => context.close())
    await signUpInBrowser(site!, page, 'librarian@example.org')
    await page.getByRole('heading', { name: 'Three things to try' }).waitFor()
    await runJobOnPage(site!, page, '@smallworkshop', 5)
    await page.getByText('5 transcripts, 19 more to fetch').waitFor()

    // A video that was ordered by itself does not count for the channel's order.
    const { videoId } = site!.platform.world.playlist('seven').at(6)
    await runJobOnPage(site!, page, `https://www.youtube.com/watch?v=${videoId}`, 1)

    await page.goto(site!.origin)
    await page.waitForURL(`${site!.origin}/library`)
    await page.getByText('6 of 24 transcripts').waitFor()
    await page.getByText('18 more to fetch').waitFor()
    await page.getByRole('link', { name: 'Small Workshop' }).click()
    await page.getByRole('button', { name: 'Fetch the remaining 18 · at most $0.144' }).click()
    const question = page.getByRole('dialog')
    await question.getByText('18 videos to fetch, at most $0.144. 6 are yours already').waitFor()
    await question.getByRole('button', { name: 'Fetch them · at most $0.144' }).click()
    await page.waitForURL(/\/jobs\/[\w-]+$/)
    await page.getByRole('button', { name: 'Run again' }).waitFor({ timeout: 60_000 })

    // A row that was delivered before opens the text that the first job delivered.
    const secondJob = page.url()
    await page.getByLabel('Show').selectOption('unchanged')
    await page.getByRole('table', { name: 'Videos' }).getByRole('link').first().click()
    await page.getByRole('button', { name: 'Copy the text' }).waitFor()
    assert.ok(!page.url().startsWith(secondJob))

    await page.goto(`${site!.origin}/library`)
    await page.getByRole('link', { name: 'Small Workshop' }).click()
    await page.getByLabel('Show').selectOption('no_captions')
    const without = page.getByRole('list', { name: 'Videos' }).getByRole('listitem').first()
    await without.getByText('no captions', { exact: false }).nth(1).waitFor()
    await without.getByRole('link').first().click()
    await page.getByText('Will trying again help?').waitFor()
    await page.goBack()
    const coming = page.waitForEvent('download')
    await page.getByText('Download', { exact: true }).click()
    await page.getByText('More formats').click()
    const offered = page.getByRole('region', { name: 'Downloads' }).getByRole('link')
    const hrefs = await Promise.all((await offered.all()).map((link) => link.getAttribute('href')))
    assert.equal(hrefs.length, 14)
    for (const href of hrefs)
      assert.equal((await page.request.get(`${site!.origin}${href}`)).status(), 200, href ?? '')
    await page.getByRole('link', { name: 'JSON lines, one line for each passage' }).click()
    const lines = await fs.readFile(await (await coming).path(), 'utf8')
    const sources = lines
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { metadata: { source: string } }).metadata.source)
    assert.ok(new Set(sources).size > 5)
    assert.match(await downloaded(page, 'Report as CSV'), /^\ufeff\w+,/)
    const videoLines = (await downloaded(page, 'JSON lines, one line for each video')).trimEnd()
    assert.equal(videoLines.split('\n').length, new Set(sources).size)
    const zipping = page.waitForEvent('download')
    await page.getByText('Download', { exact: true }).click()
    await page.getByRole('link', { name: / as a ZIP$/ }).click()
    const files = unzipped(await fs.readFile(await (await zipping).path()))
    const texts = [...files.keys()].filter((name) => name.endsWith('].txt'))
    assert.equal(texts.length, new Set(sources).size)
    assert.deepEqual(complaints, [])
  },
)

test(
  'the library is filtered and sorted as a whole, and shows pictures only where they are asked for',
  { skip },
  async (t) => {
    const { context, page, complaints } = await openWindow(site!.browser)
    t.after(() => context.close())
    const stills: string[] = []
    page.on('request', (request) => {
      if (new URL(request.url()).hostname === 'i.ytimg.com') stills.push(request.url())
    })
    await signUpInBrowser(site!, page, 'archivist@example.org')
    await runJobOnPage(site!, page, '@smallworkshop', 5)
    await runJobOnPage(site!, page, '@warsha', 3)
    const { playlistId, title } = site!.platform.world.playlist('seven')
    await runJobOnPage(site!, page, playlistId, 7)

    await page.goto(`${site!.origin}/library`)
    const names = page
      .getByRole('list', { name: 'Channels and playlists' })
      .getByRole('heading', { level: 2 })
    await names.first().waitFor()
    await page.getByLabel('Sort by').selectOption('Name')
    await page.waitForURL(/sort=title/)
    await until('sorted by name', async () => {
      const [first, second] = await names.allInnerTexts()
      return first === title && second === 'Small Workshop'
    })
    await page.getByLabel('Kind').selectOption('Playlists')
    await until('playlists alone', async () => (await names.allInnerTexts()).join() === title)
    await page.getByLabel('Search names').fill('work')
    await page.getByText('Nothing matches').waitFor()
    await page.reload()
    assert.equal(await page.getByLabel('Search names').inputValue(), 'work')
    await page.getByRole('button', { name: 'Show all' }).click()
    await until('all are back', async () => (await names.count()) === 3)

    assert.deepEqual(stills, [])
    await page.getByLabel('Pictures').check()
    // Both Small Workshop and its playlist are led by their newest video, which is one.
    await until('a still of each', async () => new Set(stills).size === 2)
    assert.equal(await page.getByRole('listitem').locator('img').count(), 3)
    await page.reload()
    assert.ok(await page.getByLabel('Pictures').isChecked(), 'the choice is kept')
    await names.first().waitFor()
    await picture(page, 'library-pictures')
    assert.deepEqual(await seriousFaults(page), [])
    await page.setViewportSize(PHONE)
    assert.equal(await isTooWide(page), false)
    assert.deepEqual(complaints, [])
  },
)

/** Downloads a file of the menu and returns its text. */
async function downloaded(page: Page, name: string): Promise<string> {
  const coming = page.waitForEvent('download')
  await page.getByText('Download', { exact: true }).click()
  const link = page.getByRole('link', { name, exact: true })
  if (!(await link.isVisible())) await page.getByText('More formats').click()
  await link.click()
  return fs.readFile(await (await coming).path(), 'utf8')
}
