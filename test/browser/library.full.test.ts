/** The library on the website: a channel is bought in two steps, read and taken as one file, in a real browser. */
import assert from 'node:assert/strict'
import fs from 'node:fs/promises'
import { after, test } from 'node:test'
import { unzipped } from '../support/unzipped.ts'
import {
  noBrowser,
  openWindow,
  type Page,
  runJobOnPage,
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
    await page.getByText('6 of 24 transcripts, 18 more to fetch').waitFor()
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
    await page.getByText('Other files').click()
    await page.getByRole('link', { name: 'JSON lines, a line for each passage' }).click()
    const lines = await fs.readFile(await (await coming).path(), 'utf8')
    const sources = lines
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { metadata: { source: string } }).metadata.source)
    assert.ok(new Set(sources).size > 5)
    assert.match(await downloaded(page, 'Report as CSV'), /^\ufeff\w+,/)
    const videoLines = (await downloaded(page, 'JSON lines, a line for each video')).trimEnd()
    assert.equal(videoLines.split('\n').length, new Set(sources).size)
    const zipping = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Everything as a ZIP' }).click()
    const files = unzipped(await fs.readFile(await (await zipping).path()))
    const texts = [...files.keys()].filter((name) => name.endsWith('].txt'))
    assert.equal(texts.length, new Set(sources).size)
    assert.deepEqual(complaints, [])
  },
)

/** Downloads a file of the menu and returns its text. */
async function downloaded(page: Page, name: string): Promise<string> {
  const coming = page.waitForEvent('download')
  await page.getByText('Other files').click()
  await page.getByRole('link', { name }).click()
  return fs.readFile(await (await coming).path(), 'utf8')
}
