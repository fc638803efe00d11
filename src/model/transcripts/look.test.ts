/** Looks: which cues are written alike, told alike from every format that has pens and places. */
import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import {
  assertRead,
  cueIn,
  inFormats,
  type Styled,
  timesOf,
} from '../../../test/support/styled-cues.ts'

/** Looks of two cues, and whether they are one: `a`, then `b`. */
const LOOKS: [what: string, a: Partial<Styled>, b: Partial<Styled>, isOther: boolean][] = [
  ['none', {}, {}, false],
  ['the usual pen, named once', {}, { pen: 0 }, false],
  ['the usual place, named once', { place: 0, style: 0 }, {}, false],
  ['another pen of the cue', { pen: 1 }, { pen: 2 }, true],
  ['another place', { place: 1 }, { place: 2 }, true],
  ['another style of its window', { style: 1 }, { style: 2 }, true],
  ['windows at one place', { window: 1 }, { window: 2 }, false],
  ['windows at two places', { window: 1 }, { window: 3 }, true],
  ['a place as of its window', { window: 1 }, { place: 7 }, false],
  ['a pen of the piece as of the cue', { runs: [[2, 'la la']] }, { pen: 2 }, false],
  ['another pen of the piece', { pen: 1 }, { pen: 1, runs: [[2, 'la la']] }, true],
  [
    'a pen that writes what nobody sees',
    {
      runs: [
        [0, '\u200b'],
        [5, 'la la'],
        [0, ' \u200b'],
      ],
    },
    { runs: [[5, 'la la']] },
    false,
  ],
  [
    'the pen of a word that is sung',
    {
      runs: [
        [1, 'la'],
        [2, ' la'],
      ],
    },
    {
      runs: [
        [2, 'la'],
        [1, ' la'],
      ],
    },
    true,
  ],
  [
    'the same pens in other pieces',
    {
      runs: [
        [1, 'l'],
        [1, 'a'],
        [2, ' la'],
      ],
    },
    {
      runs: [
        [1, 'la '],
        [2, 'la'],
      ],
    },
    false,
  ],
  [
    'the same pens on other letters',
    {
      runs: [
        [1, 'la'],
        [2, ' la'],
      ],
    },
    {
      runs: [
        [1, 'la l'],
        [2, 'a'],
      ],
    },
    true,
  ],
]

for (const [what, a, b, isOther] of LOOKS)
  test(`looks (${what}) ${isOther ? 'make' : 'do not make'} one of words that abut`, () => {
    for (const [first, second] of [
      [a, b],
      [b, a],
    ] as const)
      assertRead(
        [cueIn(1000, 1000, 'la la', first), cueIn(2000, 1000, 'la la', second)],
        isOther
          ? [[1000, 3000, 'la la']]
          : [
              [1000, 2000, 'la la'],
              [2000, 3000, 'la la'],
            ],
      )
  })

const styled: fc.Arbitrary<Styled> = fc.record(
  {
    t: fc.nat({ max: 3000 }),
    d: fc.integer({ min: 1, max: 1500 }),
    runs: fc.array(
      fc.tuple(fc.option(fc.nat({ max: 3 })), fc.constantFrom('la', ' la', '\u200b', ' ', 'no')),
      { minLength: 1, maxLength: 4 },
    ),
    pen: fc.nat({ max: 2 }),
    place: fc.nat({ max: 2 }),
    style: fc.nat({ max: 1 }),
    window: fc.constantFrom(1, 2, 3, 4),
  },
  { requiredKeys: ['t', 'd', 'runs'] },
)

test('json3 and srv3 tell the same looks, and no word is lost', () => {
  fc.assert(
    fc.property(fc.array(styled, { maxLength: 12 }), (cues) => {
      const [json3, srv3] = inFormats(cues).map((body) => timesOf(body))
      assert.deepEqual(json3, srv3)
      const said = (texts: readonly string[]): Set<string> =>
        new Set(
          texts.map((text) =>
            text
              .replace(/\u200b/g, '')
              .replace(/ +/g, ' ')
              .trim(),
          ),
        )
      const published = said(cues.map(({ runs }) => runs.map(([, text]) => text).join('')))
      published.delete('')
      assert.deepEqual(said((json3 ?? []).map(({ text }) => text)), published)
    }),
    { numRuns: 500 },
  )
})
