/**
 * Runs the tests of the house, all in this process: loading what they share takes longer than they do. Prints only what
 * fails, and ends with 1 if anything does. Part of `npm run check`.
 */
import { globSync } from 'node:fs'
import path from 'node:path'
import { run } from 'node:test'
import './test-preload.ts'
import { HOUSE } from './test-kinds.ts'
import { failureOf, indented } from './test-report.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')

const files = globSync(HOUSE, { cwd: ROOT }).sort()
let passed = 0
for await (const event of run({ cwd: ROOT, files, isolation: 'none' })) {
  if (event.type === 'test:pass') passed += 1
  const failure = event.type === 'test:complete' ? failureOf(event) : null
  if (event.type !== 'test:complete' || failure === null) continue
  const { name, file = '' } = event.data
  process.stderr.write(`✖ ${path.relative(ROOT, file)}: ${name}\n${indented(failure)}\n`)
  process.exitCode = 1
}
if (passed === 0) {
  process.stderr.write(`no test of the house ran: ${HOUSE}\n`)
  process.exitCode = 1
}
