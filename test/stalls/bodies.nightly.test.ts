/** The longest transcript that is stored as a body: each of its forms is made in a turn that others can wait for. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FORMS_ALWAYS } from '../../src/model/transcripts/formats.ts'
import { linesOf } from '../../src/model/transcripts/lines.ts'
import { formContent, packedMember } from '../../src/model/transcripts/packed-forms.ts'
import { packBody, unpackBody } from '../../src/model/transcripts/transcript-body.ts'
import {
  BODY_BYTES_MAX,
  BODY_SEGMENTS_MAX,
  keptTranscript,
  longStored,
} from '../../src/model/transcripts/transcript-forms.ts'
import type { Segment, Transcript } from '../../src/model/transcripts/transcript.ts'
import { leastMs, longestTurnMs } from './measure.ts'

const WORDS = ['said', 'that', 'were', 'three', 'the', 'longest', 'of', 'all', 'captions', 'so far']
const LONGEST_MS = longestTurnMs()
const RUNS = 5

/** Each with a character that three forms write otherwise. */
function segmentsOf(count: number): Segment[] {
  const bytesEach = Math.floor(BODY_BYTES_MAX / BODY_SEGMENTS_MAX) - 1
  return Array.from({ length: count }, (_, at) => {
    const words = [0, 7, 3, 5, 1].map((step) => WORDS[(at * step + (at % 11)) % WORDS.length])
    return {
      startMs: at * 2_000,
      endMs: at * 2_000 + 1_900,
      text: `& "${words.join(' ')}" ${at}`.slice(0, bytesEach),
    }
  })
}

const lines = linesOf(segmentsOf(BODY_SEGMENTS_MAX))
/** Others were asked for in between: what all forms share is made again. */
const turns = ([...FORMS_ALWAYS, 'srt', 'vtt'] as const).flatMap(
  (form): [string, () => unknown][] => [
    [`the ${form}`, () => formContent({ ...lines }, form)],
    [`the member of the ${form}`, () => packedMember({ ...lines }, form)],
  ],
)
for (const [what, act] of turns) {
  test(`${what} of ${BODY_SEGMENTS_MAX} segments is made in a turn`, () => {
    const ms = leastMs(act, { enoughMs: LONGEST_MS / 2, runsMax: RUNS })
    assert.ok(ms < LONGEST_MS, `${ms} ms`)
  })
}

test('its body is opened in a turn', async () => {
  const body = await packBody(lines)
  const [at, cpu] = [performance.now(), process.cpuUsage()]
  assert.equal((await unpackBody(body)).segments.length, BODY_SEGMENTS_MAX)
  const used = process.cpuUsage(cpu)
  const ms = Math.min(performance.now() - at, (used.user + used.system) / 1_000)
  assert.ok(ms < LONGEST_MS, `${ms} ms`)
})

test('a longer one is stored in its forms, whatever the setting', async () => {
  const transcript = (count: number): Transcript => ({
    languageCode: 'en',
    trackKind: 'asr',
    segments: segmentsOf(count),
  })
  const [least, more] = [
    await longStored(transcript(BODY_SEGMENTS_MAX)),
    await longStored(transcript(BODY_SEGMENTS_MAX + 1)),
  ]
  assert.ok(least.body !== null && more.body === null)
  const known = { languageCode: 'en', trackKind: 'asr' } as const
  assert.ok(
    'recorded' in
      (await keptTranscript({ ...known, stored: least }, ['text'], { storage: 'body' })),
  )
  assert.ok(
    'forms' in (await keptTranscript({ ...known, stored: more }, ['text'], { storage: 'body' })),
  )
})
