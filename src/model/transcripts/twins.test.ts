/** Twins: the same words for a reader are one segment, however many layers and looks they are published in. */
import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import {
  assertRead,
  cueIn as cue,
  inFormats,
  readStyled as read,
  type Styled,
  timesOf as segmentsOf,
} from '../../../test/support/styled-cues.ts'
import { toSegments } from './cues.ts'
import type { TrackKind } from './transcript.ts'
import { type ShownLine, withoutTwins } from './twins.ts'

test('a track that holds each event twice is read once', () => {
  const line = (t: number, ...words: string[]): object => ({
    tStartMs: t,
    dDurationMs: 4000,
    wWinId: 1,
    segs: words.map((utf8, at) => ({ utf8, tOffsetMs: at * 200 })),
  })
  const lines = [line(1000, 'hey', ' you'), line(5000, 'come', ' here')]
  const expected = [
    { startMs: 1000, endMs: 5000, text: 'hey you' },
    { startMs: 5000, endMs: 9000, text: 'come here' },
  ]
  for (const kind of ['manual', 'asr'] as const) {
    const oneByOne = JSON.stringify({ events: lines.flatMap((each) => [each, each]) })
    const oneAfterTheOther = JSON.stringify({ events: [...lines, ...lines] })
    assert.deepEqual(segmentsOf(oneByOne, kind), expected)
    assert.deepEqual(segmentsOf(oneAfterTheOther, kind), expected)
  }
})

test('words in a layer for the outline and one for the shadow are said once', () => {
  const layer = (pPenId: number): object => ({
    tStartMs: 1000,
    dDurationMs: 4000,
    segs: [
      { utf8: '\u200b', pPenId: 0 },
      { utf8: ' IT TURNS TO SLUDGE ', pPenId },
    ],
  })
  const both = [{ startMs: 1000, endMs: 5000, text: 'IT TURNS TO SLUDGE' }]
  assert.deepEqual(segmentsOf(JSON.stringify({ events: [layer(5), layer(6)] }), 'manual'), both)
  const srv3 = [5, 6].map(
    (pen) => `<p t="1000" d="4000"><s p="${pen}"> IT TURNS TO SLUDGE </s></p>`,
  )
  const body = `<timedtext format="3"><body>${srv3.join('')}</body></timedtext>`
  assert.deepEqual(segmentsOf(body, 'manual'), both)
})

test('what is said again, or by two speakers, is no twin', () => {
  const cues = [
    { startMs: 1000, durationMs: 1000, text: 'la la', windowId: null },
    { startMs: 2000, durationMs: 1000, text: 'la la', windowId: null },
    { startMs: 3000, durationMs: 1000, text: 'la la', windowId: null },
    { startMs: 4000, durationMs: 1000, text: 'Yes!', windowId: null },
    { startMs: 4000, durationMs: 1000, text: 'No!', windowId: null },
  ]
  assert.deepEqual(
    toSegments(cues, 'manual').map(({ text }) => text),
    ['la la', 'la la', 'la la', 'Yes!', 'No!'],
  )
  assert.deepEqual(
    toSegments(cues, 'asr').map(({ text }) => text),
    ['la la', 'la la', 'la la', 'Yes! No!'],
  )
})

const WE_ARE: [number, number, string][] = [
  [0, 1817, 'We are'],
  [1851, 2934, 'home'],
]

test('words that go on in another pen and at another place are one segment', () => {
  assertRead(
    [
      { t: 0, d: 500, runs: [[2, 'We are']] },
      { t: 500, d: 1317, runs: [[4, 'We are']], place: 3 },
      { t: 1851, d: 1083, runs: [[2, 'home']] },
    ],
    WE_ARE,
  )
})

test('words abut up to a frame of overlap or gap; beyond that two say them', () => {
  for (const awayMs of [-51, -50, -1, 0, 1, 50, 51]) {
    const [t, isOne] = [2000 + awayMs, Math.abs(awayMs) <= 50]
    const cues = [cue(1000, 1000, 'Yes', { pen: 1 }), cue(t, 900, 'Yes', { pen: 2 })]
    const one: [number, number, string][] = [[1000, t + 900, 'Yes']]
    assertRead(
      cues,
      isOne
        ? one
        : [
            [1000, 2000, 'Yes'],
            [t, t + 900, 'Yes'],
          ],
    )
  }
})

test('what stands between is no obstacle, and what ends last ends the segment', () => {
  assertRead(
    [
      cue(0, 1000, 'We are', { pen: 1 }),
      cue(200, 3000, 'Who are you?', { pen: 9 }),
      cue(900, 50, 'home'),
      cue(970, 20, 'We are', { pen: 2 }),
      cue(1000, 1000, 'We are', { pen: 3, place: 2 }),
    ],
    [
      [0, 2000, 'We are'],
      [200, 3200, 'Who are you?'],
      [900, 950, 'home'],
    ],
  )
})

test('a shadow under all of a cue that changes its pen is said once, and layered refrains stay', () => {
  assertRead(
    [
      cue(0, 500, 'We are', { pen: 2 }),
      cue(0, 1817, 'We are', { pen: 3 }),
      cue(500, 1317, 'We are', { pen: 4 }),
      cue(1851, 1083, 'home'),
    ],
    WE_ARE,
  )
  const layers = (t: number, pens: number[]): Styled[] =>
    pens.map((pen) => cue(t, 1000, 'la la', { pen }))
  for (const again of [[5, 6], [6, 5], [5], [6]])
    assertRead(
      [...layers(1000, [5, 6]), ...layers(2000, again)],
      [
        [1000, 2000, 'la la'],
        [2000, 3000, 'la la'],
      ],
    )
})

test('whichever twin says when each word is said, the segment says so', () => {
  const timed = (t: number, pen: number, ...words: string[]): object => ({
    tStartMs: t,
    dDurationMs: 1000,
    pPenId: pen,
    segs: words.map((utf8, at) => (at === 0 ? { utf8 } : { utf8, tOffsetMs: at * 300 })),
  })
  const words = (...events: object[]): (number | undefined)[][] =>
    read(JSON.stringify({ events }), 'manual').map(({ text, words: said = [] }) => [
      text.length,
      ...said.flatMap(({ chars, offsetMs }) => [chars, offsetMs]),
    ])
  const plain = (t: number, pen: number): object => ({
    ...timed(t, pen, 'so\u00adme words'),
    dDurationMs: 2000,
  })
  const [early, late] = [timed(0, 1, 'some', ' words'), timed(2000, 2, 'some', ' words')]
  const wordless = timed(0, 3, 'some', ' word', '\u00ads')
  const twice = timed(0, 4, 'so\u00adme', ' words')
  assert.deepEqual(words(early, plain(0, 2)), [[10, 4, 0, 6, 300]])
  assert.deepEqual(words(plain(0, 2), early), [[10, 4, 0, 6, 300]])
  assert.deepEqual(words(plain(0, 1), late), [[10, 4, 2000, 6, 2300]])
  assert.deepEqual(words(plain(0, 2), wordless).length, 1)
  assert.deepEqual(words(twice, early), [[11, 5, 0, 6, 300]])
})

/** Signs that make no other words: marks of direction, soft hyphens, joiners, selectors, tags, fillers. */
const UNSEEN = [
  ...'\u00ad\u034f\u061c\u115f\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202c\u2060\u2066\u2069\u2800\u3164\ufe0e\ufe0f\ufeff\uffa0\u{e0067}\u{e0100}',
]
const WORDS = [
  'We are',
  'caf\u00e9',
  '\u0645\u06cc\u062e\u0648\u0627\u0647\u0645',
  '\u5929\u6c17',
  '\u{1f469}\u{1f467}',
  '\u05e9\u05dc\u05d5\u05dd',
  'e',
]

/** Returns the text with the signs between its characters. */
function spiked(text: string, signs: readonly { at: number; sign: string }[]): string {
  const chars = [...text]
  for (const { at, sign } of signs) chars.splice(at % (chars.length + 1), 0, sign)
  return chars.join('')
}

const signs = fc.array(fc.record({ at: fc.nat({ max: 12 }), sign: fc.constantFrom(...UNSEEN) }), {
  maxLength: 5,
})
const layers = fc.array(
  fc.record({ signs, pen: fc.nat({ max: 4 }), d: fc.integer({ min: 1, max: 3000 }) }),
  {
    minLength: 1,
    maxLength: 5,
  },
)

test('words at one start are said once, with any invisible signs, in any order of layers', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...WORDS),
      layers,
      fc.constantFrom<TrackKind>('asr', 'manual'),
      (text, of, kind) => {
        const cues = of.map((layer) => cue(500, layer.d, spiked(text, layer.signs), layer))
        for (const body of inFormats([...cues, cue(9000, 100, 'end')])) {
          const segments = segmentsOf(body, kind)
          assert.equal(segments.length, 2, body)
          assert.equal(segments[0]?.endMs, 500 + Math.max(...of.map(({ d }) => d)))
        }
      },
    ),
    { numRuns: 500 },
  )
})

test('a sentence cut into abutting looks is one segment, in layers and beside another speaker', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          d: fc.integer({ min: 200, max: 900 }),
          away: fc.integer({ min: -50, max: 50 }),
          signs,
        }),
        {
          minLength: 2,
          maxLength: 6,
        },
      ),
      fc.nat({ max: 3 }),
      fc.boolean(),
      (steps, shadows, hasOther) => {
        const cues: Styled[] = []
        let t = 1000
        for (const [at, { d, away, signs: between }] of steps.entries()) {
          for (let layer = 0; layer <= shadows; layer += 1)
            cues.push(cue(t, d, spiked('We are', between), { pen: 10 + layer, place: at % 2 }))
          if (hasOther) cues.push(cue(t + 100, 400, `other ${at}`, { pen: 1 }))
          t += d + (at + 1 < steps.length ? away : 0)
        }
        const said = inFormats(cues).map((body) =>
          segmentsOf(body).filter(({ text }) => !text.startsWith('other')),
        )
        for (const segments of said)
          assert.deepEqual(
            segments.map(({ startMs, endMs }) => [startMs, endMs]),
            [[1000, t]],
          )
      },
    ),
    { numRuns: 300 },
  )
})

test('a line is compared with few others, however many end together', () => {
  const each = 2000
  let asked = 0
  const line = (startMs: number, endMs: number, look: string): ShownLine => ({
    startMs,
    endMs,
    isOpen: false,
    text: 'a',
    words: null,
    get look() {
      asked += 1
      return look
    },
  })
  const early = Array.from({ length: each }, (_, at) => line(at, 9000, '1'))
  const late = Array.from({ length: each }, (_, at) => line(9000, 9001 + at, '1'))
  assert.equal(withoutTwins([...early, ...late, line(99_000, 99_001, '2')]).length, each + 2)
  assert.ok(asked < 500 * each, String(asked))
})
