/** CITATION.cff is what programs that cite software can read (CFF 1.2.0), and names the version that is here. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'

const ROOT = path.resolve(import.meta.dirname, '../..')
/** Fields of the format that a program may have. */
const FIELDS = [
  'cff-version',
  'type',
  'title',
  'message',
  'abstract',
  'authors',
  'version',
  'date-released',
  'license',
  'keywords',
  'repository-code',
  'url',
  'doi',
]

test('CITATION.cff can be read, and cites this version', () => {
  const cited = parse(fs.readFileSync(path.join(ROOT, 'CITATION.cff'), 'utf8'))
  const { version, license } = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8'))
  assert.deepEqual(
    Object.keys(cited).filter((field) => !FIELDS.includes(field)),
    [],
  )
  assert.deepEqual([cited['cff-version'], cited.type], ['1.2.0', 'software'])
  assert.deepEqual([cited.version, cited.license], [version, license])
  for (const field of ['title', 'message', 'abstract'])
    assert.ok(typeof cited[field] === 'string' && cited[field].length > 0, field)
  assert.ok(cited.authors.length > 0)
  for (const author of cited.authors)
    assert.ok(author.name !== undefined || author['family-names'] !== undefined)
  const changelog = fs.readFileSync(path.join(ROOT, 'CHANGELOG.md'), 'utf8')
  assert.ok(changelog.includes(`\n## ${version} (${cited['date-released']})\n`), 'date-released')
  assert.equal(new Set(cited.keywords).size, cited.keywords.length)
})

test('how people treat each other says whom to tell', () => {
  const text = fs.readFileSync(path.join(ROOT, 'CODE_OF_CONDUCT.md'), 'utf8')
  assert.match(text, /\(SECURITY\.md#how-to-report\)/)
  assert.match(fs.readFileSync(path.join(ROOT, 'SECURITY.md'), 'utf8'), /^## How to report$/m)
})
