/** Every benchmark in the registry loads, and bench/README.md tells of each. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { BENCHES } from './main.ts'
import { type CpuProfile, readProfile } from './stage/cpu-profile.ts'
import { sparkline, table } from './table.ts'

test('every registered benchmark loads and has its part in bench/README.md', async () => {
  const readme = fs.readFileSync(path.join(import.meta.dirname, 'README.md'), 'utf8')
  for (const [name, load] of Object.entries(BENCHES)) {
    assert.equal(typeof (await load()).run, 'function', name)
    assert.match(readme, new RegExp(`^## ${name}$`, 'm'), `bench/README.md tells of ${name}`)
  }
})

test('a sample counts for the nearest part on its stack, and idle time for none', () => {
  const frame = (functionName: string, url: string) => ({ functionName, url, lineNumber: 0 })
  const profile: CpuProfile = {
    nodes: [
      { id: 1, callFrame: frame('(root)', ''), children: [2, 5, 6] },
      { id: 2, callFrame: frame('save', 'file:///x/src/store/record.ts'), children: [3] },
      { id: 3, callFrame: frame('writev', ''), children: [] },
      { id: 5, callFrame: frame('(idle)', '') },
      { id: 6, callFrame: frame('other', 'node:timers') },
    ],
    samples: [2, 3, 5, 6],
    timeDeltas: [1_000, 2_000, 9_000, 4_000],
  }
  const { busyMs, byPart, top } = readProfile(profile, [['storing', /src\/store\//]])
  assert.deepEqual({ busyMs, byPart }, { busyMs: 7, byPart: { storing: 3, 'Node and V8': 4 } })
  assert.deepEqual(top[1], { name: 'writev', part: 'storing', ms: 2 })
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
