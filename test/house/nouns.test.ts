/** A noun of the API says what it sends and takes in its schema, where its other files and other nouns find it. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { trackedFiles } from '../support/tracked-files.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
/** Files of a noun in which components stand. */
const SCHEMAS = /^src\/api\/[a-z]+\/(?:schema|answers)\.ts$/
/** The title by which a schema is a component of the OpenAPI document. */
const COMPONENT = /\btitle: '([A-Z]\w+)'/g

test('every component of the description stands in the schema of its noun', () => {
  const files = trackedFiles().filter(
    (file) =>
      /^src\/api\/[a-z]+\/.*\.ts$/.test(file) &&
      !/^src\/api\/(?:account-api|documents|landing)\//.test(file), // pages, whose titles are headlines
  )
  const found = files.flatMap((file) => {
    const text = fs.readFileSync(path.join(ROOT, file), 'utf8')
    return [...text.matchAll(COMPONENT)].map(([, name]) => ({ file, name }))
  })
  assert.ok(found.length > 40)
  assert.deepEqual(
    found.filter(({ file }) => !SCHEMAS.test(file)),
    [],
  )
})
