/** A quote is where most of the words are said, marked, and no longer than ten seconds. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Segment } from '../transcripts/transcript.ts'
import { findQuote } from './quote.ts'
import { readQuery, type SearchQuery } from './search-query.ts'

/** Returns segments of one line every two seconds. */
const said = (...lines: string[]): Segment[] =>
  lines.map((text, at) => ({ startMs: at * 2_000, endMs: at * 2_000 + 1_900, text }))

function quoted(segments: Segment[], q: string): string | null {
  const quote = findQuote(segments, readQuery(q) as SearchQuery)
  if (quote === null) return null
  const pieces = quote.snippet.map(({ text, isMatch }) => (isMatch ? `[${text}]` : text))
  return `${quote.startMs}: ${pieces.join('')}`
}

test('a quote is ten seconds around the first match, and marks every match in them', () => {
  const zoo = said(
    'one',
    'two',
    'three',
    'at the Zoo',
    'five',
    'six',
    'a zoo again',
    'eight',
    'zoo',
  )
  assert.equal(
    quoted(zoo, 'zoo'),
    '6000: three at the [Zoo] five six [a zoo'.replace('[a zoo', 'a [zoo] again'),
  )
  assert.equal(quoted(zoo, 'lion'), null)
  assert.equal(quoted(said('zoo'), '-lion zoo'), '0: [zoo]')
})

test('the ten seconds that hold most of the words are quoted', () => {
  const lines = said(
    'a zoo',
    ...Array.from({ length: 9 }, () => 'nothing'),
    'the lion',
    'of the zoo',
  )
  assert.equal(quoted(lines, 'zoo lion'), '20000: nothing the [lion] of the [zoo]')
})

test('phrases are found over the ends of lines, and in scripts without blanks', () => {
  assert.equal(
    quoted(said('in front', 'of it', 'in it'), '"front of"'),
    '0: in [front of] it in it',
  )
  assert.equal(quoted(said('我们去东', '京都看看'), '东京'), '0: 我们去[东京]都看看')
  assert.equal(quoted(said('elephants'), 'eleph*'), '0: [elephants]')
  assert.equal(quoted(said('café au lait'), 'CAFÉ'), '0: [café] au lait')
})

test('a snippet has a bounded length, parts no word, and is a piece of the text', () => {
  const word = 'abcdefg'
  const long = said(`${`${word} `.repeat(500)}zoo ${`${word} `.repeat(500)}`.trim())
  const quote = findQuote(long, readQuery('zoo') as SearchQuery)
  const text = quote?.snippet.map((piece) => piece.text).join('') ?? ''
  assert.ok(text.length <= 430)
  assert.deepEqual(new Set(text.trim().split(' ')), new Set([word, 'zoo']))
  assert.ok(long[0]?.text.includes(text))
})
