/** The words of a search that the reader marks: those that the service finds, and none that are excluded. */
import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { soughtIn } from '../../src/model/search/search-query.ts'

// The website's sources are checked by their own compiler settings, so they are loaded by address.
const { placesOf, queryOfHit } = await import(
  path.resolve(import.meta.dirname, '../../web/src/matches.ts')
)

const marked = (query: string, text: string): string[] =>
  placesOf(text, soughtIn(query)).map(([start, end]: [number, number]) => text.slice(start, end))

for (const [query, text, expected] of [
  ['quiet river', 'A quiet place, the River, quietly', ['quiet', 'River']],
  ['"quiet river"', 'quiet, the quiet river; quiet  River', ['quiet river', 'quiet  River']],
  ['engine OR river', 'the engine or the river', ['engine', 'river']],
  ['(big cat) OR lion -zoo', 'a big cat, a lion, a zoo', ['big', 'cat', 'lion']],
  ['cat -(zoo OR lion) -"big cat"', 'big cat lion zoo', ['cat']],
  ['engi* second', 'Engines of a second engine', ['Engines', 'second', 'engine']],
  ['"big ca"*', 'big cats, big dogs', ['big cats']],
  ['cafe Straße', 'Café, CAFÉ, strasse', ['Café', 'CAFÉ', 'strasse']],
  ['well-known', 'well, a well known one, well-known', ['well known', 'well-known']],
  ['"quiet river" river', 'quiet river, river', ['quiet river', 'river']],
  ['日本', '東日本の話', ['日本']],
  ['cat', 'concatenate', []],
  ['-', 'a - b', []],
] as [string, string, string[]][])
  test(`${query} marks ${expected.join(', ') || 'nothing'}`, () => {
    assert.deepEqual(marked(query, text), expected)
  })

test('the reader also marks what the service found by a part of it', () => {
  const piece = (text: string) => ({ text, isMatch: true })
  const between = { text: ' und ', isMatch: false }
  assert.equal(queryOfHit('wasser', [piece('Wasser'), between]), 'wasser')
  const query = queryOfHit('wasser', [piece('Trinkwasser'), between, piece('Trinkwasser')])
  assert.equal(query, 'wasser OR "Trinkwasser"')
  assert.deepEqual(marked(query, 'Trinkwasser, Wasser, Wasserwerk'), ['Trinkwasser', 'Wasser'])
})
