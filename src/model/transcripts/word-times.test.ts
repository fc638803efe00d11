/** Word times: they come back as they were, joined words are the text, and a reader needs nothing of ours. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readWordTimes } from '../../../test/support/read-word-times.ts'
import { wordFilePieces } from '../../../test/support/word-files.ts'
import type { Segment, TimedWord } from './transcript.ts'
import { packWordTimes, type Word, wordsOfSegments } from './word-times.ts'

/** A segment whose words are cut anywhere, and go on after any time; some have none. */
const segment = fc
  .record({
    startMs: fc.nat(40_000_000),
    lengthMs: fc.nat({ max: 20_000 }).map((ms) => ms + 1),
    words: fc.array(
      fc.record({
        text: fc.oneof(
          fc.string({ minLength: 1, unit: 'grapheme' }),
          fc.constantFrom('word', ' word', 'two words', '字'),
        ),
        stepMs: fc.oneof(fc.nat(500), fc.nat(200_000)),
        confidence: fc.option(fc.nat(255)),
      }),
      { maxLength: 9 },
    ),
    isTimed: fc.boolean(),
  })
  .map(({ startMs, lengthMs, words, isTimed }): Segment => {
    const text = words.map((word) => word.text).join('')
    const plain = { startMs, endMs: startMs + lengthMs, text: text === '' ? 'untimed' : text }
    let offsetMs = 0
    const timed = words.map(({ text: { length: chars }, stepMs, confidence }): TimedWord => {
      offsetMs += stepMs
      return { chars, offsetMs, confidence }
    })
    return isTimed && timed.length > 0 ? { ...plain, words: timed } : plain
  })

/** Returns what the words of a segment are shown as, made from what was published, without packing. */
function shown({ startMs, endMs, text, words = [] }: Segment) {
  const begins = words.map(({ offsetMs }) => Math.min(startMs + offsetMs, endMs))
  let from = 0
  return words.map(({ chars }, at) => {
    from += chars
    const said = text.slice(from - chars, from)
    return { startMs: begins[at] ?? 0, endMs: begins[at + 1] ?? endMs, text: said }
  })
}

const timesOf = (words: readonly Word[]) =>
  words.map(({ startMs, endMs, text }) => ({ startMs, endMs, text }))

test('words come back with their times, wherever they are cut and whatever they say', () => {
  fc.assert(
    fc.property(fc.array(segment), (segments) => {
      const packed = packWordTimes(segments)
      if (packed === null) {
        assert.ok(segments.every(({ words = [] }) => words.length === 0))
        return
      }
      const read = wordsOfSegments(packed, segments)
      for (const [at, one] of segments.entries()) {
        const words = read[at] ?? []
        assert.deepEqual(timesOf(words), shown(one))
        if (words.length > 0) assert.equal(words.map(({ text }) => text).join(''), one.text)
      }
    }),
  )
})

test('a confidence comes back within half a percent; where every word has 0, none is known', () => {
  const of = (confidences: (number | null)[]): (number | null)[] => {
    const words = confidences.map((confidence, at) => ({ chars: 1, offsetMs: at, confidence }))
    const one = { startMs: 0, endMs: 99, text: 'x'.repeat(words.length), words }
    const packed = packWordTimes([one])
    assert.ok(packed !== null)
    return wordsOfSegments(packed, [one])
      .flat()
      .map(({ confidence }) => confidence)
  }
  assert.deepEqual(of([0, 0, 0]), [null, null, null])
  assert.deepEqual(of([0, 255, null]), [0, 1, null])
  for (const [at, confidence] of of(Array.from({ length: 256 }, (_, value) => value)).entries())
    assert.ok(Math.abs((confidence ?? 9) - at / 255) < 0.005, `${at} is shown as ${confidence}`)
})

test('words that do not make their segment are left out, and other segments keep theirs', () => {
  const good = { startMs: 0, endMs: 900, text: 'as said', words: [word(2, 0), word(5, 300)] }
  const short = { startMs: 900, endMs: 1_000, text: 'cut off', words: [word(3, 0)] }
  const packed = packWordTimes([short, good])
  assert.ok(packed !== null)
  assert.deepEqual(wordsOfSegments(packed, [short, good]).map(timesOf), [[], shown(good)])
  assert.equal(packWordTimes([short]), null)
})

test('a word has a time stamp within its cue, and none where the cue begins or ends', () => {
  const words = [word(3, 0), word(4, 300), word(4, 900), word(4, 1_200)]
  const one = { startMs: 1_000, endMs: 1_900, text: 'one two six ten', words }
  const wordTimes = packWordTimes([one])
  assert.ok(wordTimes !== null)
  const vtt = String(Buffer.concat(wordFilePieces([one], { file: 'words.vtt', wordTimes })))
  assert.match(vtt, /\none<00:00:01\.300><c> two<\/c> six ten\n/)
})

test('word times are read with their own transcript alone', () => {
  const one = { startMs: 0, endMs: 900, text: 'as said', words: [word(2, 0), word(5, 300)] }
  const packed = packWordTimes([one])
  assert.ok(packed !== null)
  assert.throws(() => wordsOfSegments(packed, []), /as many segments/)
  assert.throws(() => wordsOfSegments(Buffer.concat([Buffer.of(9), packed]), [one]), /an edition/)
})

test('a reader that knows only the layout reads what is packed', () => {
  fc.assert(
    fc.property(fc.array(segment), (segments) => {
      const packed = packWordTimes(segments)
      if (packed === null) return
      const words = readWordTimes(packed, segments).map((one) => ({
        ...one,
        confidence: one.confidence === null ? null : Number(one.confidence.toFixed(3)),
      }))
      assert.deepEqual(words, wordsOfSegments(packed, segments).flat())
    }),
  )
})

function word(chars: number, offsetMs: number): TimedWord {
  return { chars, offsetMs, confidence: null }
}
