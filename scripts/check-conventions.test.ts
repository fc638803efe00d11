/** The check of `npm run check` names a convention that was taken away, by its row. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { missingConventions, readConventions, readHere, TABLE } from './check-conventions.ts'

const conventions = readConventions(readHere(TABLE) ?? '')
/** The areas of the table; a row that is taken out of it is missed here. */
const ROWS = {
  OpenAPI: 4,
  HTTP: 6,
  reference: 2,
  discovery: 4,
  agents: 8,
  packages: 4,
  'supply chain': 5,
  releases: 3,
  people: 5,
  'notebooks, vaults, papers': 5,
}

test('every convention stands where its row says, and the test that checks it', () => {
  assert.deepEqual(missingConventions(conventions), [])
})

test('whatever is taken away of a row, a file or its words, is named by the row', () => {
  for (const row of conventions)
    for (const { file: lost, words } of [...row.where, ...row.checkedBy]) {
      const without = (file: string): string | null =>
        file === lost ? (readHere(file) ?? '').replaceAll(words, '') : readHere(file)
      const gone = (file: string): string | null => (file === lost ? null : readHere(file))
      for (const each of [without, gone]) {
        const named = missingConventions([row], each)
        assert.ok(named.length > 0, `${row.what}: ${lost}`)
        assert.ok(named.every((line) => line.startsWith(`${row.area}, ${row.what}: `)))
      }
    }
})

test('a row that names no place is named, too, and none of the table is missing', () => {
  const [unreadable] = readConventions(
    '| area | what | where | by |\n| HTTP | x | a file | a test |',
  )
  assert.deepEqual(missingConventions([unreadable!]), [
    'HTTP, x: nothing says where it is, or what checks it',
  ])
  const counts = Object.fromEntries(
    Object.keys(ROWS).map((area) => [area, conventions.filter((row) => row.area === area).length]),
  )
  assert.deepEqual(counts, ROWS)
  assert.equal(conventions.length, new Set(conventions.map(({ what }) => what)).size)
})
