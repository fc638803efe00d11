/** What lists and their rows say: how far a cancelled job came, what is not fetched yet, which of two is meant. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { siteAddresses } from '../support/site-addresses.ts'
import { until } from '../support/until.ts'
import {
  boxAtRest,
  noBrowser as skip,
  openWindow,
  type Page,
  PHONE,
  picture,
  runJobOnPage,
  seriousFaults,
  signUpInBrowser,
  startSite,
} from './site.ts'

const site = skip === false ? await startSite({ after }) : null
const page = site === null ? (null as unknown as Page) : await openMember()

async function openMember(): Promise<Page> {
  const opened = await openWindow(site!.browser)
  await signUpInBrowser(site!, opened.page, 'lists@example.org')
  return opened.page
}

test(
  'a running job’s ZIP is a part, and a cancelled job’s bar is filled as far as it came',
  { skip },
  async () => {
    site!.platform.apply({ knobs: { latencyMs: 1_200 } })
    await page.goto(`${site!.origin}/new?urls=%40dailynotes`)
    await page.getByLabel('Maximum number of videos').fill('60')
    await page.getByRole('button', { name: 'Start the job' }).click()
    await page.getByRole('row').nth(2).waitFor()
    // What a running job has is a part, and its ZIP says so and is not the page's main button.
    const soFar = page.getByRole('link', { name: 'Download what’s ready' })
    await soFar.waitFor()
    assert.equal(await soFar.evaluate((link: any) => link.className.includes('bg-accent ')), false)
    assert.equal(await page.getByText(/\d in the library/).count(), 0)
    // The job is still at work when it is cancelled.
    site!.platform.apply({ knobs: { latencyMs: 120_000 } })
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Cancel the job' }).click()
    await page.getByText('Cancelled', { exact: true }).waitFor()
    site!.platform.clear()
    await page.getByRole('link', { name: / as a ZIP$/ }).waitFor()
    const bar = page.getByRole('progressbar').first()
    const [now, max] = await Promise.all([
      bar.getAttribute('aria-valuenow'),
      bar.getAttribute('aria-valuemax'),
    ])
    assert.ok(Number(now) > 0 && Number(now) < Number(max), `${now} of ${max}`)
    // The bar grows to its end in some frames of the page.
    await until('the bar is filled as far as the job came', async () => {
      const filled = await bar.evaluate((one: any) => {
        const widths = [...one.children].map((part: any) => part.offsetWidth)
        return widths.reduce((sum, width) => sum + width, 0) / one.offsetWidth
      })
      return Math.abs(filled - Number(now) / Number(max)) < 0.05
    })
  },
)

test('a channel says how many videos are not fetched yet, named or not', { skip }, async () => {
  await runJobOnPage(site!, page, '@endlessarchive', 5)
  await page.goto(`${site!.origin}/library`)
  await page.getByRole('link', { name: 'Endless Archive' }).click()
  await page.getByLabel('Show').selectOption('none')
  await page.getByText(/^And 11,\d{3} whose titles are known once a job reads them\.$/).waitFor()
  assert.equal(await page.getByText('No matching videos').count(), 0)
  // Where nothing of the rest was read, as of lists of earlier releases, its number is said alone.
  await site!.database.pool.query(
    `delete from collection_video where collection_id = (select id from collection where title = 'Endless Archive')
      and status is null`,
  )
  await page.reload()
  await page.getByText(/^11,\d{3} videos not fetched yet$/).waitFor()
})

test('a video without captions in the language lists its tracks, and each can be ordered', async (t) => {
  if (skip !== false) return t.skip(skip)
  await runJobOnPage(site!, page, '@captionlab', 61)
  await page.getByLabel('Show').selectOption('language_not_available')
  await page
    .getByRole('row')
    .getByRole('link', { name: /^Laboratory: Japanese audio, captions in English and French/ })
    .click()
  await page.getByText('Captions exist in English and French.', { exact: true }).waitFor()
  assert.equal(await page.getByText('YouTube says').count(), 0)
  const tracks = page.getByRole('region', { name: 'Captions of this video' }).getByRole('listitem')
  assert.deepEqual(await tracks.locator('> span').allInnerTexts(), [
    'English · by the creator',
    'French · by the creator',
  ])
  await tracks.nth(1).getByRole('button', { name: 'Order in French · $0.008' }).waitFor()
  assert.equal(await page.getByRole('button', { name: /^Order in / }).count(), 2)
  assert.deepEqual(await seriousFaults(page), [])
  await picture(page, 'lists-tracks', false)

  // Rows of earlier releases have only the languages.
  await site!.database.pool.query(`update video_details set tracks = null`)
  await page.reload()
  await page.getByRole('button', { name: 'Order in French · $0.008' }).waitFor()
  assert.equal(await tracks.count(), 0)
  await page.getByRole('button', { name: 'Order in English · $0.008' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Order it/ })
    .click()
  await page.getByText('1 transcript from 1 video').waitFor({ timeout: 60_000 })
})

test('on a phone a row shows two lines of its title, and its files', { skip }, async () => {
  await page.setViewportSize(PHONE)
  await runJobOnPage(site!, page, '@smallworkshop', 10)
  const files = page.getByRole('row').getByRole('link', { name: /^TXT of / })
  await files.filter({ visible: true }).first().waitFor()
  const lines = await page.getByRole('row').evaluateAll((rows: any[]) =>
    rows.map((one) => {
      const title = one.querySelector('a')
      const { lineHeight } = (globalThis as any).getComputedStyle(title)
      return title.getBoundingClientRect().height / Number.parseFloat(lineHeight)
    }),
  )
  assert.ok(
    lines.some((count) => count > 1.5),
    lines.join(),
  )
})

test(
  'two jobs are chosen together, kept in a project, downloaded and deleted',
  { skip },
  async () => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await runJobOnPage(site!, page, '@warsha', 3)
    await page.goto(`${site!.origin}/jobs`)
    const boxes = page.getByRole('list', { name: /orders?$/ }).getByRole('checkbox')
    const ids = await page
      .getByRole('list', { name: /orders?$/ })
      .getByRole('link')
      .evaluateAll((links: any[]) => links.slice(0, 2).map((one) => one.href.split('/').at(-1)))
    for (const at of [0, 1]) await boxes.nth(at).check()
    const bar = page.getByRole('region', { name: 'Selected' })
    await bar.getByText('2 selected').waitFor()

    await page.setViewportSize(PHONE)
    const { height } = (await bar.boundingBox())!
    const button = (await bar.getByRole('button', { name: 'Clear' }).boundingBox())!.height
    assert.ok(height < 3.2 * button, `at most two lines of buttons, not ${height}px`)
    assert.deepEqual(await seriousFaults(page), [])
    await picture(page, 'lists-selected-phone')
    await page.setViewportSize({ width: 1440, height: 900 })

    await bar.getByText('Download', { exact: true }).click()
    const zip = bar.getByRole('link', { name: 'All as a ZIP' })
    const { status, headers } = await page.evaluate<any>(
      `fetch(${JSON.stringify(await zip.getAttribute('href'))}).then(({ status, headers }) => ({ status, headers: [...headers] }))`,
    )
    assert.equal(status, 200)
    assert.match(new Map<string, string>(headers).get('content-disposition') ?? '', /\.zip/)
    await page.keyboard.press('Escape')

    await bar.getByRole('button', { name: 'Add to a project' }).click()
    await bar.getByLabel('Name of the new project').fill('Both')
    const [asked, others] = [bar.getByRole('form'), bar.getByRole('button', { name: 'Delete…' })]
    assert.ok((await boxAtRest(asked)).y > (await boxAtRest(others)).y, 'asked below all buttons')
    await bar.getByRole('button', { name: 'Add', exact: true }).click()
    await bar.getByText(/^[1-9]\d* transcripts added to “Both”/).waitFor()
    await bar.getByRole('button', { name: 'Close' }).click()
    await bar.waitFor({ state: 'detached' })

    for (const at of [0, 1]) await boxes.nth(at).check()
    await bar.getByRole('button', { name: 'Delete…' }).click()
    await page.getByRole('dialog').getByText('In your projects: “Both”.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the texts' }).click()
    await bar.waitFor({ state: 'detached' })
    for (const id of ids) {
      await page.goto(`${site!.origin}/jobs/${id}`)
      await page.getByRole('row').nth(1).waitFor()
      assert.equal(await page.getByRole('link', { name: /^TXT of | as a ZIP$/ }).count(), 0)
    }
  },
)

test('two channels of one name are told apart by the end of their ids', { skip }, async () => {
  await site!.database.pool.query(
    `update collection set title = 'Small Workshop' where title = 'Daily Notes'`,
  )
  await page.goto(`${site!.origin}/library`)
  const twins = page.getByRole('listitem').filter({ hasText: 'Small Workshop' })
  await twins.nth(1).waitFor()
  const ends = await twins.getByText(/^ ?…[\w-]{6}$/).allInnerTexts()
  assert.equal(new Set(ends).size, 2)
  const others = page.getByRole('listitem').filter({ hasText: 'Endless Archive' })
  assert.equal(await others.getByText(/…[\w-]{6}/).count(), 0)
})

test('what is not there says why, and leads to the library and the jobs', { skip }, async () => {
  const missing = siteAddresses()
    .filter((address) => address.includes('$'))
    .map((address) => address.replace(/\$\w+/g, 'nothing'))
  assert.ok(missing.includes('/library/nothing') && missing.includes('/receipts/nothing'))
  for (const address of [...missing, '/nothing/here']) {
    await page.goto(site!.origin + address)
    await page.getByText('The address may be mistyped, or the page belongs to another').waitFor()
    for (const name of ['Library', 'Jobs'])
      await page.getByRole('main').getByRole('link', { name, exact: true }).waitFor()
  }
})

test('no room is kept beside a page, and a dialog takes no scrollbar away', { skip }, async () => {
  await page.goto(`${site!.origin}/settings/data`)
  const look = (of: string): Promise<string> =>
    page.evaluate(`getComputedStyle(document.documentElement).${of}`) as Promise<string>
  assert.equal(await look('scrollbarGutter'), 'auto')
  await page.getByRole('button', { name: 'Delete this account' }).click()
  await page.getByRole('dialog').waitFor()
  for (const property of ['scrollbarGutter', 'overflowY', 'paddingRight'])
    assert.match(await look(property), /^(?:auto|visible|0px)$/, property)
})
