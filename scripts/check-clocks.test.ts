/** The check of `npm run check` refuses, by file and line, what makes a test of the gate depend on the machine. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { findClocks } from './check-clocks.ts'

const REFUSED = [
  'assert.ok(performance.now() - startedAt < 2_000)',
  'assert.ok(Date.now() - startedAt < 2_000)',
  'const passedMs = () => performance.now() - startedAt',
  'const startedAt = performance.now()',
  "import { setTimeout as sleep } from 'node:timers/promises'",
  'const chosen = Math.random()',
  'fc.assert(property, { seed: Date.now() })',
  "await until('it is there', isThere, 5_000)",
  "const PATIENCE_MS = 29_999; await until('it is there', isThere, PATIENCE_MS)",
]
const ALLOWED = [
  "await until('it is there', isThere)",
  "await until('it is there', isThere, 30_000)",
  'const expiresAt = new Date(Date.now() + 60_000)',
  'const begunAt = new Date(Date.now() - 60_000)',
  'const budget = memoryBudget(() => performance.now() + passedMs)',
  "import { setImmediate } from 'node:timers/promises'",
]

function check(files: Record<string, string>): string[] {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'clocks-'))
  for (const [name, code] of Object.entries(files)) {
    fs.mkdirSync(path.join(root, path.dirname(name)), { recursive: true })
    fs.writeFileSync(path.join(root, name), code)
  }
  const found = findClocks(root)
  fs.rmSync(root, { recursive: true })
  return found
}

for (const line of REFUSED)
  test(`refused in a test: ${line}`, () => {
    const [found, ...more] = check({ 'test/odd.test.ts': `export {}\n${line}\n` })
    assert.match(found ?? '', /^test\/odd\.test\.ts:2 /)
    assert.deepEqual(more, [])
  })

test('what knows no clock is allowed, and so is everything in a nightly test', () => {
  assert.deepEqual(check({ 'test/even.test.ts': ALLOWED.join('\n') }), [])
  assert.deepEqual(check({ 'test/odd.nightly.test.ts': REFUSED.join('\n') }), [])
})

test('a helper is held to it where a test of the gate imports it, itself or through another one', () => {
  const helper = { 'test/support/waits.ts': 'export const chosen = Math.random()' }
  const between = { 'test/support/between.ts': "export { chosen } from './waits.ts'" }
  const test = "import { chosen } from './support/between.ts'\nchosen.toFixed()"
  assert.deepEqual(check({ ...helper, ...between, 'test/it.nightly.test.ts': test }), [])
  const found = check({ ...helper, ...between, 'test/it.test.ts': test })
  assert.equal(found.length, 1)
  assert.match(found[0] ?? '', /^test\/support\/waits\.ts:1 draws by chance/)
})
