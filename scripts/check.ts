/** `npm run check`: types and lint, both to the end, so that one run names everything. */
import { spawnSync } from 'node:child_process'
import path from 'node:path'

const ROOT = path.dirname(import.meta.dirname)
const CHECKS = [
  ['typescript/bin/tsc', '--noEmit'],
  ['typescript/bin/tsc', '--noEmit', '-p', 'web'],
  ['oxlint/bin/oxlint', '--deny-warnings', '--quiet'],
]

const failed = CHECKS.filter(([program = '', ...args]) => {
  const file = path.join(ROOT, 'node_modules', program)
  return spawnSync(process.execPath, [file, ...args], { cwd: ROOT, stdio: 'inherit' }).status !== 0
})
process.exit(failed.length > 0 ? 1 : 0)
