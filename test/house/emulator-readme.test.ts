/** The emulator's README.md is true: it has the world's addresses, every knob and every fault. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { ACTIONS } from '../../emulator/faults.ts'
import { readyMadeTables } from '../../emulator/ready-made.ts'
import { FRIENDLY } from '../../emulator/settings.ts'
import { createWorld } from '../../emulator/world.ts'

const readme = readFileSync(path.resolve(import.meta.dirname, '../../emulator/README.md'), 'utf8')

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
