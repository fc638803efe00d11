/** Timedtext: the platform's formats become clean segments, and no word is lost, doubled or moved. */
import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { cleanText, type PublishedCue, toSegments } from './cues.ts'
import { readTimedtext as readBytes, type TimedtextReading } from './timedtext.ts'
import type { Segment, TrackKind } from './transcript.ts'

const readTimedtext = (body: string, kind: TrackKind): TimedtextReading =>
  readBytes(Buffer.from(body), kind)

function segmentsOf(body: string, kind: TrackKind): Segment[] {
  const reading = readTimedtext(body, kind)
  assert.equal(reading.kind, 'segments')
  if (reading.kind !== 'segments') return []
  return reading.segments.map(({ startMs, endMs, text }) => ({ startMs, endMs, text }))
}

test('rolling automatic captions are cut at the next line, and their newline events vanish', () => {
  const events = [
    { tStartMs: 0, dDurationMs: 1213080, id: 1, wpWinPosId: 1, wsWinStyleId: 1 },
    {
      tStartMs: 2399,
      dDurationMs: 6801,
      wWinId: 1,
      segs: [
        { utf8: 'hey', acAsrConf: 0 },
        { utf8: ' in', tOffsetMs: 201 },
      ],
    },
    { tStartMs: 4430, dDurationMs: 4770, wWinId: 1, aAppend: 1, segs: [{ utf8: '\n' }] },
    {
      tStartMs: 4440,
      dDurationMs: 5000,
      wWinId: 1,
      segs: [{ utf8: 'the' }, { utf8: ' road', tOffsetMs: 100 }],
    },
    { tStartMs: 20000, dDurationMs: 2000, wWinId: 1, aAppend: 1, segs: [{ utf8: 'appended' }] },
  ]
  assert.deepEqual(segmentsOf(JSON.stringify({ wireMagic: 'pb3', events }), 'asr'), [
    { startMs: 2399, endMs: 4440, text: 'hey in' },
    { startMs: 4440, endMs: 9440, text: 'the road' },
    { startMs: 20000, endMs: 22000, text: 'appended' },
  ])
})

test('the creator’s captions keep their times; without a duration they last to the next event, five seconds at most', () => {
  const events = [
    { tStartMs: '1000', dDurationMs: '4000', segs: [{ utf8: 'two\nlines' }] },
    {
      tStartMs: 2000,
      dDurationMs: 4000,
      segs: [
        { utf8: '\u200b', pPenId: 1 },
        { utf8: 'over' },
        { utf8: 'lap\u00a0\u00a0here\ufeff' },
      ],
    },
    { tStartMs: 7000, dDurationMs: 0, segs: [{ utf8: 'zero' }] },
    { tStartMs: 7000, segs: [{ utf8: 'twin' }] },
    { tStartMs: 9000, segs: [{ utf8: 'gap' }] },
    { tStartMs: 60000, segs: [{ utf8: 'last' }] },
    { tStartMs: 61000, segs: [{ utf8: ' \n ' }] },
  ]
  assert.deepEqual(segmentsOf(JSON.stringify({ events }), 'manual'), [
    { startMs: 1000, endMs: 5000, text: 'two lines' },
    { startMs: 2000, endMs: 6000, text: 'overlap here' },
    { startMs: 7000, endMs: 9000, text: 'zero' },
    { startMs: 7000, endMs: 9000, text: 'twin' },
    { startMs: 9000, endMs: 14000, text: 'gap' },
    { startMs: 60000, endMs: 61000, text: 'last' },
  ])
})

test('automatic lines that start together are one', () => {
  const cues = [
    { startMs: 1000, durationMs: 2000, text: 'one', windowId: null },
    { startMs: 1000, durationMs: 3000, text: 'two', windowId: null },
    { startMs: 2500, durationMs: null, text: 'three', windowId: null },
  ]
  assert.deepEqual(toSegments(cues, 'asr'), [
    { startMs: 1000, endMs: 2500, text: 'one two' },
    { startMs: 2500, endMs: 7500, text: 'three' },
  ])
})

test('srv3 says the same as json3, attributes in any order and empty lines left out', () => {
  const body = `<?xml version="1.0" encoding="utf-8" ?><timedtext format="3"><head><ws id="0"/></head><body>
<w t="0" id="1" wp="1" ws="1"/><p t="2399" d="6801" w="1"><s ac="0">hey</s><s t="201" ac="0"> in</s></p>
<p t="4430" d="4770" w="1" a="1">
</p><p d="5000" w="1" t="4440">1 &lt; 2 &amp;amp; more<br/>down</p><p t="9000"/></body></timedtext>`
  assert.deepEqual(segmentsOf(body, 'asr'), [
    { startMs: 2399, endMs: 4440, text: 'hey in' },
    { startMs: 4440, endMs: 9440, text: '1 < 2 &amp; more down' },
  ])
})

test('srv1 is unescaped twice and counts in seconds', () => {
  const body = `<?xml version="1.0" encoding="utf-8" ?><transcript><text start="0.5" dur="2.25">we&amp;#39;re &amp;lt;i&amp;gt;here&amp;lt;/i&amp;gt;</text><text start="3"/><text start="3.1"></text><text start="4.7">1 &amp;lt; 2 &amp;amp; on</text></transcript>`
  assert.deepEqual(segmentsOf(body, 'manual'), [
    { startMs: 500, endMs: 2750, text: "we're here" },
    { startMs: 4700, endMs: 9700, text: '1 < 2 & on' },
  ])
})

test('an attribute is read by its whole name: one whose name ends like it is another', () => {
  const srv1 = `<transcript><text data-start="7" xml:dur="9" start="1" data-dur="8" dur="2">one</text><text data-start="7" restart="8">two</text></transcript>`
  assert.deepEqual(segmentsOf(srv1, 'manual'), [
    { startMs: 0, endMs: 1000, text: 'two' },
    { startMs: 1000, endMs: 3000, text: 'one' },
  ])
  const srv3 = `<timedtext format="3"><body><p at="9" data-t="8" t="1500" id="7" xml:d="6" d="500">words</p></body></timedtext>`
  assert.deepEqual(segmentsOf(srv3, 'manual'), [{ startMs: 1500, endMs: 2000, text: 'words' }])
})

const TEXTS: [string, string][] = [
  ['plain', 'plain'],
  ['  a   b ', 'a b'],
  ['<i>word</i> <b>bold</b><font color="#fff">x</font>', 'word boldx'],
  ['<c.colorE5E5E5>shade</c> <v Roger Bingham>hi</v>', 'shade hi'],
  ['so<00:00:01.469><c> to</c>', 'so to'],
  ['1 < 2 and 3 > 2', '1 < 2 and 3 > 2'],
  ['I <3 you > me', 'I <3 you > me'],
  ['a <b and c> d', 'a <b and c> d'],
  ['if x<y then', 'if x<y then'],
  ['two<br>lines', 'two lines'],
  ['&nbsp;[ __ ]&nbsp;', '[ __ ]'],
  ['[\u00a0__\u00a0]', '[ __ ]'],
  ['R&amp;B and &lt;', 'R&amp;B and &lt;'],
  ['e\u0301te\u0301', '\u00e9t\u00e9'],
  ['>> hello', '>> hello'],
  ['\u202bשלום\u202c', '\u202bשלום\u202c'],
  ['[Music] 🎵', '[Music] 🎵'],
  ['\u200b', ''],
  ['ze\0ro \ud800', 'zero \ufffd'],
  ['e\u200b\u0301', '\u00e9'],
  ['\u200e', ''],
  ['\u2800\u2060', ''],
  ['\u0007', ''],
  ['\u2060one\u2060\u00a0\u2800 <i>two</i>\u2800', 'one two'],
  ['می\u200cخواهم', 'می\u200cخواهم'],
  ['👩\u200d👧 ❤\ufe0f', '👩\u200d👧 ❤\ufe0f'],
]

test('text loses markup and hidden marks, and nothing that anyone said', () => {
  for (const [published, clean] of TEXTS)
    assert.equal(cleanText(published), clean, JSON.stringify(published))
})

const UNSEEN = ['\u200e', '\u2800\u2060', '\u3164', '\u202b \u202c', '\ufe0f\u200d', '\u0007']

test('a track whose only cues are marks that nobody sees is one without words, in each format', () => {
  for (const kind of ['asr', 'manual'] as const) {
    for (const text of [...UNSEEN, UNSEEN.join(' ')]) {
      const events = [{ tStartMs: 1, segs: [{ utf8: text }] }]
      const bodies = [
        JSON.stringify({ wireMagic: 'pb3', events }),
        `<timedtext format="3"><body><p t="1" d="9"><s>${text}</s></p></body></timedtext>`,
        `<transcript><text start="1" dur="2">${text}</text></transcript>`,
        `<transcript><text start="1">&amp;#x${text.codePointAt(0)?.toString(16)};</text></transcript>`,
        text,
      ]
      for (const body of bodies)
        assert.deepEqual(readTimedtext(body, kind), { kind: 'empty' }, body)
    }
  }
})

test('an empty body, a wordless track and a web page are told apart', () => {
  assert.deepEqual(readTimedtext('', 'asr'), { kind: 'empty' })
  assert.deepEqual(readTimedtext('{"wireMagic":"pb3"}', 'asr'), { kind: 'empty' })
  assert.deepEqual(readTimedtext('{"events":[{"tStartMs":1,"segs":[{"utf8":"\\n"}]}]}', 'asr'), {
    kind: 'empty',
  })
  for (const body of [
    '<!DOCTYPE html><html></html>',
    '<html>',
    '{"error":{}}',
    'WEBVTT\n',
    '{"eve',
    'null',
    '[]',
  ]) {
    assert.deepEqual(readTimedtext(body, 'asr'), { kind: 'unreadable' }, body)
  }
})

const cue = fc.record({
  startMs: fc.oneof(
    fc.integer({ min: 0, max: 60_000 }),
    fc.double({ min: 0, max: 60_000, noNaN: true }),
  ),
  durationMs: fc.option(fc.integer({ min: -5, max: 9000 })),
  text: fc.oneof(
    fc.lorem({ maxCount: 4 }),
    fc.constantFrom('', ' ', '\u200b', '1 < 2', 'a\u00a0b', '\n'),
  ),
  windowId: fc.constantFrom(null, '1'),
})

test('segments are sorted whole milliseconds with words, and every word of the input is there in order, once where it is published twice', () => {
  fc.assert(
    fc.property(
      fc.array(cue, { maxLength: 40 }),
      fc.constantFrom<TrackKind>('asr', 'manual'),
      (cues, kind) => {
        const segments = toSegments(cues, kind)
        for (const [at, { startMs, endMs, text }] of segments.entries()) {
          assert.ok(Number.isInteger(startMs) && Number.isInteger(endMs) && endMs > startMs)
          assert.ok(text === text.trim() && text !== '' && !text.includes('\n'))
          const next = segments[at + 1]
          if (next === undefined) continue
          assert.ok(next.startMs >= startMs)
          if (kind === 'asr') assert.ok(endMs <= next.startMs, 'automatic captions never overlap')
        }
        assert.deepEqual(wordsOf(segments), wordsOf(inOrder(cues)))
      },
    ),
    { numRuns: 500 },
  )
})

function inOrder(cues: PublishedCue[]): { text: string }[] {
  return cues
    .map(({ startMs, text }) => ({
      at: Math.max(0, Math.round(startMs)),
      text: text.replace(/\u200b/g, ''),
    }))
    .filter(({ at, text }, index, all) => {
      const isTwin = (other: { at: number; text: string }): boolean =>
        other.at === at && cleanText(other.text) === cleanText(text)
      return all.findIndex(isTwin) === index
    })
    .sort((a, b) => a.at - b.at)
}

function wordsOf(texts: { text: string }[]): string[] {
  return texts.flatMap(({ text }) => text.split(/\s+/)).filter((word) => word !== '')
}

test('any text at all is read without an error', () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.constantFrom('', '<timedtext format="3"><body>', '<transcript>', '{"events":'),
      (tail, head) => {
        readTimedtext(head + tail, 'asr')
      },
    ),
    { numRuns: 1000 },
  )
})
