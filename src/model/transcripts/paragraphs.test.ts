/** Readable text: where paragraphs begin, and that no word is lost, added or moved. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { joinedText } from '../../kit/text/joined-text.ts'
import { paragraphsOf, renderParagraphs } from './readable-text.ts'
import { type Segment, textOf } from './transcript.ts'

/** Returns segments of two seconds, each after a pause. */
function spoken(...lines: [pauseMs: number, text: string][]): Segment[] {
  let saidUntilMs = 0
  return lines.map(([pauseMs, text]) => {
    const startMs = saidUntilMs + pauseMs
    saidUntilMs = startMs + 2_000
    return { startMs, endMs: saidUntilMs, text }
  })
}

const CASES: [what: string, segments: Segment[], file: string][] = [
  [
    'lines flow together',
    spoken([0, 'so this is'], [0, 'how it goes']),
    'so this is how it goes\n',
  ],
  [
    'a long pause parts',
    spoken([0, 'before the'], [4_000, 'intermission']),
    'before the\n\nintermission\n',
  ],
  ['a shorter pause does not', spoken([0, 'before the'], [3_900, 'breath']), 'before the breath\n'],
  [
    'after a sentence it does',
    spoken([0, 'The end.'], [1_500, 'Then more.']),
    'The end.\n\nThen more.\n',
  ],
  ['after a quoted one too', spoken([0, '“The end.”'], [1_500, 'More.']), '“The end.”\n\nMore.\n'],
  [
    'a speaker mark parts',
    spoken([0, 'Yes?'], [0, '>> No. >> Why?']),
    'Yes?\n\n>> No.\n\n>> Why?\n',
  ],
  ['so does a dash before a turn', spoken([0, '- Yes?'], [0, '- No.']), '- Yes?\n\n- No.\n'],
  ['a dash inside a line does not', spoken([0, 'a'], [0, 'b - Bee']), 'a b - Bee\n'],
  ['Japanese lines flow without blanks', spoken([0, '日本'], [0, 'の話']), '日本の話\n'],
  [
    'a blank inside a Japanese line stays',
    spoken([0, '話。 >> はい'], [0, 'です']),
    '話。\n\n>> はいです\n',
  ],
  ['Korean lines part', spoken([0, '한국어는'], [0, '띄어 쓴다']), '한국어는 띄어 쓴다\n'],
  ['a first pause is no paragraph', spoken([60_000, 'late start']), 'late start\n'],
]

for (const [what, segments, file] of CASES) {
  test(`paragraphs: ${what}`, () => assert.equal(renderParagraphs(segments), file))
}

test('a paragraph begins when its segment does, and two may begin in one segment', () => {
  const segments = spoken([500, 'Yes?'], [0, '>> No. >> Why?'], [5_000, 'Later.'])
  assert.deepEqual(paragraphsOf(segments), [
    { startMs: 500, text: 'Yes?' },
    { startMs: 2_500, text: '>> No.' },
    { startMs: 2_500, text: '>> Why?' },
    { startMs: 9_500, text: 'Later.' },
  ])
})

test('a paragraph that has grown long ends with its sentence, also inside a segment', () => {
  const filler = Array.from({ length: 30 }, (): [number, string] => [0, 'and so on and on it'])
  const file = renderParagraphs(spoken(...filler, [0, 'stops here. Next begins']))
  assert.match(file, /stops here\.\n\nNext begins\n$/)
})

test('speech without full stops still has paragraphs', () => {
  const lines = Array.from({ length: 400 }, (): [number, string] => [0, 'words without an end'])
  const paragraphs = renderParagraphs(spoken(...lines))
    .trimEnd()
    .split('\n\n')
  assert(paragraphs.length > 5)
  for (const paragraph of paragraphs) assert(paragraph.length < 1_300)
})

test('the words of a text file are those of the text, in the same order', () => {
  const word = fc.oneof(
    fc.constantFrom(
      '>>',
      'Mr.',
      'end.',
      'What?',
      '“Quote.”',
      '[Music]',
      '-',
      '- A',
      'ok',
      'はい。',
    ),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
  )
  const line = fc.tuple(
    fc.integer({ min: 0, max: 6_000 }),
    fc.array(word, { minLength: 1, maxLength: 20 }),
  )
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 40 }), (lines) => {
      const segments = spoken(
        ...lines.map(([pause, said]): [number, string] => [pause, said.join(' ')]),
      )
      const paragraphs = paragraphsOf(segments)
      const letters = (text: string): string => text.replace(/\s/g, '')
      assert.equal(
        letters(joinedText(paragraphs.map(({ text }) => text))),
        letters(textOf(segments)),
      )
      const starts = new Set(segments.map(({ startMs }) => startMs))
      assert.ok(paragraphs.every(({ startMs }) => starts.has(startMs)))
    }),
  )
})

test('of a transcript of ten hours each segment is looked at a few times, however many come before it', () => {
  const lines = Array.from({ length: 18_000 }, (): [number, string] => [
    50,
    'No pause. “And… so on.” it goes',
  ])
  let looks = 0
  const segments = spoken(...lines).map(({ text, ...times }) => ({
    ...times,
    get text() {
      looks += 1
      return text
    },
  }))
  renderParagraphs(segments)
  assert.ok(looks >= lines.length && looks <= 5 * lines.length, `${looks} looks`)
})
