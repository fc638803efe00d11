/** Cues: what ends one, and which are published twice; read alike from every format. */
import assert from 'node:assert/strict'
import test from 'node:test'
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

test('the creator’s cues are not stretched by a blank one, unless they roll in a window', () => {
  const events = (window: object): object[] => [
    { tStartMs: 0, dDurationMs: 1000, ...window, segs: [{ utf8: 'one' }] },
    { tStartMs: 4000, ...window, segs: [{ utf8: '\n' }] },
  ]
  const endOf = (window: object): number | undefined =>
    segmentsOf(JSON.stringify({ events: events(window) }), 'manual')[0]?.endMs
  assert.equal(endOf({}), 1000)
  assert.equal(endOf({ wWinId: 1 }), 4000)
})

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

test('automatic Japanese lines that start together join without a blank', () => {
  const cues = ['日本', 'の話'].map((text) => {
    return { startMs: 0, durationMs: 1000, text, windowId: null }
  })
  assert.deepEqual(toSegments(cues, 'asr'), [{ startMs: 0, endMs: 1000, text: '日本の話' }])
})
