/** Scanning json3: it reads what parsing reads, or leaves it to parsing. */
import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import type { PublishedCue } from './transcript.ts'
import { parseJson3, scanJson3 as scanBytes } from './timedtext-json3.ts'
import { isSeedFixed } from '../../../test/support/seed.ts'

const scanJson3 = (body: string): PublishedCue[] | null => scanBytes(Buffer.from(body))
const documentOf = (events: string): string =>
  `{"wireMagic":"pb3","pens":[{}],"events":[${events}]}`

/** What may stand in a string of JSON; and what may not, or is half of something. */
const LETTERS = [
  ...String.raw`word| and| so|é|字|💬|\"tStartMs\":5|\"}]},{|]}|\n|\"|\\|\/|\b\f\r\t`.split('|'),
  ...String.raw`\u0026|\u003c|\u200b|\u00E9|\u0000|\uffff|\ud83d\ude00|\uDBFF\uDFFF`.split('|'),
  '\u2028\u007f\\ud7ff\\ue000',
]
const WRONG_LETTERS = [
  '\\ud83d',
  '\\ude00\\ude00',
  '\\ud83d\\udbff',
  '\\ud83d\\ue000',
  '\\u12g4',
  '\\x',
  '\n',
]
const LONG = 'long '.repeat(3_000)
const RARE_NUMBERS = ['0', '""', '"007"', '123456789012345', '"123456789012345"']
const WRONG_NUMBERS = [
  '1234567890123456',
  '"1234567890123456"',
  '007',
  '',
  '-1',
  '"-1"',
  '1.5',
  '1e3',
]
const NO_NUMBERS = ['null', '[]', '{"utf8":"x"}', ' 5', '"5', '"a"']

const quoted = (text: string): string => `"${text}"`
const member = ([name, value]: [string, string]): string => `"${name}":${value}`
const text = fc
  .oneof(
    { weight: 60, arbitrary: fc.array(fc.constantFrom(...LETTERS), { maxLength: 5 }) },
    fc.array(fc.constantFrom(...LETTERS, ...WRONG_LETTERS), { maxLength: 3 }),
    fc.constant([LONG]),
  )
  .map((letters) => quoted(letters.join('')))
const usualNumber = fc.nat(99_999).map(String)
const number = fc.oneof(
  { weight: 40, arbitrary: usualNumber },
  { weight: 10, arbitrary: usualNumber.map(quoted) },
  { weight: 3, arbitrary: fc.constantFrom(...RARE_NUMBERS) },
  fc.constantFrom(...WRONG_NUMBERS, ...NO_NUMBERS),
)
const OTHERS = ['tOffsetMs', 'acAsrConf', 'pPenId', 'wWinId', 'id', 'tOffsetMz', 'tStartMx']
const otherValue = fc.oneof(
  { weight: 80, arbitrary: number },
  { weight: 10, arbitrary: fc.constant('"plain"') },
  text,
)
const otherInEvent = fc.tuple(fc.constantFrom(...OTHERS), otherValue)
const other = fc.oneof(
  { weight: 60, arbitrary: otherInEvent },
  fc.tuple(fc.constantFrom('utf8', 'a\\"b', '', 'segs'), otherValue),
)
const piece = fc
  .tuple(text, fc.array(other, { maxLength: 3 }), fc.nat(99))
  .map(([said, others, oddness]) => {
    const members = [member(['utf8', said]), ...others.map(member)]
    if (oddness === 0) return '{}'
    if (oddness === 1) return `{${members.toReversed().join(',')}}`
    return `{${members.join(oddness === 2 ? ' , ' : ',')}}`
  })
const pieces = fc.array(piece, { maxLength: 4 }).map((all) => `[${all.join(',')}]`)
const inEvent = fc.oneof(
  { weight: 10, arbitrary: number.map((value) => member(['tStartMs', value])) },
  { weight: 10, arbitrary: number.map((value) => member(['dDurationMs', value])) },
  { weight: 30, arbitrary: pieces.map((value) => member(['segs', value])) },
  { weight: 10, arbitrary: otherInEvent.map(member) },
  fc.constant('"segs":5'),
)
/** A name stands there twice now and then. */
const event = fc
  .oneof(
    { weight: 19, arbitrary: fc.uniqueArray(inEvent, { maxLength: 5, selector: nameOf }) },
    fc.array(inEvent, { maxLength: 5 }),
  )
  .map((members) => `{${members.join(',')}}`)
const document = fc.array(event, { maxLength: 6 }).map((events) => documentOf(events.join(',')))

function nameOf(written: string): string {
  return written.split(':', 1)[0] ?? ''
}

/** Another byte at this share of the length, or the end; and bytes instead of what 💬 is, one after the other. */
type Harm = { share: number; byte: number | null; torn: readonly (readonly number[])[] }
const BYTES = [...Buffer.from('"\\,:{}[]0a n\n\0'), 0x80, 0xbf, 0xc3, 0xe2, 0xed, 0xf0, 0xff]
const TORN = [[0xff], [0xe2, 0x82], [0xac], [0xf0, 0x9f, 0x92], [0xc3], [0xed, 0xa0, 0x80], [0x80]]
const harm = fc.record({
  share: fc.oneof(
    { weight: 3, arbitrary: fc.constant(1) },
    fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
  ),
  byte: fc.option(fc.constantFrom(...BYTES), { freq: 3 }),
  torn: fc.oneof(fc.constant([]), fc.array(fc.constantFrom(...TORN), { maxLength: 3 })),
})

function harmed(body: string, { share, byte, torn }: Harm): Buffer {
  const whole = Buffer.concat(
    body.split('💬').flatMap((part, place) => {
      const between = torn.length === 0 ? '💬' : Buffer.from(torn[place % torn.length] ?? [])
      return place === 0 ? [Buffer.from(part)] : [Buffer.from(between), Buffer.from(part)]
    }),
  )
  const at = Math.floor(share * whole.length)
  if (at === whole.length) return whole
  const after = byte === null ? [] : [Buffer.of(byte), whole.subarray(at + 1)]
  return Buffer.concat([whole.subarray(0, at), ...after])
}

/** What the documents are to have had, of those that were scanned and of those that were left to parsing. */
const HAPPENS: Record<string, (body: string) => boolean> = {
  cue: (body) => parseJson3(body)?.length !== 0,
  'an escape': (body) => body.includes('\\n'),
  'an escaped character': (body) => body.includes('\\u00E9'),
  'a surrogate pair': (body) => body.includes('\\uDBFF\\uDFFF'),
  'half of one': (body) => /\\ud83d(?!\\ude)/.test(body),
  'no ASCII': (body) => body.includes('字'),
  'no UTF-8': (body) => body.includes('\ufffd'),
  'no text of JSON': (body) => /\\x|\\u12g|[^"]\n/.test(body),
  'many words': (body) => body.includes(LONG),
  'a quoted number': (body) => /"tStartMs":"[1-9]/.test(body),
  'an empty one': (body) => /"(?:tStart|dDuration)Ms":""/.test(body),
  'fifteen digits': (body) => /Ms":"?\d{15}\D/.test(body),
  'sixteen digits': (body) => /"(?:tStart|dDuration)Ms":"?\d{16}/.test(body),
  'another number': (body) => /Ms":(?:-|1\.|0\d)/.test(body),
  'a blank': (body) => /Ms": 5| , /.test(body),
  'something nested': (body) => body.includes(':{"utf8'),
  'a text twice': (body) => /"utf8":[^{}[\]]*,"utf8":/.test(body),
  'a start twice': (body) => /"tStartMs":\d+,"tStartMs":/.test(body),
  'its end missing': (body) => !body.endsWith(']}'),
}
const NEVER_SCANNED = [
  'half of one',
  'no text of JSON',
  'sixteen digits',
  'another number',
  'a blank',
  'something nested',
  'a text twice',
  'a start twice',
  'its end missing',
]

test('scanning json3 gives what parsing gives, or leaves it to parsing', () => {
  const scanned = new Map<string, number>()
  const left = new Map<string, number>()
  const compare = (body: Buffer): void => {
    const read = body.toString()
    const found = scanBytes(body)
    if (found !== null) assert.deepEqual(found, parseJson3(read))
    const counts = found === null ? left : scanned
    for (const [name, happens] of Object.entries(HAPPENS))
      if (happens(read.replaceAll('\\\\', ''))) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  fc.assert(
    fc.property(document, harm, (made, harms) => compare(harmed(made, harms))),
    { numRuns: 6000 },
  )
  for (const name of Object.keys(HAPPENS)) {
    const isNever = NEVER_SCANNED.includes(name)
    if (isSeedFixed) assert.ok((isNever ? left : scanned).has(name), `${name} occurs`)
    assert.ok(!(isNever && scanned.has(name)), `${name} is left to parsing`)
  }
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
  const said = (times: number) => documentOf(`{"segs":[{"utf8":"${'word '.repeat(times)}"}]}`)
  assert.equal(scanJson3(said(3_000))?.length, 1)
  assert.equal(scanJson3(said(4_000)), null, 'nobody says so much in one event')
})

test('bytes that are no text are read as the same marks as elsewhere', () => {
  const [from, between, to] = [
    '{"wireMagic":"pb3","events":[{"segs":[{"utf8":"',
    '"},{"utf8":"',
    '"}]}]}',
  ]
  for (const bytes of TORN) {
    const body = Buffer.concat([Buffer.from(from), Buffer.from(bytes), Buffer.from(to)])
    const found = scanBytes(body)
    if (found !== null) assert.deepEqual(found, parseJson3(body.toString()))
  }
  const torn = [Buffer.from(from), Buffer.of(0xe2, 0x82), Buffer.from(between), Buffer.of(0xac)]
  const found = scanBytes(Buffer.concat([...torn, Buffer.from(to)]))
  assert.equal(found, null, 'what two pieces have of a character is none')
})

test('a scan sees nothing of the document before it', () => {
  const long = documentOf(
    '{"tStartMs":1,"dDurationMs":2345,"segs":[{"utf8":"one \\u00e9"},{"utf8":"two"}]}',
  )
  for (let bytes = 0; bytes < long.length; bytes += 1) {
    assert.equal(scanJson3(long)?.length, 1)
    assert.equal(scanJson3(long.slice(0, bytes)), null, `${bytes} bytes`)
  }
  assert.deepEqual(scanJson3(documentOf('')), [])
  assert.deepEqual(scanJson3(documentOf('{"segs":[{"utf8":"a"}]}')), [
    { startMs: 0, durationMs: null, text: 'a' },
  ])
})
