/** The words of a very long text, bought for $0.008: whoever asks for them keeps no other caller waiting. */
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { after, test } from 'node:test'
import { addLibrary, LARGE_CHANNEL } from '../support/large-library.ts'
import type { Segment } from '../../src/model/transcripts/transcript.ts'
import { WORD_FILES } from '../../src/model/files/catalogue.ts'
import { openFleet, worstStallMs } from '../machines/fleet.ts'
import { longestTurnMs } from '../stalls/measure.ts'

const WORDS = 600_000
const WORDS_A_CUE = 10
/** The first round also compiles and collects earlier garbage, so that only one that was too long is repeated. */
const ROUNDS_MAX = 3
/** Half of what a turn took when the whole file was made, copied and hashed for each of these. */
const LONGEST_MS = longestTurnMs() / 2

const segments = Array.from({ length: WORDS / WORDS_A_CUE }, (_, at): Segment => {
  const words = Array.from({ length: WORDS_A_CUE }, (_word, nth) => {
    return { chars: nth === 0 ? 4 : 5, offsetMs: nth * 180, confidence: nth / WORDS_A_CUE }
  })
  const text = Array.from({ length: WORDS_A_CUE }, () => 'said').join(' ')
  return { startMs: at * 2_000, endMs: at * 2_000 + 1_900, text, words }
})

const fleet = await openFleet({ after })
const service = await fleet.start({ ROLES: 'api' }, { isProbed: true })
const who = await fleet.customer(service)
await addLibrary(fleet.database.pool, {
  texts: 1,
  collections: 1,
  videosEach: 0,
  accountId: who.accountId,
  transcript: { languageCode: 'en', trackKind: 'asr', segments, source: null },
})

for (const file of WORD_FILES) {
  const path = `/jobs/job-${LARGE_CHANNEL}-0/videos/1/${file}`
  const { etag, size } = await wholeOf(path)
  const asked: [name: string, method: string, headers: IncomingHttpHeaders, expected: number][] = [
    ['as a whole', 'GET', {}, 200],
    ['by HEAD', 'HEAD', {}, 200],
    ['for its first byte', 'GET', { range: 'bytes=0-0' }, 206],
    ['for its last byte', 'GET', { range: 'bytes=-1' }, 206],
    ['for bytes behind its end', 'GET', { range: `bytes=${size}-` }, 416],
    ['whether it changed', 'GET', { 'if-none-match': etag }, 304],
  ]
  for (const [name, method, headers, expected] of asked)
    test(`${file} of ${WORDS} words, asked for ${name}, is answered in turns that others can wait for`, async (t) => {
      const stalls: number[] = []
      while (!(Math.min(...stalls) < LONGEST_MS) && stalls.length < ROUNDS_MAX) {
        await worstStallMs(service)
        const began = performance.now()
        const { status } = await who.asks(method, path, { headers: headers as never })
        t.diagnostic(`${Math.round(performance.now() - began)} ms`)
        assert.equal(status, expected)
        stalls.push(await worstStallMs(service))
      }
      t.diagnostic(`turns of ${stalls.map((ms) => ms.toFixed(1)).join(' and ')} ms`)
      assert.ok(Math.min(...stalls) < LONGEST_MS, `turns of ${stalls.join(' and ')} ms`)
    })
}

/** Returns the tag and size of a file, whose bytes are those that the tag is made of. */
async function wholeOf(path: string): Promise<{ etag: string; size: number }> {
  const { status, bytes, headers } = await who.asks('GET', path)
  assert.equal(status, 200)
  const etag = headers.get('etag') ?? ''
  assert.equal(etag, `"${hash('sha256', bytes)}"`)
  return { etag, size: bytes.length }
}
