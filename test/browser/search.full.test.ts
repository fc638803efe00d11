/** Search on the website: the box from any page, the reader at the hit, the bars of the months, in a real browser. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { until } from '../support/until.ts'
import {
  boxAtRest,
  DESK,
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
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'search-site-'))
after(() => fs.rmSync(folder, { recursive: true, force: true }))
const site = noBrowser === false ? await startSite({ after }, { env: { DATA_DIR: folder } }) : null

test(
  'a member finds a phrase while typing it, reads it there, and sees when it was said',
  { skip },
  async (t) => {
    const { context, page, complaints } = await openWindow(site!.browser)
    t.after(() => context.close())
    await signUpInBrowser(site!, page, 'finder@example.org')
    await runJobOnPage(site!, page, '@smallworkshop', 12)

    await page.keyboard.press('Control+k')
    const box = page.getByRole('combobox', { name: 'Words to look for' })
    await box.pressSequentially('second engi')
    const first = page.getByRole('option').first()
    await first.getByText('second', { exact: true }).first().waitFor()
    assert.match(await first.locator('mark').first().innerText(), /second|engine/i)
    await picture(page, 'search-box', false)
    assert.deepEqual(await seriousFaults(page), [])

    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/jobs\/[\w-]+\/\d+\?find=.*#t=\d+$/)
    const mark = page.locator('mark.outline-2')
    await mark.waitFor()
    assert.match(await mark.innerText(), /second|engine/i)
    assert.ok((await boxAtRest(mark)).y < DESK.height)
    await picture(page, 'search-reader', false)
    await printsPlainly(page)

    await page.keyboard.press('Control+k')
    await box.fill('"second engine"')
    await page.getByRole('option', { name: /by month and channel/ }).click()
    await page.waitForURL(/\/search\?q=/)
    await page.getByRole('heading', { name: /^\d+ transcripts?, \d+ mentions?$/ }).waitFor()
    const bars = page.getByRole('list', { name: 'Transcripts by month' }).getByRole('link')
    const hits = page.getByRole('list', { name: 'Quotes' }).locator('> li')
    await bars.first().waitFor()
    await hits.first().waitFor()
    const all = await hits.count()
    assert.ok((await bars.count()) > 1 && all > 1)
    await picture(page, 'search-page')
    assert.deepEqual(await seriousFaults(page), [])
    await bars.last().click()
    await page.waitForURL(/month=20\d\d-\d\d/)
    await page.getByText(/^Only .+ show all$/).waitFor()
    await until('only quotes of that month are left', async () => (await hits.count()) < all)
    await page.reload()
    await page.getByText(/^Only .+ show all$/).waitFor()

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'All mentions as CSV' }).click(),
    ])
    const lines = fs
      .readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\r\n')
    assert.match(lines[0] ?? '', /^title,channel,/)
    assert.match(lines[1] ?? '', /second engine.*t=\d+s,/i)

    await page.setViewportSize(PHONE)
    assert.equal(await isTooWide(page), false)
    await picture(page, 'search-phone')
    assert.deepEqual(complaints, [])
  },
)

/** Checks the print: the words, dark on light whatever the theme, and no controls. */
async function printsPlainly(page: Page): Promise<void> {
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await page.getByRole('heading', { level: 1 }).waitFor()
  for (const operated of ['banner', 'contentinfo', 'search', 'button'] as const)
    assert.equal(await page.getByRole(operated).count(), 0, operated)
  const ink = await page.evaluate<string>('getComputedStyle(document.body).color')
  const [, lightness = 'none'] = /^(?:ok)?l(?:ab|ch)\(([\d.]+)/.exec(ink) ?? []
  const percent = ink.startsWith('ok') ? Number(lightness) * 100 : Number(lightness)
  assert.ok(percent < 40, ink)
  await picture(page, 'reader-paper', false)
  await page.emulateMedia({ media: 'screen', colorScheme: 'light' })
}

test(
  'a search that begins on its page: examples, mistakes at the field, each mention and its second',
  { skip },
  async (t) => {
    const { context, page, complaints } = await openWindow(site!.browser)
    t.after(() => context.close())
    await signUpInBrowser(site!, page, 'scholar@example.org')
    await runJobOnPage(site!, page, '@smallworkshop', 12)
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(`${site!.address}/search`)
    const words = page.getByRole('searchbox', { name: 'Words' })
    await words.and(page.locator(':focus')).waitFor()
    await picture(page, 'search-empty', false)
    assert.deepEqual(await seriousFaults(page), [])
    const width = (await words.boundingBox())?.width ?? 0
    assert.ok(width > 900, `the words have ${width} px`)

    await page.keyboard.type('-engine')
    await page.keyboard.press('Enter')
    await page.getByText('Everything here is excluded with a minus').waitFor()
    assert.equal(await words.getAttribute('aria-invalid'), 'true')
    assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0)
    await picture(page, 'search-mistake', false)

    await words.fill('engine OR river')
    await page.keyboard.press('Enter')
    const first = page.getByRole('list', { name: 'Quotes' }).locator('> li').first()
    const more = first.getByRole('button', { name: /^\d+ mentions$/ })
    const count = Number.parseInt(await more.innerText(), 10)
    await more.click()
    const places = first.getByRole('list', { name: 'Mentions' }).getByRole('link')
    await until(
      'each mention is listed',
      async () => (await places.count()) === Math.min(50, count),
    )
    await picture(page, 'search-mentions', false)
    assert.deepEqual(await seriousFaults(page), [])
    await page.setViewportSize(PHONE)
    assert.equal(await isTooWide(page), false)
    await picture(page, 'search-mentions-phone', false)
    await page.setViewportSize(DESK)
    await places.last().click()
    await page.waitForURL(/\/jobs\/[\w-]+\/\d+\?find=.*#t=\d+$/)
    assert.deepEqual(
      complaints,
      [],
      'not even of the search that was a mistake, since it was not sent',
    )
  },
)

test(
  'a search is narrowed beside its hits, and is remembered until its account leaves',
  { skip },
  async (t) => {
    const { context, page, complaints } = await openWindow(site!.browser)
    t.after(() => context.close())
    await signUpInBrowser(site!, page, 'narrower@example.org')
    await runJobOnPage(site!, page, '@smallworkshop', 8)
    await runJobOnPage(site!, page, '@captionlab', 20)
    await page.goto(`${site!.origin}/search`)
    await page.getByRole('searchbox', { name: 'Words' }).pressSequentially('bridge')
    await page.keyboard.press('Enter')

    const channels = page.getByRole('navigation', { name: 'Mentions by channel' })
    const hits = page.getByRole('list', { name: 'Quotes' }).locator('> li')
    await channels.waitFor()
    const edgeOf = async (one: ReturnType<Page['locator']>) => Math.round((await boxAtRest(one)).x)
    const heading = page.getByRole('heading', { name: /mentions$/ })
    const title = hits.first().getByRole('link').first()
    assert.equal(await edgeOf(title), await edgeOf(heading), 'boxes stand beside the list')
    const all = await channels.getByRole('link').allInnerTexts()
    await channels.getByRole('link', { name: 'Small Workshop' }).click()
    await page.waitForURL(/channel=UC/)
    const chosen = channels.locator('[aria-current=true]')
    await chosen.getByText('Small Workshop').waitFor()
    await hits.getByText('Caption Laboratory').first().waitFor({ state: 'detached' })
    assert.equal((await channels.getByRole('link').allInnerTexts()).length, all.length)
    const filters = page.getByRole('list', { name: 'Filters' })
    await filters.getByText('Order: best first').click()
    await filters.getByRole('button', { name: 'newest first' }).click()
    await page.waitForURL(/sort=newest/)
    await filters.locator('summary:focus').getByText('newest first').waitFor()
    await filters.getByRole('button', { name: 'Remove Channel' }).click()
    await page.waitForURL((url) => !url.search.includes('channel'))
    await hits.getByText('Caption Laboratory').first().waitFor()

    await page.setViewportSize(PHONE)
    await page.reload()
    const { y, height } = await boxAtRest(hits.first().locator('mark').first())
    assert.ok(y + height < PHONE.height, `the first words found stand at ${y}`)
    await page.setViewportSize(DESK)
    await remembersSearches(page)
    assert.deepEqual(complaints, [])
  },
)

/** Two searches were sent: with and without the channel, whatever the order; what was typed on the way is none. */
async function remembersSearches(page: Page): Promise<void> {
  const words = page.getByRole('searchbox', { name: 'Words' })
  await words.fill('')
  const recent = page.getByRole('region', { name: 'Recent searches' })
  await recent.getByRole('link').first().waitFor()
  assert.deepEqual(await recent.getByRole('link').allInnerTexts(), [
    'bridge',
    'bridge Small Workshop',
  ])
  await words.fill('no such words anywhere')
  await recent.waitFor({ state: 'detached' })
  await page.goto(`${site!.origin}/search`)
  await recent.getByRole('link').first().waitFor()
  assert.equal(await recent.getByRole('link').count(), 2)
  assert.deepEqual(await seriousFaults(page), [])
  await recent.getByRole('button', { name: 'Remove bridge' }).first().click()
  await until('one is left', async () => (await recent.getByRole('link').count()) === 1)
  await recent.getByRole('link').click()
  await page.waitForURL(/q=bridge.*channel=UC/)
  await page.getByRole('heading', { name: /mentions$/ }).waitFor()

  await page.getByLabel('Account menu').click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL(/welcome/)
  const kept = await page.evaluate<string>(`localStorage.getItem('searches')`)
  assert.doesNotMatch(kept, /bridge/)
}
