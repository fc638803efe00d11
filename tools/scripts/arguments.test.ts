/** A wrong word on the command line is answered with a sentence. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { test } from 'node:test'

const ROOT = path.resolve(import.meta.dirname, '../..')

for (const program of [
  'tools/scripts/test.ts',
  'tools/bench/main.ts',
  'emulator/main.ts',
  'tools/conformance/main.ts',
]) {
  test(`${program} says which option it does not know`, () => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [path.join(ROOT, program), '--bogus'],
      { encoding: 'utf8' },
    )
    assert.notEqual(status, 0)
    const said = stdout + stderr
    assert.match(said, /Unknown option '--bogus'/)
    assert.doesNotMatch(said, /\n {4}at |node:internal/, 'a stack tells nobody what to do')
  })
}
