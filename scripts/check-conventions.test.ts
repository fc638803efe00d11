/** The check of `npm run check` names a convention that was taken away, by its row. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { missingConventions } from './check-conventions.ts'
import { CONVENTIONS } from './conventions.ts'

const ROOT = path.dirname(import.meta.dirname)
const read = (file: string): string | null =>
  fs.existsSync(path.join(ROOT, file)) ? fs.readFileSync(path.join(ROOT, file), 'utf8') : null

test('every convention stands where its row says, and the test that checks it', () => {
  assert.deepEqual(missingConventions(CONVENTIONS, read), [])
})

test('whatever is taken away of a row, a file or its words, is named by the row', () => {
  for (const row of CONVENTIONS)
    for (const [lost, words] of [...row.where, ...row.checkedBy]) {
      const without = (file: string): string | null =>
        file === lost ? (read(file) ?? '').replaceAll(words, '') : read(file)
      const gone = (file: string): string | null => (file === lost ? null : read(file))
      for (const each of [without, gone]) {
        const named = missingConventions([row], each)
        assert.ok(named.length > 0, `${row.what}: ${lost}`)
        assert.ok(named.every((line) => line.startsWith(`${row.area}, ${row.what}: `)))
      }
    }
})

test('a row says where it is and what checks it, and each is there once', () => {
  const unchecked = [{ area: 'HTTP', what: 'x', where: [], checkedBy: [] }]
  assert.deepEqual(missingConventions(unchecked, read), [
    'HTTP, x: nothing says where it is, or what checks it',
  ])
  const rows = CONVENTIONS.map(({ area, what }) => `${area}, ${what}`)
  assert.deepEqual(rows, [...new Set(rows)])
})
