/** Bodies: segments come back equal, whatever their words and times. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { oneLineSegments } from './one-line.ts'
import { editionOf, packBody, segmentsOfStored } from './transcript-body.ts'
import { writeForm } from '../files/write-form.ts'

const segment = fc.record({
  startMs: fc.oneof(
    fc.nat(9_000_000),
    fc.nat(2 ** 31 - 1).map((ms) => ms * 1_000),
  ),
  endMs: fc.nat(9_000_000),
  text: fc.string({ unit: 'grapheme' }),
})

test('segments come back as they were, in any order and of any length', () => {
  fc.assert(
    fc.property(fc.array(segment), (given) => {
      const segments = oneLineSegments(given)
      assert.deepEqual(segmentsOfStored(packBody(segments)), segments)
    }),
  )
})

test('what is no body is refused', () => {
  for (const read of [segmentsOfStored, editionOf])
    assert.throws(() => read(Buffer.from('neither')), /has an edition that we know/)
})

test('a body says in which edition its forms are recorded', () => {
  const segments = [{ startMs: 100, endMs: 2_000, text: 'words' }]
  for (const edition of [1, 2] as const) {
    const body = packBody(segments, edition)
    assert.equal(editionOf(body), edition)
    assert.deepEqual(segmentsOfStored(body), segments)
  }
  assert.equal(editionOf(packBody(segments)), 2)
})

test('a body takes a tenth of the bytes of its forms', () => {
  const segments = Array.from({ length: 5_000 }, (_, at) => ({
    startMs: at * 2_000,
    endMs: at * 2_000 + 1_900,
    text: `the ${at % 97} words of ${at % 89} that ${at % 83} were said`,
  }))
  const forms = (['txt', 'json', 'srt', 'vtt'] as const).map((form) => writeForm(segments, form))
  const bytes = forms.reduce((sum, { length }) => sum + length, 0)
  assert.ok(packBody(segments).length < bytes / 10)
})
