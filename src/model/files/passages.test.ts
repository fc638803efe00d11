/** JSON lines: each is what the loaders of LangChain and LlamaIndex read, whatever was said. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { passagesFrom } from './passages.ts'

/** Ends of lines for any program: ours, Windows', and those of Unicode (Python's splitlines). */
const LINE_ENDS = /\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/

const VIDEO = {
  videoId: 'jNQXAC9IVRw',
  title: 'Me\u2029at the \u009b31mzoo\u202e',
  url: 'https://www.youtube.com/watch?v=jNQXAC9IVRw',
  channelName: null,
  publishedAt: '2005-04-23T20:31:52-07:00',
  languageCode: 'en',
  trackKind: 'asr',
  chapters: [],
  channelId: null,
  durationSeconds: null,
  keywords: null,
}
const WHOLE = { video: VIDEO, from: 0, charsMax: Infinity }

test('every reader of lines finds one JSON object in each, with its text and what it is about', () => {
  const said = ['a "quote" \\', 'one\u2028two\u0085three\r\nfour', '東京 \ud83d\ude00', 'the end']
  const segments = said.map((text, at) => ({
    startMs: at * 10_000,
    endMs: at * 10_000 + 9_000,
    text,
  }))
  const { text: exported, next } = passagesFrom(segments, { ...WHOLE, lengthMs: 15_000 })
  assert.equal(next, null)
  assert.doesNotMatch(exported, /[\u007f-\u009f\u202e]/, 'nothing in it commands a terminal')
  const lines = exported.split(LINE_ENDS)
  assert.equal(lines.pop(), '')
  // JSONLinesLoader('/text') of LangChain and JSONReader({ isJsonLines: true }) of LlamaIndex.
  const read = lines.map((line) => JSON.parse(line.trim()) as Record<string, unknown>)
  assert.deepEqual(
    read.map(({ id, text }) => [id, text]),
    [
      ['jNQXAC9IVRw-0', `${said[0]} ${said[1]}`],
      ['jNQXAC9IVRw-20000', `${said[2]} ${said[3]}`],
    ],
  )
  assert.deepEqual(read[1]?.['metadata'], {
    source: VIDEO.url,
    title: VIDEO.title,
    channel: null,
    publishedAt: VIDEO.publishedAt,
    language: 'en',
    start_seconds: 20,
    end_seconds: 39,
    chapter: null,
  })
})

test('pieces of any length are, one after the other, the whole', () => {
  const segment = fc.record({ startMs: fc.nat(200_000), endMs: fc.nat(200_000), text: fc.string() })
  const chapters = [0, 20, 45, 100].map((at) => ({ startMs: at * 1_000, title: `from ${at}` }))
  const video = { ...VIDEO, chapters }
  fc.assert(
    fc.property(
      fc.array(segment, { minLength: 1 }),
      fc.integer({ min: 1, max: 2_000 }),
      (segments, charsMax) => {
        const ask = { video, lengthMs: 10_000 }
        const whole = passagesFrom(segments, { ...ask, from: 0, charsMax: Infinity })
        let pieces = ''
        for (let from: number | null = 0; from !== null;) {
          const piece: { text: string; next: number | null } = passagesFrom(segments, {
            ...ask,
            from,
            charsMax,
          })
          pieces += piece.text
          from = piece.next
        }
        assert.equal(pieces, whole.text)
        const texts = whole.text
          .trimEnd()
          .split('\n')
          .map((line) => (JSON.parse(line) as { text: string }).text)
        assert.equal(texts.join(' '), segments.map(({ text }) => text).join(' '))
      },
    ),
  )
})
