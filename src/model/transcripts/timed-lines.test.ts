/** Lines with their times, from segments that are parsed piece by piece. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { written } from '../../../test/support/written.ts'
import { segmentPieces, timedLines } from './readable-text.ts'

/** Words that look like what parts two segments. */
const text = fc.oneof(fc.string(), fc.constantFrom('},{"startMs":', '"},{"startMs":1', '\\"},{\\"'))
const segment = fc.record({ startMs: fc.nat(), endMs: fc.nat(), text }, { noNullPrototype: true })

test('the pieces of stored segments, parsed one by one, are the segments', () => {
  fc.assert(
    fc.property(fc.array(segment), fc.integer({ min: 1, max: 200 }), (segments, charsEach) => {
      const pieces = [...segmentPieces(written(segments, 'json'), charsEach)]
      assert.deepEqual(
        pieces.flatMap((piece) => JSON.parse(piece) as unknown[]),
        segments,
      )
    }),
  )
})

test('a line begins with its time in hours, minutes and seconds', () => {
  const at = (startMs: number) => ({ startMs, endMs: startMs + 1, text: 'words' })
  assert.equal(
    timedLines([at(0), at(59_999), at(3_723_000), at(36_000_000)]),
    '[0:00:00] words\n[0:00:59] words\n[1:02:03] words\n[10:00:00] words\n',
  )
})
