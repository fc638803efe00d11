/** Scanning json3: it reads what parsing reads, or leaves it to parsing. */
import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import type { PublishedCue } from './published-cue.ts'
import { parseJson3, scanJson3 as scanBytes } from './timedtext-json3.ts'

const scanJson3 = (body: string): PublishedCue[] | null => scanBytes(Buffer.from(body))

const events = fc.array(
  fc.record(
    {
      tStartMs: fc.oneof(fc.nat(99_999), fc.nat(99_999).map(String)),
      dDurationMs: fc.oneof(fc.nat(9999), fc.nat(9999).map(String)),
      wWinId: fc.constant(1),
      segs: fc.array(
        fc.record({
          utf8: fc.oneof(fc.string(), fc.constantFrom('\n', '"tStartMs":5', '\\"segs":[', '💬"}]')),
          acAsrConf: fc.constant(0),
        }),
        { maxLength: 3 },
      ),
      aAppend: fc.constant(1),
    },
    { requiredKeys: [] },
  ),
  { maxLength: 8 },
)

test('scanning json3 gives what parsing gives, or leaves it to parsing', () => {
  let scanned = 0
  fc.assert(
    fc.property(events, fc.boolean(), (made, isShuffled) => {
      const laidOut = isShuffled
        ? made.map((event) => Object.fromEntries(Object.entries(event).toReversed()))
        : made
      const body = JSON.stringify({ wireMagic: 'pb3', pens: [{}], events: laidOut })
      const found = scanJson3(body)
      if (found === null) return
      scanned += 1
      assert.deepEqual(found, parseJson3(body))
    }),
    { numRuns: 2000 },
  )
  assert.ok(scanned > 100, `${scanned} scanned`)
  const usual = '{"wireMagic":"pb3","events":[{"tStartMs":1,"dDurationMs":2,"segs":[{"utf8":"a"}]}]'
  assert.equal(scanJson3(`${usual}}`)?.length, 1)
  assert.equal(scanJson3(usual.slice(0, -4)), null, 'a torso is not read')
})

/** Pieces of one event that the scan must read as parsing does, or leave to it. */
const ODD_PIECES = [
  '{"utf8":"\\ud83d"},{"utf8":"\\udcac"}',
  '{"utf8":"\\ud83d\\udcac \\u00e9\\t\\"\\\\"},{"utf8":"b","tOffsetMs":5}',
  '{"utf8":"a","utf8":"b"}',
  '{"utf8":"a","\\u0075tf8":"b"}',
  '{"tOffsetMs":1,"utf8":"a"}',
  '{"utf8":"a","x":"},{"},{"utf8":"b","x":{"utf8":"c"}}',
  '{"utf8":"a","x":[{"utf8":"b"}]}',
  '{"utf8":"a","x":01}',
  '{"utf8":"a","x":-1.5}',
  '{"utf8":"\\x"}',
  '{"utf8":"a\nb"}',
  '{"utf8":5}',
  '{}',
  'null',
  `{"utf8":"${'word '.repeat(4_000)}"}`,
]

test('whatever pieces hold, scanning them and parsing them agree', () => {
  const around = (segs: string): string[] => [
    `{"tStartMs":1,"segs":[${segs}]}`,
    `{"tStartMs":1,"segs":[${segs}],"dDurationMs":7},{"segs":[{"utf8":"next"}]}`,
    `{"tStartMs":"1","dDurationMs":"","segs":[${segs}],"segs":[{"utf8":"again"}]}`,
    `{"tStartMs":1,"x":[{"utf8":"other"}],"segs":[${segs}]}`,
  ]
  for (const body of ODD_PIECES.flatMap(around)) {
    const whole = `{"wireMagic":"pb3","events":[${body}]}`
    for (const text of [whole, `${whole}\n`, `${whole}}`, whole.replace(']}', ',"events":[]}')]) {
      const found = scanJson3(text)
      if (found !== null) assert.deepEqual(found, parseJson3(text), text)
    }
  }
  const head = '{"wireMagic":"pb3","pens":[{"events":[{"tStartMs":1,"segs":[{"utf8":"a"}]}]}'
  assert.equal(scanJson3(head), null, 'the events of another part are not the document’s')
})

test('bytes that are no text are read as the same marks as elsewhere', () => {
  const [from, to] = ['{"wireMagic":"pb3","events":[{"tStartMs":1,"segs":[{"utf8":"', '"}]}]}']
  for (const bytes of [
    [0xff],
    [0xe2, 0x82],
    [0xf0, 0x9f, 0x92],
    [0xc3, 0x28],
    [0xed, 0xa0, 0x80],
  ]) {
    const body = Buffer.concat([Buffer.from(from), Buffer.from(bytes), Buffer.from(to)])
    assert.deepEqual(scanBytes(body), parseJson3(body.toString()))
  }
})
