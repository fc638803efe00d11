/** Quotes taken away: of selected words, of a paragraph by its time and of a hit, and links to their places. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { until } from '../support/until.ts'
import {
  boxAtRest,
  isTooWide,
  noBrowser as skip,
  openWindow,
  type Page,
  picture,
  runJobOnPage,
  selectText,
  seriousFaults,
  signUpInBrowser,
  startSite,
} from './site.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'quotes-site-'))
after(() => fs.rmSync(folder, { recursive: true, force: true }))
const site = skip === false ? await startSite({ after }, { env: { DATA_DIR: folder } }) : null
const opened =
  site === null
    ? null
    : await openWindow(site.browser, {
        viewport: { width: 1440, height: 900 },
        permissions: ['clipboard-read', 'clipboard-write'],
      })
if (site !== null && opened !== null) await signUpInBrowser(site, opened.page, 'q@example.org')
const page = opened?.page as Page
const jobId = site === null ? '' : await runJobOnPage(site, page, '@smallworkshop', 12)

const bar = () => page.getByRole('group', { name: 'Quote' })
const clipboard = () => page.evaluate<string>('navigator.clipboard.readText()')
/** A paragraph of the reader; rows of a job have numbers, too. */
const line = (index: number) => page.locator(`[data-index="${index}"]:has(a[data-time])`)

/** Copies by a button and returns what was copied. */
async function copied(button: string, within = bar()): Promise<string> {
  await page.evaluate(`navigator.clipboard.writeText('nothing')`)
  await within.getByRole('button', { name: button, exact: true }).click()
  await until('it is copied', async () => (await clipboard()) !== 'nothing')
  return clipboard()
}

/** Drags from the first line of a paragraph to the second one of it or of another, and returns what was selected. */
async function dragOver(from: number, to = from): Promise<string> {
  await boxAtRest(line(from))
  await line(from).evaluate((row: any) =>
    row.ownerDocument.defaultView.scrollBy(0, row.getBoundingClientRect().top - 120),
  )
  await selectText(page, [line(from).locator('p'), 60, 16], [line(to).locator('p'), 180, 48])
  await bar().waitFor()
  return page.evaluate<string>('getSelection().toString()')
}

const place = page?.locator('mark[data-place]')

async function untilInSight(): Promise<void> {
  await place.first().waitFor()
  await until('the place is in sight', async () => {
    const { y = -1 } = (await place.first().boundingBox()) ?? {}
    return y > 0 && y < 900
  })
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()

test(
  'selected words are copied as a quote in the form chosen last, with their second',
  { skip },
  async () => {
    await page.goto(`${site!.origin}/jobs/${jobId}`)
    const rows = page.getByRole('row').getByRole('link')
    await rows
      .filter({ hasNotText: /^(?:txt|srt|vtt|json)$/ })
      .first()
      .click()
    await line(2).waitFor()
    const title = await page.getByRole('heading', { level: 1 }).innerText()
    await picture(page, 'quotes-reader', false)
    const tools = ['Search in this transcript', 'Copy the text', 'Actions']
    const middles = await Promise.all(
      tools.map(async (name) => {
        const tool = page
          .getByLabel(name)
          .or(page.getByText(name, { exact: true }))
          .first()
        const { y, height } = (await tool.boundingBox())!
        return y + height / 2
      }),
    )
    assert.ok(Math.max(...middles) - Math.min(...middles) < 2, 'the tools are one row')

    const words = oneLine(await dragOver(1))
    const plain = await copied('Copy quote')
    const [quoted, about, link] = plain.split('\n')
    assert.ok(quoted?.includes(words), quoted)
    const whole = new RegExp(`(?<!\\p{L})${quoted?.slice(1, -1)}(?!\\p{L})`, 'u')
    assert.match(oneLine(await line(1).locator('p').innerText()), whole, 'no half words')
    assert.ok(about?.includes(`Small Workshop, “${title}”, `))
    assert.match(about ?? '', /, \d:\d\d:\d\d–\d:\d\d:\d\d$/)
    assert.match(link ?? '', /^https:\/\/www\.youtube\.com\/watch\?v=[\w-]{11}&t=\d+s$/)
    assert.deepEqual(await seriousFaults(page), [])
    await picture(page, 'quotes-bar', false)
    assert.ok((await boxAtRest(bar())).height < 60, 'the bar is one row')

    await bar().getByLabel('Form of the quote').selectOption('BibTeX')
    assert.match(await copied('Copy quote'), /^@misc\{[\w-]{11}-\d+,\n {2}author = \{\{Small W/)
    await page.keyboard.press('Escape')
    await bar().waitFor({ state: 'detached' })
    await page.reload()
    await dragOver(2)
    assert.match(await copied('Copy quote'), /^@misc/, 'the form is remembered')
    await page.mouse.click(5, 600)
    await bar().waitFor({ state: 'detached' })
  },
)

test('the link to a quote opens the reader there and marks its words', { skip }, async () => {
  const words = oneLine(await dragOver(1, 2))
  const address = await copied('Copy link')
  assert.match(address, /\/jobs\/[\w-]+\/\d+\?t=\d+&end=\d+$/)
  await page.goto(`${site!.origin}/jobs`)
  await page.goto(address)
  await untilInSight()
  const marked = oneLine((await place.allInnerTexts()).join(' '))
  assert.ok(marked.includes(words), `${marked} | ${words}`)
  assert.deepEqual(await seriousFaults(page), [])
  await picture(page, 'quotes-place', false)
  await page.goto(`${address.replace(/\?.*/, '')}?t=%5B%5D&end=-1`)
  await line(0).waitFor()
  assert.equal(await place.count(), 0)
})

for (const act of ['wheel', 'touchmove', 'pointerdown', 'PageUp', 'ArrowUp'])
  test(`who moves the page by hand while it goes to a place stays (${act})`, { skip }, async () => {
    const [went, stayed] = await page.evaluate<[number, number]>(`(async () => {
      const frame = () => new Promise(requestAnimationFrame)
      scrollTo(0, 0)
      location.hash = ''
      await frame()
      location.hash = '#t=2:00'
      for (let frames = 0; scrollY === 0 && frames < 600; frames += 1) await frame()
      const went = scrollY
      const isKey = /^[A-Z]/.test('${act}')
      dispatchEvent(isKey ? new KeyboardEvent('keydown', { key: '${act}' }) : new Event('${act}'))
      scrollTo(0, 0)
      for (let frames = 0; frames < 10; frames += 1) await frame()
      return [went, scrollY]
    })()`)
    assert.ok(went > 0, 'the address brings the page to its place')
    assert.equal(stayed, 0)
  })

test('a paragraph is quoted by its time, with keys alone', { skip }, async () => {
  await page.keyboard.press('Escape')
  await line(1).getByRole('link').focus()
  await page.keyboard.press('Enter')
  await bar().waitFor()
  await bar().getByLabel('Form of the quote').selectOption('Markdown')
  const quote = await copied('Copy quote')
  assert.ok(quote.includes((await line(1).locator('p').innerText()).slice(-12)), quote)
  const video = bar().getByRole('link', { name: /^Open the video at \d+:\d\d$/ })
  assert.match((await video.getAttribute('href')) ?? '', /&t=\d+s$/)
  await line(1).locator('a[data-time]').focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Escape')
  await bar().waitFor({ state: 'detached' })
  await page.locator('a[data-time]:focus').waitFor()
})

test(
  'a hit is copied as a quote, and opens the reader with all words of the search marked',
  { skip },
  async () => {
    await page.goto(`${site!.origin}/search?q=second+river`)
    const hit = page.getByRole('list', { name: 'Quotes' }).locator('> li').first()
    await hit.waitFor()
    const quote = await copied('Copy quote', hit)
    assert.match(quote, /^> .+\n>\n> — \[.+\]\(https:.+&t=\d+s\), Small Workshop, 20/)
    assert.match(await copied('Copy link', hit), /\/jobs\/[\w-]+\/\d+\?t=\d+$/)
    assert.deepEqual(await seriousFaults(page), [])
    await picture(page, 'quotes-search', false)

    await hit.getByRole('link').first().click()
    const marks = page.locator('p mark')
    await marks.first().waitFor()
    assert.equal(await page.getByLabel('Search in this transcript').inputValue(), 'second river')
    const marked = new Set((await marks.allInnerTexts()).map((text) => text.toLowerCase()))
    assert.deepEqual([...marked].sort(), ['river', 'second'])
    const place = page.getByRole('search').getByRole('status')
    const before = await place.innerText()
    await page.getByRole('button', { name: 'Next match' }).click()
    await until('it goes to the next match', async () => (await place.innerText()) !== before)
    await picture(page, 'quotes-marked', false)
  },
)

test('on a phone and in the dark the bar stays within the page', { skip }, async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto(`${site!.origin}/jobs/${jobId}`)
  await page.getByRole('row').getByRole('link').first().click()
  await line(1).waitFor()
  await line(1).scrollIntoViewIfNeeded()
  // The handles of a touch screen select without a pointer's event.
  await page.evaluate(`(() => {
    const [words] = document.querySelector('[data-index="1"] p').childNodes
    getSelection().setBaseAndExtent(words, 8, words, 60)
  })()`)
  await bar().waitFor()
  assert.match(await copied('Copy quote'), /^> .{40,}\n/)
  assert.equal(await isTooWide(page), false)
  assert.deepEqual(await seriousFaults(page), [])
  await picture(page, 'quotes-phone-dark', false)
  await page.goto(`${site!.origin}/search?q=second+river`)
  await page.getByRole('button', { name: 'Copy quote' }).first().scrollIntoViewIfNeeded()
  assert.equal(await isTooWide(page), false)
  await picture(page, 'quotes-search-phone-dark', false)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`${site!.origin}/jobs/${jobId}/1?t=44&end=52`)
  await untilInSight()
  await dragOver(2)
  assert.deepEqual(await seriousFaults(page), [])
  await picture(page, 'quotes-place-dark', false)
  assert.deepEqual(opened?.complaints, [])
})
