/** Timed words: the pieces of a line are found again in its clean text, or the line has none. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linesOf } from '../../../emulator/captions.ts'
import type { Track, Video } from '../../../emulator/model.ts'
import { segmentsOf as truthSegments } from '../../../emulator/truth.ts'
import { json3 } from '../../../emulator/wire/json3.ts'
import { srv3 } from '../../../emulator/wire/timed-xml.ts'
import { createWorld } from '../../../emulator/world.ts'
import { readTimedtext } from './timedtext.ts'
import type { Segment, TrackKind } from './transcript.ts'

function read(body: string, kind: TrackKind): Segment[] {
  const reading = readTimedtext(Buffer.from(body), kind)
  return reading.kind === 'segments' ? reading.segments : []
}

type Seg = { utf8: string; tOffsetMs?: number | string; acAsrConf?: number; pPenId?: number }

/** Returns the words of one event as `text@offset`, or null where its segment has none. */
function wordsOf(segs: Seg[], kind: TrackKind = 'asr'): string[] | null {
  const events = [{ tStartMs: 1000, dDurationMs: 4000, wWinId: 1, segs }]
  const [segment] = read(JSON.stringify({ events }), kind)
  assert.ok(segment !== undefined)
  if (segment.words === undefined) return null
  let from = 0
  return segment.words.map(({ chars, offsetMs }) => {
    from += chars
    return `${segment.text.slice(from - chars, from)}@${offsetMs}`
  })
}

const CASES: [what: string, segs: Seg[], words: string[] | null][] = [
  [
    'words with their blanks, the first without a time of its own',
    [
      { utf8: 'hey', acAsrConf: 0 },
      { utf8: ' in', tOffsetMs: 201 },
      { utf8: ' the', tOffsetMs: 400 },
    ],
    ['hey@0', ' in@201', ' the@400'],
  ],
  ['times as strings', [{ utf8: 'hey' }, { utf8: ' in', tOffsetMs: '201' }], ['hey@0', ' in@201']],
  ['one word alone', [{ utf8: 'hey', acAsrConf: 0 }], ['hey@0']],
  ['a whole sentence as one piece', [{ utf8: 'It took a while.', acAsrConf: 0 }], null],
  [
    'a mark with no-break spaces, which become blanks',
    [{ utf8: '[\u00a0__\u00a0]' }, { utf8: ' yes', tOffsetMs: 300 }],
    ['[ __ ]@0', ' yes@300'],
  ],
  [
    'pieces of which nothing is seen',
    [
      { utf8: '\u200b' },
      { utf8: 'so' },
      { utf8: '\u2060', tOffsetMs: 5 },
      { utf8: ' it is', tOffsetMs: 90 },
    ],
    ['so@0', ' it is@90'],
  ],
  [
    'several blanks between words',
    [{ utf8: 'one ' }, { utf8: '  two', tOffsetMs: 9 }],
    ['one@0', ' two@9'],
  ],
  [
    'words without blanks',
    [{ utf8: '今日' }, { utf8: 'は', tOffsetMs: 300 }],
    ['今日@0', 'は@300'],
  ],
  [
    'a piece without a time goes on with the word before it',
    [
      { utf8: 'it' },
      { utf8: ' was', tOffsetMs: 100 },
      { utf8: 'n’t' },
      { utf8: ' me', tOffsetMs: 300 },
    ],
    ['it@0', ' wasn’t@100', ' me@300'],
  ],
  ['markup over two pieces', [{ utf8: '<i' }, { utf8: '>so', tOffsetMs: 9 }], null],
  ['a letter composed of two pieces', [{ utf8: 'cafe' }, { utf8: '\u0301', tOffsetMs: 9 }], null],
  [
    'times that go back',
    [
      { utf8: 'a', tOffsetMs: 50 },
      { utf8: ' b', tOffsetMs: 20 },
    ],
    null,
  ],
  ['a time that is none', [{ utf8: 'a' }, { utf8: ' b', tOffsetMs: 'soon' }], null],
  [
    'styles without times',
    [
      { utf8: 'over', pPenId: 1 },
      { utf8: 'lap', pPenId: 2 },
    ],
    null,
  ],
]

for (const [what, segs, words] of CASES)
  test(`${what}: ${words === null ? 'no words' : words.join(' ')}`, () => {
    assert.deepEqual(wordsOf(segs), words)
    assert.deepEqual(
      wordsOf(
        segs.map(({ utf8, tOffsetMs }) =>
          tOffsetMs === undefined ? { utf8 } : { utf8, tOffsetMs },
        ),
        'manual',
      ),
      segs.length === 1 ? null : words,
    )
  })

test('automatic lines that start together have no times of words, and others keep theirs', () => {
  const line = (tStartMs: number, first: string, second: string): object => ({
    tStartMs,
    dDurationMs: 900,
    segs: [{ utf8: first }, { utf8: second, tOffsetMs: 300 }],
  })
  const events = [line(0, 'one', ' two'), line(0, 'three', ' four'), line(2000, 'five', ' six')]
  const segments = read(JSON.stringify({ events }), 'asr')
  assert.deepEqual(
    segments.map(({ text, words }) => [text, words?.length]),
    [
      ['one two three four', undefined],
      ['five six', 2],
    ],
  )
})

/** Every automatic or rolling track of the laboratory, and the first talks of two channels. */
function* published(): Generator<{ video: Video; track: Track }, void> {
  const world = createWorld()
  for (const key of ['lab', 'talks', 'worldtalks']) {
    const uploads = world.uploads(world.channel(key), null)
    for (let at = 0; at < Math.min(uploads.length, key === 'talks' ? 3 : 80); at += 1) {
      const video = uploads.at(at)
      if (video.durationMs < 3_700_000) for (const track of video.tracks) yield { video, track }
    }
  }
}

test('of all that the emulator publishes, joined words are the text, which is the truth, from either format alike', () => {
  const { seed } = createWorld()
  const count = { segments: 0, timed: 0, tracks: 0, unsure: 0 }
  for (const { video, track } of published()) {
    const text = { video, track, lines: linesOf(seed, video, track) }
    const segments = read(json3(text), track.kind)
    const name = `${video.videoId} ${track.languageCode}`
    assert.deepEqual(read(srv3(text), track.kind), segments, name)
    assert.deepEqual(
      segments.map(({ startMs, endMs, text: said }) => ({ startMs, endMs, text: said })),
      truthSegments(text.lines, track.kind),
      name,
    )
    count.tracks += 1
    for (const { text: said, words } of segments) {
      count.segments += 1
      if (words === undefined) continue
      count.timed += 1
      assert.equal(
        words.reduce((sum, { chars }) => sum + chars, 0),
        said.length,
      )
      count.unsure += words.filter(
        ({ confidence }) => confidence !== null && confidence > 0 && confidence < 130,
      ).length
    }
  }
  assert.ok(count.tracks > 60 && count.timed > count.segments / 3, JSON.stringify(count))
  assert.ok(count.unsure > 10, JSON.stringify(count))
})
