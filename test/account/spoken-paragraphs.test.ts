/** Automatic captions as they are laid out to be read: parted at rests, with every letter and time in its place. */
import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { joinedText } from '../../src/kit/text/joined-text.ts'

// The website's sources are checked by their own compiler settings, so they are loaded by address.
const { quoteIn, rangeAt, readingOf } = await import(
  path.resolve(import.meta.dirname, '../../web/src/reading.ts')
)

type Said = { startMs: number; endMs: number; text: string }

/** Segments as the platform's recognition makes them: each lasts into the next one, so that no pause shows. */
function recognised(texts: string[], restsMs: number[] = []): Said[] {
  let startMs = 0
  return texts.map((text, at) => {
    const segment = { startMs, endMs: startMs + text.length * 60 + 2_000, text }
    startMs += text.length * 60 + (restsMs[at] ?? 0)
    return segment
  })
}

const textsOf = (segments: Said[], isSpoken = true): string[] =>
  readingOf(segments, isSpoken).paragraphs.map(({ text }: { text: string }) => text)

const line = 'and so we walked along the quiet river'

test('a wall of automatic captions is parted where the speaker rests, and not elsewhere', () => {
  const segments = recognised(
    Array.from({ length: 40 }, (_, at) => `${line} ${at}`),
    Array.from({ length: 40 }, (_, at) => (at % 8 === 6 ? 900 : 0)),
  )
  const texts = textsOf(segments)
  assert.equal(readingOf(segments).paragraphs.length, 2, 'as files and copies have it')
  assert.deepEqual(
    texts.map((text) => text.split(' ').at(-1)),
    ['6', '14', '22', '28', '39'],
  )
  assert.deepEqual(textsOf(segments, false).length, 2, 'captions of the creator stay as they are')
})

test('sentences end paragraphs before rests do, in every script, and short texts stay whole', () => {
  const sentences = (words: string, stop: string, every: number) =>
    recognised(
      Array.from({ length: 40 }, (_, at) => words + (at % every === every - 1 ? stop : '')),
      Array.from({ length: 40 }, (_, at) => (at % every === 2 ? 700 : 0)),
    )
  for (const [words, stop, last] of [
    ['we walked along the quiet river', '.', '.'],
    ['مشينا على ضفة النهر الهادئ اليوم', '؟', '؟'],
    ['हम शांत नदी के किनारे चले गए थे', '।', '।'],
  ] as const) {
    const texts = textsOf(sentences(words, stop, 9))
    assert.ok(texts.length >= 3 && texts.every((text) => text.length < 700), words)
    for (const text of texts.slice(0, -1)) assert.ok(text.endsWith(last), text.slice(-30))
  }
  const japanese = textsOf(sentences('静かな川に沿って歩きました', '', 9))
  assert.ok(japanese.length >= 2 && japanese.every((text) => text.length <= 260))
  assert.deepEqual(textsOf(recognised([line, line])), [`${line} ${line}`])
  assert.deepEqual(textsOf([]), [])
  assert.equal(textsOf(recognised(['x'.repeat(5_000)])).length, 1, 'no word is cut')
})

test('no letter and no time is lost, added or moved, and quotes are the same', () => {
  const word = fc.constantFrom('a', 'quiet', 'river.', '>> so', '川に沿って', 'النهر', '-', '…')
  const text = fc.array(word, { minLength: 1, maxLength: 14 }).map((words) => words.join(' '))
  fc.assert(
    fc.property(
      fc.array(fc.tuple(text, fc.nat(3_000)), { minLength: 1, maxLength: 90 }),
      fc.nat(),
      fc.nat(),
      (said, from, length) => {
        const segments = recognised(
          said.map(([one]) => one),
          said.map(([, restMs]) => restMs),
        )
        const [plain, read] = [readingOf(segments), readingOf(segments, true)]
        const whole = joinedText(segments.map((segment) => segment.text))
        const texts = read.paragraphs.map((one: Said) => one.text)
        assert.equal(joinedText(texts), whole)
        for (const [at, { startMs, text: words }] of read.paragraphs.entries()) {
          assert.notEqual(words.trim(), '')
          assert.equal(whole.slice(read.paragraphStarts[at]).startsWith(words), true)
          assert.ok(segments.some((segment) => segment.startMs === startMs))
        }
        const end = segments.at(-1)?.endMs ?? 0
        const [begin, behind] = [from % end, (from % end) + 1 + (length % end)]
        const quote = (reading: unknown) => quoteIn(reading, rangeAt(reading, begin, behind))
        assert.deepEqual(quote(read), quote(plain))
      },
    ),
  )
})
