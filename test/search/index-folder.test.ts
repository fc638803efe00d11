/** The folder of the indexes knows what they take on the disk, and which have to go. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { openIndexFolder } from '../../src/features/search/index-folder.ts'
import { indexPath, openTestIndex } from './index-files.ts'

test('indexes count with all their files, whether they were found or made, and without a text in them', () => {
  const folder = path.dirname(indexPath({ after }))
  const makes = (id: string): void => {
    const index = openTestIndex(path.join(folder, `${id}.db`))
    after(() => index.close())
  }
  makes('found')
  const files = fs.readdirSync(folder)
  assert.equal(files.length, 3)
  const bytes = files.reduce((sum, name) => sum + fs.statSync(path.join(folder, name)).size, 0)
  assert.deepEqual(openIndexFolder(folder, bytes - 1).overdue(''), ['found'])
  const library = openIndexFolder(folder, bytes)
  assert.deepEqual(library.overdue(''), [])
  makes('made')
  library.touch('made')
  assert.deepEqual(library.overdue(''), ['found'])
  assert.deepEqual(library.overdue('found'), ['made'])
  library.touch('found')
  assert.deepEqual(library.overdue(''), ['made'], 'the one used longest ago goes first')
})
