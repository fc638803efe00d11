/** Tests of bodies: segments come back equal, whatever their words and times. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import zlib from 'node:zlib'
import fc from 'fast-check'
import { FORMATS, oneLineSegments } from './formats.ts'
import { written } from '../../../test/support/written.ts'
import { linesOf } from './lines.ts'
import { packRecorded, unpackRecorded } from './recorded-forms.ts'
import {
  isBody,
  packBody,
  segmentsOfStored,
  segmentsOfStoredSync,
  unpackBody,
} from './transcript-body.ts'
import { recordedForm, storedBody, storedTranscript } from './transcript-forms.ts'

const segment = fc.record({
  startMs: fc.oneof(
    fc.nat(9_000_000),
    fc.nat(2 ** 31 - 1).map((ms) => ms * 1_000),
  ),
  endMs: fc.nat(9_000_000),
  text: fc.string({ unit: 'grapheme' }),
})

test('segments come back as they were, in any order and of any length', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(segment), async (given) => {
      const segments = oneLineSegments(given)
      const body = await packBody(linesOf(segments))
      assert.ok(isBody(body))
      assert.deepEqual(await unpackBody(body), linesOf(segments))
      assert.deepEqual(segmentsOfStoredSync(body), segments)
    }),
  )
})

test('what is stored of a transcript is read, whichever way it is', async () => {
  const segments = [{ startMs: 100, endMs: 2_000, text: 'זה 🎉' }]
  const member = zlib.gzipSync(written(segments, 'json'))
  for (const stored of [member, await packBody(linesOf(segments))]) {
    assert.deepEqual(await segmentsOfStored(stored), segments)
    assert.deepEqual(segmentsOfStoredSync(stored), segments)
  }
  assert.throws(() => segmentsOfStoredSync(Buffer.from('neither')))
})

test('a body takes a sixth of the bytes of members, and records the same of each form', async () => {
  const segments = Array.from({ length: 5_000 }, (_, at) => ({
    startMs: at * 2_000,
    endMs: at * 2_000 + 1_900,
    text: `the ${at % 97} words of ${at % 89} that ${at % 83} were said`,
  }))
  const transcript = { languageCode: 'en', trackKind: 'asr', segments } as const
  for (const formats of [FORMATS, ['vtt'] as const]) {
    const [kept, members] = [
      await storedBody(transcript, formats),
      await storedTranscript(transcript, formats),
    ]
    const facts = members.forms.map(recordedForm)
    assert.deepEqual(kept.recorded, facts)
    const forms = facts.map(({ form }) => form)
    assert.deepEqual(
      unpackRecorded(packRecorded(facts), forms).map(({ form }) => form),
      forms,
    )
    assert.deepEqual(unpackRecorded(packRecorded(facts), forms), facts)
    assert.deepEqual([kept.textSha256, kept.words], [members.textSha256, members.words])
  }
  const whole = await storedTranscript(transcript, FORMATS)
  const gzipBytes = whole.forms.reduce((bytes, { gzip }) => bytes + gzip.length, 0)
  assert.ok((await packBody(linesOf(segments))).length < gzipBytes / 6)
})
