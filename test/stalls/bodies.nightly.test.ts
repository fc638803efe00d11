/** The longest transcript that is written beside other work: each of its forms takes one short turn. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTextReader, READ_HERE_BYTES } from '../../src/features/transcripts/read-stored.ts'
import { FILE_FORMS } from '../../src/model/files/catalogue.ts'
import {
  contentBytesOf,
  packBody,
  segmentsOfStored,
} from '../../src/model/transcripts/transcript-body.ts'
import type { Segment } from '../../src/model/transcripts/transcript.ts'
import { writeForm } from '../../src/model/files/write-form.ts'
import { leastMs, longestTurnMs } from './measure.ts'

const WORDS = ['said', 'that', 'were', 'three', 'the', 'longest', 'of', 'all', 'captions', 'so far']
const FORMS = [...FILE_FORMS, 'text'] as const
const LONGEST_MS = longestTurnMs()
const RUNS = 5
const SEGMENT_BYTES = 34

/** Returns segments with characters that three forms write differently. */
function segmentsOf(count: number): Segment[] {
  return Array.from({ length: count }, (_, at) => {
    const words = [0, 7, 3, 5, 1].map((step) => WORDS[(at * step + (at % 11)) % WORDS.length])
    const text = `& "${words.join(' ')}" ${at}`.slice(0, SEGMENT_BYTES - 6)
    return { startMs: at * 2_000, endMs: at * 2_000 + 1_900, text }
  })
}

const segments = segmentsOf(Math.floor(READ_HERE_BYTES / SEGMENT_BYTES))
const body = packBody(segments)

test('it is about as long as what is written here may be', () => {
  const share = contentBytesOf(body) / READ_HERE_BYTES
  assert.ok(share > 0.8 && share <= 1, `${share}`)
})

for (const form of FORMS) {
  test(`its ${form} is written in a turn`, () => {
    const ms = leastMs(() => writeForm(segments, form), { enoughMs: LONGEST_MS / 2, runsMax: RUNS })
    assert.ok(ms < LONGEST_MS, `${ms} ms`)
  })
}

test('its body is opened in a turn', async () => {
  const [at, cpu] = [performance.now(), process.cpuUsage()]
  assert.equal(segmentsOfStored(body).length, segments.length)
  const used = process.cpuUsage(cpu)
  const ms = Math.min(performance.now() - at, (used.user + used.system) / 1_000)
  assert.ok(ms < LONGEST_MS, `${ms} ms`)
})

test('a longer one is written in a thread, in the same bytes', async () => {
  const textReader = openTextReader()
  after(() => textReader.close())
  const longer = segmentsOf(segments.length * 2)
  const written = await textReader.writeForms(packBody(longer), FORMS)
  assert.deepEqual(
    written.map(({ form }) => form),
    FORMS,
  )
  for (const { form, content } of written) assert.ok(content.equals(writeForm(longer, form)), form)
})
