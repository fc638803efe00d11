/** The reader on a phone's first screen, its switch of tracks, and two texts of a video beside one another. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { until } from '../support/until.ts'
import {
  DESK,
  isTooWide,
  noBrowser,
  openWindow,
  type Page,
  PHONE,
  selectText,
  seriousFaults,
  signUpInBrowser,
  startSite,
} from './site.ts'
import { ordersTwoTracks } from './two-tracks.ts'

const skip = noBrowser
const site = noBrowser === false ? await startSite({ after }) : null

/** Tops of the paragraphs of a row, and of the one beside it. */
const topsOf = (page: Page, row: number) =>
  page
    .locator(`[data-index="${row}"] p`)
    .evaluateAll((texts: any[]) =>
      texts.map((text) => Math.round(text.getBoundingClientRect().top)),
    )

const besideIn = (page: Page) => new URL(page.url()).searchParams.get('beside')

test('the text begins on a phone’s first screen, below one row of tools', { skip }, async (t) => {
  const { context, page, complaints } = await openWindow(site!.browser)
  t.after(() => context.close())
  await signUpInBrowser(site!, page, 'first-screen@example.org')
  const tracks = { video: 'translated', other: 'in French' }
  const { trackPath } = await ordersTwoTracks(site!, page, tracks)
  await page.setViewportSize(PHONE)
  await page.goto(site!.origin + trackPath)
  const text = page.locator('[data-index="0"] p')
  await text.waitFor()
  const { y } = (await text.boundingBox())!
  assert.ok(y + 6 * 32 <= PHONE.height, `six lines are in sight, from ${y} on`)
  assert.equal(await isTooWide(page), false)

  await page.getByRole('button', { name: 'Search within' }).click()
  await page.getByLabel('Search in this transcript').fill('Fluss')
  await page.locator('mark').first().waitFor()
  await page.getByLabel('Search in this transcript').fill('')
  await page.getByLabel('Search in this transcript').blur()
  await page.getByText('Actions', { exact: true }).click()
  for (const name of ['Copy the text', 'Copy a citation, APA', 'Add to a project'])
    await page.getByRole('button', { name, exact: true }).waitFor()
  await page.getByRole('link', { name: 'Open the video' }).waitFor()
  assert.deepEqual(await seriousFaults(page), [])
  await page.getByRole('button', { name: 'Add to a project' }).click()
  await page.getByRole('form', { name: 'Add to a project' }).waitFor()
  assert.deepEqual(complaints, [])
})

test(
  'another track is a button with its price, and two stand beside by their times',
  { skip },
  async (t) => {
    const { context, page, complaints } = await openWindow(site!.browser)
    t.after(() => context.close())
    await signUpInBrowser(site!, page, 'beside@example.org')
    const tracks = { video: 'dubs', other: 'in English' }
    const { trackPath, besidePath } = await ordersTwoTracks(site!, page, tracks)
    await page.goto(site!.origin + trackPath)
    await page.getByLabel('Japanese · automatic, captions and source').click()
    await page.getByRole('button', { name: 'Order in Spanish · $0.008' }).waitFor()
    await page.getByRole('link', { name: 'Beside this one: English · by the creator' }).click()
    await page.locator('[data-beside][lang="en"]').nth(1).waitFor()
    assert.equal(page.url(), site!.origin + besidePath)
    const [left, right] = await topsOf(page, 1)
    assert.equal(left, right, 'what is said at one time stands at one height')
    assert.deepEqual(await seriousFaults(page), [])

    // A quote names the track and the row that it is of.
    const english = page.locator('[data-index="0"] [data-beside] p')
    await selectText(page, [english, 5, 12], [english, 200, 12])
    await page.getByRole('group', { name: 'Quote' }).waitFor()
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy link' }).click()
    const link = await page.evaluate<string>('navigator.clipboard.readText()')
    const other = besideIn(page)!.replace('.', '/')
    assert.ok(link.startsWith(`${site!.origin}/jobs/${other}?t=`), link)
    await page.keyboard.press('Escape')

    // A link to a second keeps what is beside, and keys walk on from row to row.
    await page.goto(`${site!.origin}${besidePath}&t=40`)
    await page.locator('mark[data-place]').first().waitFor()
    await page.keyboard.press('j')
    await until('a row has the focus', () =>
      page.evaluate<boolean>(`document.activeElement?.closest('[data-index]') !== null`),
    )

    await page.setViewportSize(PHONE)
    const [own, below] = await topsOf(page, 0)
    assert.ok(below! > own!, 'on a phone the other stands below')
    assert.equal(await isTooWide(page), false)
    await page.setViewportSize(DESK)
    await page.getByRole('button', { name: 'Close' }).click()
    await page.locator('[data-beside]').first().waitFor({ state: 'detached' })
    assert.equal(besideIn(page), null)

    // The one beside is deleted meanwhile.
    await page.goto(`${site!.origin}/jobs/${other}`)
    await page.getByText('Actions', { exact: true }).click()
    await page.getByRole('button', { name: 'Delete this text…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the text' }).click()
    await page.getByText('Actions', { exact: true }).waitFor({ state: 'detached' })
    await page.goto(site!.origin + besidePath)
    await page.getByText('The other text is not in your library any more.').waitFor()
    await page.locator('[data-index="0"] p').waitFor()
    // The reader of a text that was just deleted asks for it once more.
    const others = complaints.filter((told) => !told.includes('404'))
    assert.deepEqual(others, [])
  },
)
