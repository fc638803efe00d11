/** The compiled module is what its sources give, so that nobody runs what nobody can read. */
import assert from 'node:assert/strict'
import fs from 'node:fs/promises'
import { test } from 'node:test'
import { compileForms, WASM_FILE } from './wasm.ts'

test('forms.wasm is what assembly/ gives: npm run wasm', async () => {
  const compiled = Buffer.from(await compileForms())
  assert.ok(compiled.equals(await fs.readFile(WASM_FILE)), 'it is compiled from these sources')
})
