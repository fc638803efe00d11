/** Places of a text in the reader: what a selection quotes, and what the times of a link mark. */
import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'

// The website's sources are checked by their own compiler settings, so they are loaded by address.
const { partIn, quoteIn, rangeAt, readingBeside, readingOf } = await import(
  path.resolve(import.meta.dirname, '../../web/src/reading.ts')
)

const said = (words: string[]) =>
  words.map((text, at) => ({ startMs: at * 4_000, endMs: at * 4_000 + 4_000, text }))

/** A reading of two paragraphs, since nothing is said for a while between them. */
const reading = readingOf([
  ...said(['one two three four', 'five six.']),
  { startMs: 60_000, endMs: 64_000, text: 'seven eight nine' },
])
const place = (paragraph: number, offset: number) => ({ paragraph, offset })
const whole = (paragraph: number) => reading.paragraphs[paragraph].text.length

test('a selection quotes its words and when they are said, without the blanks around them', () => {
  assert.equal(reading.paragraphs.length, 2)
  assert.deepEqual(quoteIn(reading, { from: place(0, 3), to: place(0, 8) }), {
    words: 'two',
    startMs: 889,
    endMs: 1_556,
  })
  assert.deepEqual(quoteIn(reading, { from: place(0, 19), to: place(1, 5) }), {
    words: 'five six. seven',
    startMs: 4_000,
    endMs: 61_250,
  })
  const onlyBefore = { from: place(0, 24), to: place(1, 0) }
  assert.deepEqual(quoteIn(reading, onlyBefore), { words: 'six.', startMs: 6_222, endMs: 8_000 })
  assert.equal(quoteIn(reading, { from: place(0, 3), to: place(0, 4) }), null)
})

test('a selection that begins or ends within a word quotes all of it, in every script', () => {
  const cut = (text: string, start: number, end: number) =>
    quoteIn(readingOf(said([text])), { from: place(0, start), to: place(0, end) })
  assert.equal(cut('slowly under every bridge', 2, 14).words, 'slowly under every')
  assert.equal(cut('slowly under every bridge', 6, 12).words, 'under')
  assert.equal(cut("they don't know", 7, 9).words, "don't")
  assert.equal(cut('今日は橋の話をします', 1, 4).words, '今日は橋')
  assert.equal(cut('ذهبت إلى السوق اليوم', 11, 13).words, 'السوق')
  assert.equal(cut('สวัสดีครับทุกคน', 2, 8).words, 'สวัสดีครับ')
  assert.equal(cut('a family 👩‍👩‍👧 here', 11, 13).words, '👩‍👩‍👧')
  const { startMs, endMs } = cut('slowly under every bridge', 8, 14)
  assert.deepEqual({ startMs, endMs }, { startMs: 1_120, endMs: 2_880 })
})

test('times mark the whole words that are said between them, and a time alone what is said then', () => {
  assert.deepEqual(rangeAt(reading, 1_000, null), { from: place(0, 0), to: place(0, 18) })
  assert.deepEqual(rangeAt(reading, 1_000, 2_000), { from: place(0, 4), to: place(0, 13) })
  const over = rangeAt(reading, 4_000, 61_000)
  assert.deepEqual(over, { from: place(0, 19), to: place(1, 5) })
  assert.deepEqual(partIn(over, 0, whole(0)), [19, whole(0)])
  assert.deepEqual(partIn(over, 1, whole(1)), [0, 5])
  assert.equal(partIn(over, 2, 10), null)
  const beyond = rangeAt(reading, 9_000_000, 9_900_000)
  assert.deepEqual(beyond.to, place(1, whole(1)))
})

test('the link to a quote marks all of its words', () => {
  const words = fc.array(fc.constantFrom('a', 'bee', 'quiet', 'river.', '日本の話'), {
    minLength: 1,
  })
  const texts = fc.array(words, { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(texts, fc.nat(), fc.nat(), (lines, one, other) => {
      const made = readingOf(said(lines.map((line) => line.join(' '))))
      const paragraph = one % made.paragraphs.length
      const { length } = made.paragraphs[paragraph].text
      const [start, end] = [one % length, other % (length + 1)].sort((a, b) => a - b)
      const quote = quoteIn(made, { from: place(paragraph, start!), to: place(paragraph, end!) })
      if (quote === null) return
      const second = (ms: number) => Math.floor(ms / 1000) * 1000
      const range = rangeAt(made, second(quote.startMs), second(quote.endMs + 999))
      const part = partIn(range, paragraph, length) ?? [length, 0]
      const text: string = made.paragraphs[paragraph].text
      assert.ok(
        text.slice(...part).includes(quote.words),
        `${text.slice(...part)} | ${quote.words}`,
      )
    }),
  )
})

test('a range of nothing known is empty', () => {
  assert.deepEqual(rangeAt(readingOf([]), 5_000, 6_000), { from: place(0, 0), to: place(0, 0) })
})

test('a text beside stands in the paragraphs of the one that is read, and no word of it is lost', () => {
  const cue = (startMs: number, text: string) => ({ startMs, endMs: startMs + 2_000, text })
  const read = readingOf([cue(0, 'Eins.'), cue(20_000, 'Zwei.'), cue(40_000, 'Drei.')])
  const other = [
    cue(-500, 'One'),
    cue(1_500, 'and a half.'),
    cue(39_200, 'Three.'),
    cue(60_000, 'Four.'),
  ]
  const { paragraphs } = readingBeside(read, other)
  assert.deepEqual(
    paragraphs.map(({ text }: { text: string }) => text),
    ['One and a half.', '', 'Three. Four.'],
    'each cue is where its middle is, and where nothing is said is nothing',
  )
  const all = { from: { paragraph: 0, offset: 0 }, to: { paragraph: 2, offset: 12 } }
  const quote = quoteIn(readingBeside(read, other), all)
  assert.deepEqual(quote?.words, 'One and a half. Three. Four.')
  assert.deepEqual(
    readingBeside(readingOf([]), other).paragraphs,
    [],
    'a text without words has no rows',
  )
})
