/** `npm run check`: types, lint and regular expressions, all to the end, so that one run names everything. */
import { spawnSync } from 'node:child_process'
import path from 'node:path'

const ROOT = path.dirname(import.meta.dirname)
const CHECKS = [
  ['typescript/bin/tsc', '--noEmit'],
  ['typescript/bin/tsc', '--noEmit', '-p', 'web'],
  ['oxlint/bin/oxlint', '--deny-warnings', '--quiet'],
  ['../scripts/check-regexes.ts'],
]

const failed = CHECKS.filter(([program = '', ...args]) => {
  const file = path.join(ROOT, 'node_modules', program)
  return spawnSync(process.execPath, [file, ...args], { cwd: ROOT, stdio: 'inherit' }).status !== 0
})
process.exit(failed.length > 0 ? 1 : 0)
