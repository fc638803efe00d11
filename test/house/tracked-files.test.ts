/** Tests that read all files of the project find them in a downloaded archive, too, which has no repository. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { filesBelow } from '../support/tracked-files.ts'

const IGNORED = 'node_modules/\n/data/\n/web/dist/\n*.log\n'
const KEPT = ['.ci/run', '.gitignore', 'src/data/a.ts', 'web/b.ts']
const LEFT_OUT = ['.git/HEAD', 'data/x', 'node_modules/y.ts', 'web/node_modules/z', 'web/dist/w']

test('without a repository the files are those that .gitignore does not name', (t) => {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'archive-'))
  t.after(() => fs.rmSync(root, { recursive: true }))
  for (const name of [...KEPT, ...LEFT_OUT, 'src/odd.log']) {
    fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
    fs.writeFileSync(path.join(root, name), name === '.gitignore' ? IGNORED : '')
  }
  assert.deepEqual(filesBelow(root).toSorted(), KEPT)
})
