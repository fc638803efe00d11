/** Cues: what ends one, read alike from every format. */
import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { toSegments } from './cues.ts'
import { readTimedtext } from './timedtext.ts'
import type { Segment, TrackKind } from './transcript.ts'

function segmentsOf(body: string, kind: TrackKind): Segment[] {
  const reading = readTimedtext(Buffer.from(body), kind)
  if (reading.kind !== 'segments') return []
  return reading.segments.map(({ startMs, endMs, text }) => ({ startMs, endMs, text }))
}

/** Newer automatic captions: whole sentences with a placeholder for their duration (seen in 2026-08). */
const SENTENCES = [
  { t: 98_560, d: 3000, text: 'It took a while. Then it stopped.' },
  { t: 106_950, d: null, text: '\n' },
  { t: 106_960, d: 3000, text: 'Nobody knew why.' },
  { t: 112_000, d: null, text: '\n' },
]
type Written = { t: number; d: number | null; text: string }

/** Writes the cues in each format that is read. */
function inFormats(cues: readonly Written[]): string[] {
  const events = cues.map(({ t, d, text }) => ({
    tStartMs: t,
    ...(d === null ? {} : { dDurationMs: d }),
    wWinId: 1,
    ...(text === '\n' ? { aAppend: 1 } : {}),
    segs: [{ utf8: text }],
  }))
  const paragraphs = cues.map(
    ({ t, d, text }) =>
      `<p t="${t}"${d === null ? '' : ` d="${d}"`} w="1"${text === '\n' ? ' a="1"' : ''}>${text}</p>`,
  )
  const texts = cues.map(
    ({ t, d, text }) =>
      `<text start="${t / 1000}"${d === null ? '' : ` dur="${d / 1000}"`}>${text}</text>`,
  )
  return [
    JSON.stringify({ wireMagic: 'pb3', events }),
    `<timedtext format="3"><body><w t="0" id="1"/>${paragraphs.join('\n')}</body></timedtext>`,
    `<transcript>${texts.join('')}</transcript>`,
  ]
}

test('a line break without a duration says when the sentence above it ends, in every format', () => {
  for (const body of inFormats(SENTENCES)) {
    assert.deepEqual(segmentsOf(body, 'asr'), [
      { startMs: 98_560, endMs: 106_950, text: 'It took a while. Then it stopped.' },
      { startMs: 106_960, endMs: 112_000, text: 'Nobody knew why.' },
    ])
  }
})

test('a line break with a duration stretches nothing, and one without shortens nothing', () => {
  const timed = SENTENCES.map((cue) => (cue.text === '\n' ? { ...cue, d: 10 } : cue))
  const early = SENTENCES.map((cue) => (cue.text === '\n' ? { ...cue, t: cue.t - 8000 } : cue))
  for (const body of [...inFormats(timed), ...inFormats(early)]) {
    const ends = segmentsOf(body, 'asr').map(({ endMs }) => endMs)
    assert.deepEqual(ends, [101_560, 109_960])
  }
})

test('a line break ends the line of its own window, and only the one right above it', () => {
  const event = (t: number, id: number, text: string): object => ({
    tStartMs: t,
    ...(text === '\n' ? {} : { dDurationMs: 1000 }),
    wWinId: id,
    segs: [{ utf8: text }],
  })
  const events = [
    event(0, 1, 'one'),
    event(2000, 2, 'two'),
    event(4000, 2, '\n'),
    event(6000, 2, '\n'),
    event(9000, 1, 'three'),
  ]
  assert.deepEqual(segmentsOf(JSON.stringify({ events }), 'asr'), [
    { startMs: 0, endMs: 1000, text: 'one' },
    { startMs: 2000, endMs: 4000, text: 'two' },
    { startMs: 9000, endMs: 10_000, text: 'three' },
  ])
})

test('automatic Japanese lines that start together join without a blank', () => {
  const cues = ['日本', 'の話'].map((text) => {
    return { startMs: 0, durationMs: 1000, text, windowId: null }
  })
  assert.deepEqual(toSegments(cues, 'asr'), [{ startMs: 0, endMs: 1000, text: '日本の話' }])
})

/** An event without words in each format; null where a format cannot say it so. */
const WORDLESS: [what: string, json3: object, xml: string | null][] = [
  ...[
    '\n',
    ' ',
    '\u00a0',
    '\u2003',
    '\u3000',
    '\u200b',
    '\u200e',
    '\ufeff',
    '\u2800',
    '\u3164',
  ].map((text): [string, object, string] => [
    `U+${text.codePointAt(0)?.toString(16)}`,
    { segs: [{ utf8: text }] },
    text,
  ]),
  ['an empty piece', { segs: [{ utf8: '' }] }, ''],
  ['two blanks', { segs: [{ utf8: '\u00a0' }, { utf8: '\n', tOffsetMs: 9 }] }, '\u00a0\n'],
  ['markup around nothing', { segs: [{ utf8: '<i> </i>' }] }, '&lt;i&gt; &lt;/i&gt;'],
  ['a piece without text', { segs: [{}] }, '<s></s>'],
  ['a piece that is none', { segs: [null] }, '<s/>'],
  ['no piece', { segs: [] }, null],
  ['no list of pieces', {}, null],
]
/** A duration as json3 and as XML write it; `own` where it counts as one. */
const DURATIONS: { written: unknown; own: number | null }[] = [
  ...[undefined, 0, '0', -5, 'soon', '', null].map((written) => ({ written, own: null })),
  ...[40, '40', 3000, 9000].map((written) => ({ written, own: Number(written) })),
]

type Made = {
  t: number
  duration: number
  window: number | null
  text: string | null
  wordless: number
}

function written({ t, duration, window, text, wordless }: Made): [string, string, string] {
  const d = DURATIONS[duration]?.written
  const [, empty = {}, inner = null] = WORDLESS[wordless] ?? []
  const event = {
    tStartMs: t,
    ...(d === undefined ? {} : { dDurationMs: d }),
    ...(window === null ? {} : { wWinId: window }),
    ...(text === null ? empty : { segs: [{ utf8: text }] }),
  }
  const element = (name: string, attributes: string, content: string | null): string =>
    content === null ? `<${name}${attributes}/>` : `<${name}${attributes}>${content}</${name}>`
  const attribute = (name: string, value: unknown, per = 1): string =>
    value === undefined || value === null
      ? ''
      : ` ${name}="${Number(value) ? Number(value) / per : String(value)}"`
  const p = attribute('t', t) + attribute('d', d) + attribute('w', window)
  const said = text ?? inner
  const isPiece = said?.startsWith('<s') === true
  return [
    JSON.stringify(event),
    element('p', p, said),
    element('text', attribute('start', t, 1000) + attribute('dur', d, 1000), isPiece ? '' : said),
  ]
}

function track(cues: readonly Made[]): { body: string; hasWindows: boolean }[] {
  const [events, paragraphs, texts] = [0, 1, 2].map((format) =>
    cues.map((cue) => written(cue)[format]),
  )
  return [
    {
      body: `{"events":[{"tStartMs":0,"dDurationMs":9,"id":1},${events?.join()}]}`,
      hasWindows: true,
    },
    {
      body: `<timedtext><body><w t="0" id="1"/>${paragraphs?.join('')}</body></timedtext>`,
      hasWindows: true,
    },
    { body: `<transcript>${texts?.join('')}</transcript>`, hasWindows: false },
  ]
}

/** Returns when each line ends, by the rule as decision 0059 says it. */
function endsOf(cues: readonly Made[], kind: TrackKind): number[] {
  const own = ({ duration }: Made): number | null => DURATIONS[duration]?.own ?? null
  return cues.flatMap((cue, at) => {
    if (cue.text === null) return []
    const later = cues.slice(at + 1).filter(({ t }) => t > cue.t)
    const next =
      (kind === 'asr' ? later.find(({ text }) => text !== null) : later[0])?.t ?? Infinity
    const below = later.find((each) => {
      return each.window === cue.window && (each.text !== null || own(each) === null)
    })
    const isCleared = below?.text === null && (kind === 'asr' || cue.window !== null)
    const clearedMs = isCleared ? below.t : 0
    const lasts = own(cue)
    if (kind === 'manual')
      return lasts === null ? Math.min(cue.t + 5000, next) : Math.max(cue.t + lasts, clearedMs)
    return Math.min(
      lasts === null && isCleared ? clearedMs : Math.max(cue.t + (lasts ?? 5000), clearedMs),
      next,
    )
  })
}

function assertEnds(cues: readonly Made[], kind: TrackKind): void {
  for (const { body, hasWindows } of track(cues)) {
    const read = hasWindows ? cues : cues.map((cue) => ({ ...cue, window: null }))
    const ends = segmentsOf(body, kind).map(({ endMs }) => endMs)
    assert.deepEqual(ends, endsOf(read, kind), `${kind}\n${body}`)
  }
}

for (const [wordless, [what]] of WORDLESS.entries())
  test(`an event without words, ${what}, ends what is above it in every format, track and window`, () => {
    for (const kind of ['asr', 'manual'] as const)
      for (const lasts of DURATIONS.keys())
        for (const duration of DURATIONS.keys())
          for (const window of [1, null])
            for (const t of [1000, 1500, 3500, 8000])
              assertEnds(
                [
                  { t: 1000, duration: lasts, window, text: 'one', wordless },
                  { t, duration, window, text: null, wordless },
                  { t: 20_000, duration: lasts, window, text: 'two', wordless },
                ],
                kind,
              )
  })

const made = fc.record({
  t: fc.integer({ min: 0, max: 40_000 }),
  duration: fc.nat({ max: DURATIONS.length - 1 }),
  window: fc.constantFrom(1, 2, null),
  text: fc.option(fc.constantFrom('one', 'two', 'three')),
  wordless: fc.nat({ max: WORDLESS.length - 1 }),
})

test('lines end alike in every format, whatever stands between them', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(made, { maxLength: 12, selector: ({ t }) => t }),
      fc.constantFrom<TrackKind>('asr', 'manual'),
      (cues, kind) =>
        assertEnds(
          cues.toSorted((a, b) => a.t - b.t),
          kind,
        ),
    ),
    { numRuns: 500 },
  )
})
