/** Every benchmark in the registry loads, and tools/bench/README.md tells of each. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { BENCHES } from './main.ts'
import { sparkline, table } from './table.ts'

test('every registered benchmark loads and has its part in tools/bench/README.md', async () => {
  const readme = fs.readFileSync(path.join(import.meta.dirname, 'README.md'), 'utf8')
  for (const [name, load] of Object.entries(BENCHES)) {
    assert.equal(typeof (await load()).run, 'function', name)
    assert.match(readme, new RegExp(`^## ${name}$`, 'm'), `tools/bench/README.md tells of ${name}`)
  }
})

test('a curve is drawn from its highest values', () => {
  assert.equal(sparkline([1, 2, 3, 8]), '▁▂▃█')
  assert.equal(sparkline([5, 1, 1, 9], 2), '▁█')
})

test('a table is as wide as its widest cells', () => {
  assert.equal(
    table([
      ['', 'ms'],
      ['first', 1],
      ['b', 12],
    ]),
    '       ms\nfirst   1\nb      12',
  )
})
