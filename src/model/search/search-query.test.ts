/** Queries as people type them are understood, and nothing of them reaches the index as an operator. */
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../test/support/any-character.ts'
import { matchExpression, readQuery } from './search-query.ts'

const written = (q: string): string => {
  const query = readQuery(q)
  return 'fault' in query ? query.fault : matchExpression(query)
}

const CASES: [q: string, expression: string][] = [
  ['zoo', '("zoo")'],
  ['Zoo Café', '("zoo") AND ("cafe")'],
  ['"in front of" zoo', '("in front of") AND ("zoo")'],
  ['“in front', '("in front")'],
  ['eleph*', '("eleph" *)'],
  ['"big eleph"*', '("big eleph" *)'],
  ['zoo -lion -"big cat"', '(("zoo")) NOT (("lion") OR ("big cat"))'],
  ["don't", '("don t")'],
  ['東京都', '("東京 京都")'],
  ['都', '("都" *)'],
  ['"買う iPhone"', '("買う う iphone")'],
  ['zoo or NOT body: ^x {a}', '("zoo") AND ("or") AND ("not") AND ("body") AND ("x") AND ("a")'],
  ['Engine OR bridge', '("engine" OR "bridge")'],
  [
    'old engine OR "steam bridge" -rail',
    '(("old") AND ("engine" OR "steam bridge")) NOT (("rail"))',
  ],
  ['a OR b OR c', '("a" OR "b" OR "c")'],
  ['(a b) OR c', '("a" OR "c") AND ("b" OR "c")'],
  ['(a OR b) (c OR (d e))', '("a" OR "b") AND ("c" OR "d") AND ("c" OR "e")'],
  ['zoo -(lion OR "big cat")', '(("zoo")) NOT (("lion" OR "big cat"))'],
  ['（京都 OR 東京）', '("京都" OR "東京")'],
  ['"zoo OR lion" "OR"', '("zoo or lion") AND ("or")'],
  ['OR zoo OR', '("zoo")'],
  ['zoo OR * OR lion', '("zoo" OR "lion")'],
  ['((zoo OR lion', '("zoo" OR "lion")'],
  ['zoo) :-) () OR lion', '("zoo" OR "lion")'],
  ['zoo OR -lion', 'exclusion_beside_or'],
  ['(zoo -lion) OR cat', 'exclusion_beside_or'],
  ['zoo -(lion cat)', 'excluded_together'],
  ['zoo -(lion -cat)', 'excluded_together'],
  ['-(lion OR cat)', 'only_exclusions'],
  [
    '(a b c d) OR (e f g h)',
    Array.from('abcd', (one) => Array.from('efgh', (other) => `("${one}" OR "${other}")`))
      .flat()
      .join(' AND '),
  ],
  ['(a b c d e) OR (f g h i)', 'too_many_terms'],
  ['((a b c) OR (d e f)) OR ((g h i) OR (j k l))', 'too_many_terms'],
  ['', 'no_word'],
  ['OR', 'no_word'],
  ['-zoo', 'only_exclusions'],
  ['* " -', 'no_word'],
  ['\u3164', 'no_word'],
  ['\ufe0f\u200d "\u2800" \u200e', 'no_word'],
  ['zoo -\u3164 \ufe0f*', '("zoo")'],
  ['a*', 'prefix_too_short'],
  ['aa* bb* cc* dd*', 'too_many_prefixes'],
  ['a b c d e f g h i j k l m n o p q', 'too_many_terms'],
]

test('what is typed becomes terms, and nothing of it is an operator of the index', () => {
  for (const [q, expression] of CASES) assert.equal(written(q), expression, q)
})

test('whatever is typed, the index can read what becomes of it', () => {
  const index = new DatabaseSync(':memory:')
  try {
    index.exec(`create virtual table texts using fts5(body, content='', tokenize='ascii')`)
    const match = index.prepare('select rowid from texts where texts match ?')
    const words = fc.constantFrom(
      ...'zoo|NEAR(|(|-(|)|OR|OR|body:|^|"|""|*|-|+|AND|OR|NOT|\'|;|東|“|\\|--|{|}'.split('|'),
    )
    const asked = fc.oneof(
      fc.array(words, { maxLength: 20 }).map((list) => list.join(' ')),
      fc.array(words, { maxLength: 20 }).map((list) => list.join('')),
      fc.string({ unit: anyCharacter, maxLength: 60 }),
    )
    fc.assert(
      fc.property(asked, (q) => {
        const query = readQuery(q)
        if (!('fault' in query)) assert.deepEqual(match.all(matchExpression(query)), [])
      }),
      { numRuns: 400 },
    )
  } finally {
    index.close()
  }
})
