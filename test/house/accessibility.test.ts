/** docs/accessibility.md claims what is measured: each claim has its test. `npm run print` writes the claims. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { CLAIMS } from '../../tools/papers/accessibility.ts'
import { AXE_RULES } from '../browser/measures.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')

test('each claim has its test', () => {
  assert.ok(AXE_RULES.includes('best-practice'), 'a claim names the best practices')
  for (const { said, by } of CLAIMS)
    for (const [file, text] of by)
      assert.ok(fs.readFileSync(path.join(ROOT, file), 'utf8').includes(text), `${file}: ${said}`)
})
