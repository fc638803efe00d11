/** Pages of results over many rows: in order of completion while the job runs, of index once it is final. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { NO_DETAILS } from '../../src/model/library/video-details.ts'
import { finishJob } from '../../src/features/jobs/attempt.ts'
import { recordRows } from '../../src/features/jobs/record-rows.ts'
import { planPage } from '../../src/features/jobs/plan-rows.ts'
import { newPlan } from '../../src/model/jobs/selection.ts'
import { storeTranscript } from '../../src/model/files/transcript-forms.ts'
import type { Json } from '../../tools/conformance/http.ts'
import { sharedService } from '../support/shared-service.ts'
import { claimAndBegin } from '../support/claims.ts'

const ROWS = 40
const TITLES = [
  'A day at the zoo',
  '100 % sure',
  'under_score',
  'ZÜRICH und Köln',
  'Back\\slash',
  'Ein Tag im Zoo',
  '50%_off',
]

const { service, customer } = await sharedService({ after }, ['api'])
const { db } = service.context
const buyer = await customer('10')
let made = 0

/** Makes a running job with rows planned; `finishes(n)` records the next n in an order far from that of index. */
async function runningJob() {
  const job = await buyer.startsJob({
    urls: `https://www.youtube.com/watch?v=jNQXAC9IVRw&page=${(made += 1)}`,
  })
  const owned = { jobId: job.id, accountId: buyer.accountId }
  const begun = await claimAndBegin(db, owned, { lostMax: 5, timeLimitMs: 3_600_000 })
  const { attempt } = begun!
  const rows = Array.from({ length: ROWS }, (_, at) => ({
    kind: 'planned' as const,
    index: at + 1,
    source: 0,
    videoId: `video${String(at).padStart(6, '0')}`,
    url: 'https://x.test',
    title: null,
    channelName: null,
    publishedAt: null,
  }))
  const plan = { ...newPlan(), nextIndex: ROWS + 1, slotsTaken: ROWS, discovered: ROWS }
  await planPage(db, attempt, { rows, plan, sources: [], isPlanned: true })
  const order = rows.map(({ index }) => index).sort((a, b) => ((a * 17) % 41) - ((b * 17) % 41))
  const transcript = await storeTranscript(
    {
      languageCode: 'en',
      trackKind: 'asr',
      segments: [{ startMs: 0, endMs: 900, text: 'words' }],
      source: null,
    },
    ['text'],
  )
  const finishes = async (count: number): Promise<void> => {
    for (const index of order.splice(0, count)) {
      const { videoId, url } = rows[index - 1]!
      const known = {
        videoId,
        url,
        title: TITLES[index % TITLES.length]!,
        channelName: null,
        publishedAt: null,
        errorMessage: null,
        label: 'x',
      }
      const content =
        index % 3 === 0
          ? { ...known, status: 'private' as const, languageCode: null, trackKind: null }
          : { ...known, status: 'success' as const, languageCode: 'en', trackKind: 'asr' as const }
      const text = index % 3 === 0 ? null : transcript
      const row = { index, content, transcript: text, history: null, details: NO_DETAILS }
      await recordRows(db, attempt, [row], null)
    }
  }
  const ends = (): Promise<unknown> => finishJob(db, attempt, { event: 'finish', error: null })
  return { id: job.id as string, order: [...order], finishes, ends }
}

const indexesOf = (page: Json): number[] => page.videos.map((row: Json) => row.index)

test('while a job runs, paging neither skips nor repeats a row, however many finish between the pages', async () => {
  const { id, order, finishes, ends } = await runningJob()
  await finishes(10)
  const seen: number[] = []
  for (let offset = 0; seen.length < ROWS;) {
    const page = await buyer.gets(`/jobs/${id}/results?limit=7&offset=${offset}`)
    assert.equal(page.complete, false)
    assert.equal(page.nextOffset, offset + 7 < page.total ? offset + 7 : null)
    seen.push(...indexesOf(page))
    offset += page.videos.length
    await finishes(5)
  }
  assert.deepEqual(seen, order)

  await ends()
  const final = await buyer.gets(`/jobs/${id}/results?limit=200`)
  assert.equal(final.complete, true)
  assert.deepEqual(
    indexesOf(final),
    Array.from({ length: ROWS }, (_, at) => at + 1),
  )
})

test('filters page through what matches, in the same order, with its own total', async () => {
  const { id, order, finishes, ends } = await runningJob()
  await finishes(25)
  const sofar = order.slice(0, 25)
  const pagesOf = async (query: string): Promise<number[]> => {
    const seen: number[] = []
    for (let offset: number | null = 0; offset !== null;) {
      const page: Json = await buyer.gets(`/jobs/${id}/results?${query}&limit=3&offset=${offset}`)
      seen.push(...indexesOf(page))
      offset = page.nextOffset
      if (offset === null) assert.equal(page.total, seen.length)
    }
    return seen
  }
  assert.deepEqual(
    await pagesOf('status=private&view=rows'),
    sofar.filter((index) => index % 3 === 0),
  )
  await finishes(ROWS)
  await ends()
  const all = Array.from({ length: ROWS }, (_, at) => at + 1)
  const titled = (test: (title: string) => boolean): number[] =>
    all.filter((index) => test(TITLES[index % TITLES.length]!))
  for (const [text, has] of [
    ['ZOO', (title: string) => /zoo/i.test(title)],
    ['%', (title: string) => title.includes('%')],
    ['_', (title: string) => title.includes('_')],
    ['\\', (title: string) => title.includes('\\')],
    ['zürich', (title: string) => title.startsWith('ZÜ')],
    ['nothing like it', () => false],
  ] as const) {
    assert.deepEqual(await pagesOf(`q=${encodeURIComponent(text)}&view=rows`), titled(has), text)
  }
  const both = await pagesOf('q=zoo&status=private,unchanged')
  assert.deepEqual(
    both,
    titled((title) => /zoo/i.test(title)).filter((index) => index % 3 === 0),
  )
})

test('a page without texts travels compressed in any encoding, though nothing of it is stored so', async () => {
  const { id, finishes, ends } = await runningJob()
  await finishes(ROWS)
  await ends()
  const answerIn = async (encoding: string): Promise<http.IncomingMessage> => {
    const headers = { Authorization: `Bearer ${buyer.apiKey}`, 'Accept-Encoding': encoding }
    const path = `${service.address}/api/v1/jobs/${id}/results?view=rows`
    return ((await once(http.get(path, { headers }), 'response')) as [http.IncomingMessage])[0]
  }
  const plain = await buffer(await answerIn('identity'))
  for (const encoding of ['gzip', 'br', 'zstd']) {
    const answer = await answerIn(encoding)
    assert.equal(answer.headers['content-encoding'], encoding)
    assert.match(answer.headers.vary ?? '', /Accept-Encoding/)
    const bytes = (await buffer(answer)).length
    assert.ok(bytes < plain.length / 5, `${encoding}: ${bytes} of ${plain.length} bytes`)
  }
})
