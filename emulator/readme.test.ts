/** README.md is true: it has the world's addresses, every knob and every fault. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { ACTIONS } from './faults.ts'
import { readyMadeTables } from './ready-made.ts'
import { FRIENDLY } from './settings.ts'
import { createWorld } from './world.ts'

const readme = readFileSync(path.join(import.meta.dirname, 'README.md'), 'utf8')

test('the ready-made addresses of README.md are those of the usual world', () => {
  const hint = 'print them anew with `node emulator/ready-made.ts`'
  for (const table of readyMadeTables(createWorld()).split('\n\n')) {
    assert.ok(readme.includes(table.trim()), hint)
  }
})

test('README.md names every knob and every fault', () => {
  for (const knob of Object.keys(FRIENDLY)) assert.ok(readme.includes(`\`${knob}\``), knob)
  for (const action of ACTIONS) assert.ok(readme.includes(`\`${action}\``), action)
})
