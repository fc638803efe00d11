/** The words of a text in the reader: found by time and by place, whatever the segments are. */
import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'

// The website's sources are checked by their own compiler settings, so they are loaded by address.
const web = path.resolve(import.meta.dirname, '../../web/src')
const { readingOf } = await import(path.join(web, 'reading.ts'))
const { firstWordFrom, placeOfWord, unsureIn, wordAt, wordIn, wordTimesOf } = await import(
  path.join(web, 'word-times.ts')
)

type Segment = { startMs: number; endMs: number; text: string }
type Word = { startMs: number; endMs: number; text: string; confidence: number | null }

/** Returns the words of a segment as words.json has them: one every half second, each with the blank before it. */
function wordsOf({ startMs, text }: Segment, confidence: number | null = null): Word[] {
  const pieces = text.match(/(?:^| )[^ ]+/g) ?? []
  return pieces.map((piece, at) => ({
    startMs: startMs + at * 500,
    endMs: startMs + at * 500 + 500,
    text: piece,
    confidence,
  }))
}

const segments: Segment[] = [
  { startMs: 0, endMs: 4_000, text: 'one two three' },
  { startMs: 4_000, endMs: 6_000, text: 'four five.' },
  { startMs: 60_000, endMs: 62_000, text: '[Music]' },
  { startMs: 62_000, endMs: 66_000, text: '[Music] seven eight' },
]
/** The third segment has no words: the platform timed none in it. */
const words = [0, 1, 3].flatMap((at) => wordsOf(segments[at]!, at === 3 ? 0.412 : 0.9))
const times = wordTimesOf(readingOf(segments), words)

const textOf = (word: number | null): string | null => {
  if (word === null) return null
  const { paragraph, from, to } = placeOfWord(times, word)
  return times.reading.paragraphs[paragraph].text.slice(from, to)
}

test('a word is marked from its own time until the next one, and none in a pause', () => {
  assert.equal(textOf(wordAt(times, 0)), 'one')
  assert.equal(textOf(wordAt(times, 499)), 'one')
  assert.equal(textOf(wordAt(times, 500)), 'two')
  assert.equal(textOf(wordAt(times, 4_700)), 'five.')
  assert.equal(wordAt(times, 30_000), null)
  assert.equal(wordAt(times, 61_000), null, 'a segment without times')
  assert.equal(textOf(wordAt(times, 62_500)), 'seven')
  assert.equal(wordAt(times, 70_000), null)
})

test('a place leads to its word, and to none in a segment without times', () => {
  const { paragraph, from } = placeOfWord(times, 2)
  assert.equal(textOf(wordIn(times, paragraph, from)), 'three')
  assert.equal(textOf(wordIn(times, paragraph, from + 4)), 'three')
  assert.equal(textOf(wordIn(times, paragraph, from - 1)), 'two', 'the blank before it')
  assert.equal(wordIn(times, 1, 2), null)
  assert.equal(textOf(wordIn(times, 1, 10)), '[Music]')
  assert.equal(textOf(firstWordFrom(times, 1)), '[Music]')
})

test('unsure words are those below the bound, in their paragraph, and always the same array', () => {
  assert.deepEqual(unsureIn(times, 0), [])
  const { text } = times.reading.paragraphs[1]
  const said = unsureIn(times, 1).map(([from, to, percent]: [number, number, number]) => [
    text.slice(from, to),
    percent,
  ])
  assert.deepEqual(said, [
    ['[Music]', 41],
    ['seven', 41],
    ['eight', 41],
  ])
  assert.equal(unsureIn(times, 1), unsureIn(times, 1))
})

test('every word is found by its time and by its place, in any text', () => {
  const line = fc.array(fc.constantFrom('a', 'bee', 'river.', '>> quiet', '日本の話', '[Music]'), {
    minLength: 1,
    maxLength: 6,
  })
  const lines = fc.array(fc.record({ line, hasWords: fc.boolean() }), { minLength: 1 })
  fc.assert(
    fc.property(lines, (said) => {
      const made = said.map(({ line: texts }, at) => ({
        startMs: at * 7_000,
        endMs: at * 7_000 + 6_500,
        text: texts.join(' '),
      }))
      const timed = made.filter((_, at) => said[at]?.hasWords)
      const told = timed.flatMap((segment) => wordsOf(segment))
      const table = wordTimesOf(readingOf(made), told)
      assert.equal(table.froms.length, told.length)
      for (const [index, word] of told.entries()) {
        const { paragraph, from, to } = placeOfWord(table, index)
        assert.equal(table.reading.paragraphs[paragraph].text.slice(from, to), word.text.trim())
        assert.equal(wordIn(table, paragraph, from), index)
        assert.equal(wordAt(table, word.startMs), index)
      }
    }),
  )
})
