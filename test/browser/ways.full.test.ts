/** Names and ways: jobs are called by what they are about, and from a video the way back leads where it was opened. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
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
const opened = site === null ? null : await openWindow(site.browser)
if (site !== null && opened !== null) await signUpInBrowser(site, opened.page, 'ways@example.org')
const page = opened?.page as Page

const main = () => page.getByRole('main')
const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const current = () =>
  page.locator('nav[aria-label=Main]:visible [aria-current=page]').allInnerTexts()

test(
  'a job is called by what it is about, and is renamed in place with a note',
  { skip },
  async () => {
    const small = site!.platform.world.channel('small')
    const seven = site!.platform.world.playlist('seven')
    const list = `https://www.youtube.com/playlist?list=${seven.playlistId}`
    const job = await runJobOnPage(
      site!,
      page,
      `${list}\nhttps://www.youtube.com/${small.handle}`,
      20,
    )
    await heading(`${seven.title} and 1 more`).waitFor()
    await picture(page, 'ways-job')
    await page.getByRole('button', { name: 'Rename or add a note' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Interviews')
    await page.getByLabel('Note', { exact: true }).fill('For chapter two')
    assert.deepEqual(await seriousFaults(page), [])
    await picture(page, 'ways-rename', false)
    await page.getByRole('button', { name: 'Save' }).click()
    await heading('Interviews').waitFor()
    await main().getByText('For chapter two').waitFor()
    await page.reload()
    await heading('Interviews').waitFor()
    await page.getByRole('link', { name: 'All jobs' }).click()
    await heading('Jobs').waitFor()
    await page.getByRole('link', { name: 'Interviews' }).waitFor()
    await picture(page, 'ways-jobs')
    await page.getByRole('link', { name: 'Interviews' }).click()
    assert.match(page.url(), new RegExp(`/jobs/${job}$`))
  },
)

test(
  'one menu holds the other files of a job and of a channel, by keyboard too',
  { skip },
  async () => {
    await page.getByText('Other files').focus()
    await page.keyboard.press('Enter')
    const menu = page.getByRole('region', { name: 'Downloads' })
    await menu.getByRole('link', { name: 'Markdown', exact: true }).waitFor()
    await picture(page, 'ways-downloads', false)
    const download = page.waitForEvent('download')
    const passages = menu.getByRole('link', { name: 'JSON lines, one line for each passage' })
    assert.equal(await passages.isVisible(), false)
    await menu.getByText('More formats').focus()
    await page.keyboard.press('Enter')
    await passages.waitFor()
    // The list is never taller than the window.
    const list = await menu.locator('details > div').first().boundingBox()
    assert.ok(list !== null && list.height < page.viewportSize()!.height, JSON.stringify(list))
    await passages.click()
    const saved = await download
    assert.match(saved.suggestedFilename(), /^Interviews \d{4}-\d\d-\d\d\.jsonl$/)
    const zip = page.waitForEvent('download')
    await menu.getByRole('link', { name: /^All \d+ as a ZIP$/ }).click()
    assert.match((await zip).suggestedFilename(), /^Interviews \d{4}-\d\d-\d\d\.zip$/)
    await page.getByText('Other files').click()
    await page.keyboard.press('Escape')
    assert.equal(await menu.getByRole('link', { name: 'Markdown', exact: true }).isVisible(), false)
  },
)

test(
  'from a channel to its video, the way back leads to the channel as it was filtered',
  { skip },
  async () => {
    const small = site!.platform.world.channel('small')
    await page.goto(`${site!.origin}/library`)
    await page.getByRole('link', { name: small.title, exact: true }).first().click()
    await heading(small.title).waitFor()
    await page.getByLabel('Show').selectOption('success')
    const videos = page
      .getByRole('list', { name: 'Videos' })
      .getByRole('link', { name: /^(?!Open)/ })
    await page.waitForURL(/status=success/)
    await videos.nth(1).waitFor()
    const names = await videos.allInnerTexts()
    await picture(page, 'ways-collection')
    await videos.nth(1).click()
    await heading(names[1] ?? '').waitFor()
    assert.deepEqual(await current(), ['Library'])
    await page.reload()
    await page.getByRole('link', { name: 'Next transcript' }).click()
    await heading(names[2] ?? '').waitFor()
    await page.getByRole('link', { name: 'Previous transcript' }).click()
    await heading(names[1] ?? '').waitFor()
    await picture(page, 'ways-reader', false)
    await page.getByRole('navigation', { name: 'Other transcripts' }).getByText(small.title).click()
    await heading(small.title).waitFor()
    assert.match(page.url(), /status=success/)
    assert.deepEqual(await current(), ['Library'])
  },
)

test('from a search to a hit, the way back leads to it as it was left', { skip }, async () => {
  await page.goto(`${site!.origin}/search?q=the&sort=newest`)
  const hit = page.getByRole('list', { name: 'Quotes' }).locator('> li').nth(4)
  await hit.scrollIntoViewIfNeeded()
  const y = await page.evaluate<number>('Math.round(scrollY)')
  assert.ok(y > 100)
  await hit.getByRole('link').first().click()
  const ways = page.getByRole('navigation', { name: 'Other transcripts' })
  await ways.getByRole('link', { name: 'Search: the' }).waitFor()
  assert.deepEqual(await current(), ['Search'])
  await ways.getByRole('link', { name: 'Next transcript' }).click()
  await page.waitForURL(/\/jobs\/[\w-]+\/\d+$/)
  await ways.getByRole('link', { name: 'Search: the' }).click()
  await page.waitForURL(/\/search\?q=the&sort=newest$/)
  await hit.waitFor()
  assert.ok(Math.abs((await page.evaluate<number>('scrollY')) - y) < 50, 'and at its place')
  await hit.getByRole('link').first().click()
  await page.reload()
  await ways.getByRole('link', { name: 'Search: the' }).click()
  await page.waitForURL(/\/search\?q=the&sort=newest$/)

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Words to look for' }).fill('interviews')
  await page.getByRole('option', { name: /^Interviews/ }).click()
  await heading('Interviews').waitFor()
  await page.getByRole('link', { name: 'Search: the' }).click()
  await page.waitForURL(/\/search/)
})

test('keys lead through pages, lists and texts, and can be switched off', { skip }, async () => {
  const focused = () =>
    page.evaluate<string>(
      'document.activeElement.ariaLabel ?? document.activeElement.textContent ?? ""',
    )
  await page.keyboard.press('g')
  await page.keyboard.press('j')
  await page.getByRole('link', { name: 'Interviews' }).waitFor()
  await page.keyboard.press('j')
  assert.equal(await focused(), 'Interviews')
  await page.keyboard.press('o')
  await heading('Interviews').waitFor()
  const rows = page.getByRole('row').getByRole('link')
  await rows.nth(20).waitFor()
  const names = await rows.filter({ hasNotText: /^(?:txt|srt|vtt|json)$/ }).allInnerTexts()
  for (const key of ['j', 'j', 'j', 'k']) await page.keyboard.press(key)
  const inRows = await focused()
  assert.ok(names.includes(inRows), inRows)
  await page.keyboard.press('Enter')
  await page
    .getByRole('link', { name: /^Quote or link at/ })
    .first()
    .waitFor()
  await page.keyboard.press('j')
  const first = await focused()
  assert.match(first, /^Quote or link at/)
  await page.keyboard.press('j')
  assert.notEqual(await focused(), first)
  await page.keyboard.press('o')
  await page.getByRole('group', { name: 'Quote' }).waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('/')
  assert.equal(await focused(), 'Search in this transcript')
  await page.keyboard.type('jjk?')
  assert.equal(await page.getByLabel('Search in this transcript').inputValue(), 'jjk?')

  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('?')
  const list = page.getByRole('dialog')
  await list.getByLabel('Shortcuts of single keys').uncheck()
  await page.keyboard.press('Escape')
  await list.waitFor({ state: 'detached' })
  await page.keyboard.press('?')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Words to look for' }).fill('shortcuts')
  await page.keyboard.press('Enter')
  await list.getByLabel('Shortcuts of single keys').check()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Words to look for' }).fill('words')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
})

test(
  'the menu of the header leads to the account and out, by keyboard and on a phone',
  { skip },
  async () => {
    await page.goto(`${site!.origin}/money?paid=cs_test_old`)
    await heading('Billing').waitFor()
    assert.match(page.url(), /\/billing\?paid=cs_test_old$/)
    await page.getByLabel('Account menu').focus()
    await page.keyboard.press('Enter')
    await page.getByText('ways@example.org').first().waitFor()
    assert.deepEqual(await seriousFaults(page), [])
    await picture(page, 'ways-menu', false)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await heading('Account').waitFor()

    await page.setViewportSize(PHONE)
    await page.goto(`${site!.origin}/jobs`)
    await page.getByRole('button', { name: 'Menu', exact: true }).click()
    await picture(page, 'ways-phone-menu', false)
    assert.deepEqual(await seriousFaults(page), [])
    await page.getByRole('link', { name: 'Interviews' }).waitFor()
    await page.getByRole('button', { name: 'Menu', exact: true }).click()
    await page.getByRole('link', { name: 'Interviews' }).click()
    await heading('Interviews').waitFor()
    await picture(page, 'ways-phone-job')
    await page.getByRole('button', { name: 'Menu', exact: true }).click()
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('button', { name: 'Sign out' })
      .click()
    await page.waitForURL(/\/welcome$/)
    assert.deepEqual(opened?.complaints, [])
  },
)
