/** A library of tens of thousands of texts: a reader of one of its files keeps no other caller waiting. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { OutgoingHttpHeaders } from 'node:http'
import { after, test } from 'node:test'
import { addLibrary, LARGE_CHANNEL } from '../support/large-library.ts'
import { openFleet, worstStallMs } from '../machines/fleet.ts'
import { longestTurnMs } from '../stalls/measure.ts'

const TEXTS = 100_000
/** Texts of each job that a ZIP can hold, beside as many of each other: 65,000 files are its limit. */
const ZIPPED: [file: string, textsAJob: number][] = [
  ['zip?formats=text', 320],
  ['zip', 80],
  ['vault.zip', 80],
]
/** Longest turn in processor time, so that a busy machine changes little. */
const LONGEST_MS = longestTurnMs()
const FILES: [string, OutgoingHttpHeaders][] = [
  ['all.txt', {}],
  ['report.csv', {}],
  ['export.md', {}],
  ['export.jsonl', {}],
  ['export.4cat.csv', {}],
  ['export.csl.json', {}],
  ['notebook.zip', {}],
  ['all.txt', { 'Accept-Encoding': 'gzip' }],
]
/**
 * Most rounds: the first one also compiles and collects earlier garbage, so that only one that was too long is
 * repeated.
 */
const ROUNDS_MAX = 2

const fleet = await openFleet({ after })
const one = await fleet.start({ ROLES: 'api' }, { isProbed: true })
const who = await fleet.customer(one)
await addLibrary(fleet.database.pool, {
  texts: TEXTS,
  collections: 1,
  videosEach: 0,
  accountId: who.accountId,
  transcript: {
    languageCode: 'en',
    trackKind: 'asr',
    segments: [{ startMs: 0, endMs: 2_000, text: 'What is said in a short video.' }],
    source: null,
  },
})

for (const [file, headers] of FILES) {
  const name = [file, ...Object.values(headers)].join(' as ')
  test(`${name} of ${TEXTS} texts begins in turns that others can wait for`, async () => {
    await isReadInTurns(async () => {
      const body = await who.opens(`/library/${LARGE_CHANNEL}/files/${file}`, headers)
      await once(body, 'data')
      body.destroy()
    })
  })
}

for (const [file, textsAJob] of ZIPPED) {
  test(`${file} of as many texts as fit it is sent in turns that others can wait for`, async () => {
    await fleet.database.pool.query('delete from collection_video where index > $1', [textsAJob])
    await isReadInTurns(async () => {
      const body = await who.opens(`/library/${LARGE_CHANNEL}/files/${file}`)
      for await (const piece of body) assert.ok(piece.length > 0)
    })
  })
}

/** Fails where the process stood still for too long during the reading, in each of the rounds. */
async function isReadInTurns(read: () => Promise<void>): Promise<void> {
  const stalls: number[] = []
  const isLong = (): boolean => !(Math.min(...stalls) < LONGEST_MS)
  while (isLong() && stalls.length < ROUNDS_MAX) {
    await worstStallMs(one)
    await read()
    stalls.push(await worstStallMs(one))
  }
  assert.ok(!isLong(), `turns of ${stalls.join(' and ')} ms`)
}
