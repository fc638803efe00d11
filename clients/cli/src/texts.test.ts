/** Money, tables and outside text on a terminal. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { crc32, slowCrc32 } from './crc32.ts'
import { jsonOf, printable, shownData } from './printable.ts'
import { factsOf, tableOf } from './table.ts'
import { dollars, microsOf, usdOf } from './usd.ts'
import { readWish, videosIn } from './wish.ts'
import { wrapped } from './wrap.ts'

test('amounts are read and written exactly', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 17n }), (micros) => {
      assert.equal(microsOf(usdOf(micros)), micros)
      assert.match(usdOf(micros), /^\d+\.\d{3,6}$/)
    }),
  )
  assert.deepEqual(['2', '0.50', '0.008', '1.2345678', '-1', '1,5', ''].map(microsOf), [
    2_000_000n,
    500_000n,
    8_000n,
    null,
    null,
    null,
    null,
  ])
  assert.deepEqual(['0.984', '4.000', '0.080', '12.345600', '1204.5'].map(dollars), [
    '$0.984',
    '$4.00',
    '$0.08',
    '$12.3456',
    '$1,204.50',
  ])
})

test('words in which nothing is seen are no addresses', () => {
  assert.throws(() => readWish(['\u200e', ' \u2800\u2060 '], {}), /get needs a URL/)
  assert.deepEqual(readWish(['\u3164\n@name', '\ufe0f'], {}).urls, ['@name'])
})

test('no outside text can command a terminal', () => {
  const title = 'red \u001b[31m\u0007 and \u202eback\r\n'
  assert.equal(printable(title, { isUnicode: true }), 'red  [31m  and  back  ')
  assert.equal(printable('Ünï… 題', { isUnicode: false }), '?n?... ?')
})

test('data for programs commands no terminal: JSON is the same value, and of texts only controls go', () => {
  const title = 'red \u001b[31m \u009b31m \u007f \u202eback\u200f\u2028'
  const json = jsonOf({ title })
  assert.doesNotMatch(json, /[\p{Cc}\p{Bidi_Control}\u2028]/u)
  assert.deepEqual(JSON.parse(json), { title })
  const text = 'one\ttwo\r\nthree\rfour \u009b31m \u200f\u202e題'
  const piped = shownData(text, { isTerminal: false })
  assert.equal(piped, 'one\ttwo\r\nthree\rfour  31m \u200f\u202e題')
  assert.equal(shownData(text, { isTerminal: true }), 'one\ttwo\r\nthree four  31m 題')
})

test('columns stand below each other, and only the last one is cut', () => {
  const rows = [
    ['1', '題名', 'A title that is long'],
    ['12', 'ab', 'b'],
  ]
  assert.equal(
    tableOf(rows, { columns: 22, isUnicode: true }),
    '1   題名  A title tha…\n12  ab    b\n',
  )
  assert.equal(tableOf(rows, { columns: 1_000, isUnicode: true }).includes('that is long'), true)
})

test('where little would be left of the last column, a row takes several lines and nothing is cut', () => {
  const rows = [
    [
      'an-id-of-some-length',
      '2026-01-01',
      'finished',
      'https://a.example/one https://b.example/two',
    ],
    ['b', '', 'x', 'short'],
  ]
  const lines = [
    'an-id-of-some-length',
    '  2026-01-01  finished',
    '  https://a.example/one',
    '  https://b.example/two',
    'b    x',
    '  short',
  ]
  assert.deepEqual(tableOf(rows, { columns: 30, isUnicode: true }).trimEnd().split('\n'), lines)
  assert.equal(tableOf(rows, { columns: 1_000, isUnicode: true }).split('\n').length, 3)
})

test('a fact goes on below itself, and what cannot be broken has a line of its own', () => {
  const rows: [string, string][] = [
    ['ordered', 'at most nine videos'],
    ['job', '01a20768-4fc1-77ff'],
    ['', '01a20768-4fc1-77fe'],
  ]
  assert.deepEqual(factsOf(rows, { columns: 22, isUnicode: true }).trimEnd().split('\n'), [
    'ordered  at most nine',
    '         videos',
    'job',
    '  01a20768-4fc1-77ff',
    '  01a20768-4fc1-77fe',
  ])
})

test('lines break between words, but not in a command that is to be copied', () => {
  assert.equal(wrapped('  a line that is long', 12), '  a line\n  that is\n  long')
  assert.equal(
    wrapped('To end it: scriptorium cancel 01a20768', 20),
    'To end it:\nscriptorium cancel 01a20768',
  )
  assert.equal(wrapped('題名題名 題名', 8), '題名題名\n題名')
  assert.equal(wrapped('https://www.youtube.com/@channel', 10), 'https://www.youtube.com/@channel')
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 1, max: 60 }), (text, columns) => {
      const words = (line: string): string => line.replace(/\s+/g, ' ').trim()
      assert.equal(words(wrapped(text, columns)), words(text))
    }),
  )
})

test('the checksum is that of ZIP files', () => {
  assert.equal(crc32(Buffer.from('123456789')), 0xcbf43926)
  assert.equal(slowCrc32(Buffer.from('123456789')), 0xcbf43926)
})

test('only lines that are one video for certain lower what is set aside', () => {
  const videos = [
    'Kn56bMZ9OE8',
    'https://www.youtube.com/watch?v=Kn56bMZ9OE8',
    'https://youtu.be/Kn56bMZ9OE8',
  ]
  assert.equal(videosIn(videos), 3)
  for (const line of ['@elevenchars', 'https://www.youtube.com/@channel', 'PL0123456789abcdef']) {
    assert.equal(videosIn([...videos, line]), null)
  }
})

test('a kind of track is one that there is, and stands in the wish only where it was asked for', () => {
  assert.equal(readWish(['@name'], { track: 'asr' }).track, 'asr')
  assert.ok(!('track' in readWish(['@name'], {})))
  assert.throws(() => readWish(['@name'], { track: 'auto' }), /--track is asr or manual/)
})
