/** The words of a text in the reader: marked while they are spoken, played by a click or by keys, unsure ones shown. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { until } from '../support/until.ts'
import {
  boxAtRest,
  isTooWide,
  noBrowser as skip,
  openWindow,
  type Page,
  PHONE,
  picture,
  runJobOnPage,
  selectText,
  seriousFaults,
  signUpInBrowser,
  startSite,
} from './site.ts'
import { playedMs, playerIsAt, standInForPlayer } from './stand-in-player.ts'

type Word = { startMs: number; endMs: number; text: string; confidence: number | null }

const site = skip === false ? await startSite({ after }) : null
const opened =
  site === null
    ? null
    : await openWindow(site.browser, {
        viewport: { width: 1440, height: 900 },
        permissions: ['clipboard-read', 'clipboard-write'],
      })
const page = opened?.page as Page
const jobId = site === null ? '' : await prepared()
const { index, words } = site === null ? { index: 0, words: [] } : await firstUnsure()

async function prepared(): Promise<string> {
  await standInForPlayer(opened!.context)
  await signUpInBrowser(site!, page, 'words@example.org')
  return runJobOnPage(site!, page, '@smallworkshop', 12)
}

/** Returns the words of a row, by the link of the site's menu; none where there are none. */
async function wordsOfRow(id: string, row: number): Promise<Word[]> {
  const path = `/account/files/${id}/${row}.words.json`
  const answer = await page.evaluate<{ words?: Word[] }>(`fetch('${path}').then((it) => it.json())`)
  return answer.words ?? []
}

async function firstUnsure(): Promise<{ index: number; words: Word[] }> {
  for (let row = 1; row <= 12; row += 1) {
    const found = await wordsOfRow(jobId, row)
    if (found.some(({ confidence }) => confidence !== null && confidence < 0.6))
      return { index: row, words: found }
  }
  throw new Error('no text of the channel has unsure words')
}

const text = () => page.getByRole('group', { name: /^Transcript/ })
const spoken = () => page.locator('[data-spoken]')
const play = () => page.getByRole('button', { name: 'Play beside the text' }).click()

async function openReader(row = index): Promise<void> {
  await page.goto(`${site!.origin}/jobs`)
  await page.goto(`${site!.origin}/jobs/${jobId}/${row}`)
  await page.locator('[data-index="1"]').waitFor()
}

/** Waits until the word is the one that is marked. */
async function marks(word: Word): Promise<void> {
  await until(`${word.text} is marked`, async () => {
    const marked = await spoken().allTextContents()
    return marked.join('') === word.text.trim()
  })
}

/** A word in the middle of the fourth paragraph or so, which differs from the words beside it. */
const someWord = (): number =>
  words.findIndex(
    ({ text: said }, at) =>
      at > 60 && said.startsWith(' ') && said.length > 5 && words[at - 1]?.text !== said,
  )

test('the word that is spoken is marked, and its times are read with the player only', async (t) => {
  if (skip !== false) return t.skip(skip)
  const asked: string[] = []
  page.on('request', (request) => request.url().includes('words.json') && asked.push(request.url()))
  await openReader()
  assert.equal(await text().count(), 0)
  assert.deepEqual(asked, [])
  await play()
  await text().waitFor()
  assert.equal(asked.length, 1)
  const at = someWord()
  for (const word of [words[at]!, words[at + 1]!, words[at + 40]!]) {
    await playerIsAt(page, word.startMs + 1)
    await marks(word)
  }
  assert.ok((await page.locator('[data-said]').count()) >= 2, 'and the line around it')
  assert.deepEqual(await seriousFaults(page), [])
  await picture(page, 'words-spoken', false)

  // While the video plays, words that begin before it tells its position again are marked in time.
  const next = words[at + 1]!
  for (const beforeMs of [150, 100]) await playerIsAt(page, next.startMs - beforeMs)
  await marks(next)
})

test('a click on a word plays it from its own beginning', { skip }, async () => {
  const at = someWord() + 3
  const word = words[at]!
  await playerIsAt(page, word.startMs)
  await marks(word)
  const box = await boxAtRest(spoken())
  await playerIsAt(page, words[at + 30]!.startMs)
  await marks(words[at + 30]!)
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
  await until('the player is there', async () => (await playedMs(page)) === word.startMs)
  await marks(word)
})

test('keys choose a word and play it, with one stop for all of them', { skip }, async () => {
  const at = someWord()
  await playerIsAt(page, words[at]!.startMs)
  await marks(words[at]!)
  assert.equal(await text().locator('a:not([data-time]), button, [tabindex]').count(), 0)
  await text().focus()
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowLeft'])
    await page.keyboard.press(key)
  const chosen = page.locator('[data-chosen]')
  await until('the next word is chosen', async () => {
    return (await chosen.allTextContents()).join('') === words[at + 1]!.text.trim()
  })
  await page
    .getByRole('status')
    .filter({ hasText: words[at + 1]!.text.trim() })
    .waitFor()
  assert.deepEqual(await seriousFaults(page), [])
  await picture(page, 'words-keys', false)
  await page.keyboard.press('Enter')
  await until('it plays', async () => (await playedMs(page)) === words[at + 1]!.startMs)
  await page.keyboard.press('Tab')
  await chosen.waitFor({ state: 'detached' })
})

test('unsure words are underlined on wish, and say how unsure they are', { skip }, async () => {
  await openReader()
  const unsure = page.locator('p u')
  assert.equal(await unsure.count(), 0)
  await page.getByLabel(/captions and source$/).click()
  await page.getByText('automatic').first().waitFor()
  await page.getByLabel('Underline unsure words').check()
  await unsure.first().waitFor()
  await picture(page, 'words-facts', false)
  assert.deepEqual(await seriousFaults(page), [])
  await page.keyboard.press('Escape')
  assert.match((await unsure.first().getAttribute('title')) ?? '', /^Unsure: \d\d? %$/)
  const first = words.find(({ confidence }) => confidence !== null && confidence < 0.6)!
  assert.equal(await unsure.first().textContent(), first.text.trim())

  // Shown again when the page is opened anew, and split lines are quoted and searched as before.
  await page.reload()
  await unsure.first().waitFor()
  await play()
  await playerIsAt(page, first.startMs)
  await marks(first)
  await picture(page, 'words-unsure', false)
  const line = page.locator('[data-index]:has([data-spoken])')
  const plain = await line.locator('p').innerText()
  await page.getByLabel('Search in this transcript').fill(first.text.trim())
  await page.locator('mark[data-current]').waitFor()
  assert.equal(await line.locator('p').innerText(), plain)
  await selectText(page, [line.locator('p'), 4, 16], [line.locator('p'), 180, 82])
  const bar = page.getByRole('group', { name: 'Quote' })
  const selected = await page.evaluate<string>('getSelection().toString()')
  await bar.getByRole('button', { name: 'Copy quote' }).click()
  await until('it is copied', async () => {
    const copied = await page.evaluate<string>('navigator.clipboard.readText()')
    return copied.startsWith(`“${selected.replace(/\s+/g, ' ').trim()}”`)
  })
})

test(
  'readers who asked for less motion see no word move, and play by a click',
  { skip },
  async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await openReader()
    await play()
    await text().waitFor()
    const word = words[someWord()]!
    await playerIsAt(page, word.startMs)
    const said = page.locator('[data-said]')
    await said.first().waitFor()
    const box = await boxAtRest(said.first())
    await page.mouse.click(box.x + 3, box.y + box.height / 2)
    await until('a word is played', async () => {
      const ms = await playedMs(page)
      return ms !== word.startMs && words.some(({ startMs }) => startMs === ms)
    })
    assert.equal(await spoken().count(), 0)
    await page.emulateMedia({ reducedMotion: 'no-preference' })
  },
)

test('on a phone and in the dark words and facts stay within the page', { skip }, async () => {
  await page.setViewportSize(PHONE)
  await page.emulateMedia({ colorScheme: 'dark' })
  await openReader()
  await play()
  await playerIsAt(page, words[someWord()]!.startMs)
  await marks(words[someWord()]!)
  await spoken().scrollIntoViewIfNeeded()
  assert.equal(await isTooWide(page), false)
  assert.deepEqual(await seriousFaults(page), [])
  await picture(page, 'words-phone-dark', false)
  await page.evaluate('scrollTo(0, 0)')
  await page.getByLabel(/captions and source$/).click()
  await page.getByLabel('Underline unsure words').uncheck()
  assert.equal(await isTooWide(page), false)
  assert.deepEqual(await seriousFaults(page), [])
  await picture(page, 'words-facts-phone-dark', false)
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1440, height: 900 })
})

test('the words are among the files of the text', { skip }, async () => {
  await openReader()
  for (const [name, ending] of [
    ['Words with times, JSON', /\.words\.json$/],
    ['Words with times, VTT', /\.words\.vtt$/],
  ] as const) {
    await page.getByText('Actions', { exact: true }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name }).click()
    assert.match((await download).suggestedFilename(), ending)
  }
  await page.goto(`${site!.origin}/jobs/${jobId}`)
  await page.getByText('Other files').click()
  await page.getByText('More formats').click()
  const zip = page.waitForEvent('download')
  await page.getByRole('link', { name: 'ZIP with the times of words' }).click()
  assert.match((await zip).suggestedFilename(), /\.zip$/)
})

test('a text without times of words says why, and plays as before', { skip }, async () => {
  const { pool } = site!.database
  const key = [jobId, index]
  const body = 'update transcript_body set word_times = null where (job_id, index) = ($1, $2)'
  await pool.query(body, key)
  await openReader()
  await page.getByLabel(/captions and source$/).click()
  const none = 'None are kept: the platform published none, or this service keeps none.'
  await page.getByText(none).waitFor()
  await page.getByText(/^Fetched .+ as json3, \d+ KB\.$/).waitFor()
  await page.getByRole('button', { name: 'Copy the SHA-256' }).click()
  await until('it is copied', async () => {
    return /^[0-9a-f]{64}$/.test(await page.evaluate<string>('navigator.clipboard.readText()'))
  })

  const source = 'update transcript set source_sha256 = null where (job_id, index) = ($1, $2)'
  await pool.query(source, key)
  await openReader()
  await page.getByLabel(/captions and source$/).click()
  await page.getByText('No times of words: this text was fetched before they were kept.').waitFor()
  await picture(page, 'words-old', false)
  assert.deepEqual(await seriousFaults(page), [])
  await page.keyboard.press('Escape')
  await play()
  await playerIsAt(page, words[someWord()]!.startMs)
  await page.locator('[data-said]').first().waitFor()
  assert.equal(await spoken().count(), 0)
  assert.equal(await text().count(), 0)
})

test('eleven hours of words are followed with a few elements in the page', { skip }, async () => {
  const { videoId } = site!.platform.world.special('eleven-hours')
  const id = await runJobOnPage(site!, page, videoId, 1)
  const all = await wordsOfRow(id, 1)
  assert.ok(all.length > 90_000, `${all.length} words`)
  await page.goto(`${site!.origin}/jobs/${id}/1`)
  await page.getByText(/^[\d,]+ words, [\d,]+ minutes to read$/).waitFor()
  await play()
  await text().waitFor()
  // The text follows from where it is seen: the player has said twice that it is at the beginning.
  for (const ms of [0, 1]) await playerIsAt(page, ms)
  await page.locator('[data-said]').first().waitFor()
  for (const at of [50_000, 89_999, 12]) {
    await playerIsAt(page, all[at]!.startMs)
    await marks(all[at]!)
    await until('it is in sight', async () => {
      const { y = -1 } = (await spoken().boundingBox()) ?? {}
      return y > 0 && y < 900
    })
  }
  const elements = await text().locator('*').count()
  assert.ok(elements < 400, `${elements} elements`)
  const ours = opened?.complaints.filter((said) => !said.includes('youtube-nocookie.com'))
  assert.deepEqual(ours, [])
})
