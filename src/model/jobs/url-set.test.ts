/** Requests that ask for the same thing again. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { readUrlSet } from '../../../test/support/orders.ts'
import { setHashOf } from './url-set.ts'
import { numberIn, setTexts, lineTexts } from '../../../test/support/orders.ts'

test('lines are split, trimmed, joined where equal, and kept in the order given', () => {
  const cases: [string | string[], { urls: string[]; lineCount: number }][] = [
    ['a', { urls: ['a'], lineCount: 1 }],
    [' b \r\na\n\n b\t', { urls: ['b', 'a'], lineCount: 3 }],
    [['b\ra', 'c', 'a'], { urls: ['b', 'a', 'c'], lineCount: 4 }],
    ['a\u2028b\u2029c\u0085d\ve\ff', { urls: ['a', 'b', 'c', 'd', 'e', 'f'], lineCount: 6 }],
    ['\uFEFFa\u00A0', { urls: ['a'], lineCount: 1 }],
    [['', ' \n '], { urls: [], lineCount: 0 }],
    ['a b', { urls: ['a b'], lineCount: 1 }],
  ]
  for (const [given, { urls, lineCount }] of cases) {
    const set = readUrlSet(given)
    assert.deepEqual({ urls: lineTexts(set.lines), lineCount: set.lineCount }, { urls, lineCount })
  }
})

test('the hash is the SHA-256 of the sorted lines', () => {
  const expected = createHash('sha256').update('Z\na\nb').digest('hex')
  assert.equal(readUrlSet('b\na\nZ').hash, expected)
})

test('another spelling of the same channel is another URL set', () => {
  const spellings = ['@Name', '@name', 'youtube.com/@name', 'https://youtube.com/@name', '@name/']
  assert.equal(new Set(spellings.map((line) => readUrlSet(line).hash)).size, spellings.length)
  assert.notEqual(readUrlSet('a\nb').hash, readUrlSet('a b').hash)
})

const line = fc.stringMatching(/^[@a-zA-Z0-9/?=.:_-]{1,6}$/)

test('order, repetition, blanks and line breaks make no other URL set; a line more does', () => {
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 8 }),
      fc.constantFrom('\n', '\r\n', '\r', ' \n\n\t', '\n\u200e\n', '\r\u2800 \u2060\n'),
      line,
      (lines, lineBreak, extra) => {
        const { hash } = readUrlSet(lines)
        const mixed = [...lines].reverse().concat(lines.slice(0, 2))
        assert.equal(readUrlSet(mixed.join(lineBreak)).hash, hash)
        assert.equal(readUrlSet(setTexts(mixed)).hash, hash)
        assert.equal(readUrlSet([...lines, extra]).hash === hash, lines.includes(extra))
      },
    ),
  )
})

test('a line is numbered where it was first sent, with blank lines and all strings counted', () => {
  assert.equal(numberIn('a\n\n  b \nb', 'b'), 3)
  assert.equal(numberIn(['a', 'b\nc', 'd'], 'd'), 4)
  assert.equal(numberIn('a\n\u200e\nb', 'b'), 3)
})

test('as many lines as may be are taken, and those behind them only counted', () => {
  for (const count of [1, 16, 17, 49, 50, 51, 60]) {
    const lines = Array.from({ length: count }, (_, at) => `@name${at}`)
    const set = readUrlSet([...lines, '@NAME0', ' @name0 '], 50)
    assert.deepEqual(lineTexts(set.lines), [...lines, '@NAME0'].slice(0, 50))
    assert.deepEqual([set.lineCount, set.hash], [count + 2, setHashOf([...lines, '@NAME0'])])
    assert.equal(set.repeats, 1)
  }
})
