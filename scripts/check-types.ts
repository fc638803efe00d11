/**
 * Checks the types of every file: `node scripts/check-types.ts`. A file that no project includes would be checked by
 * none, so it is named like an error. Ends with 1 if there is one. Part of `npm run check`.
 */
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { trackedFiles } from '../test/support/tracked-files.ts'

const ROOT = path.dirname(import.meta.dirname)
const TSC = path.join(ROOT, 'node_modules/typescript/bin/tsc')
const PROJECTS = ['.', 'web', 'clients/typescript']

const checked = new Set<string>()
let isWell = true
for (const project of PROJECTS) {
  const args = [TSC, '--noEmit', '--listFiles', '-p', project]
  const { status, stdout } = spawnSync(process.execPath, args, {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 50_000_000,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  isWell &&= status === 0
  for (const line of stdout.split('\n'))
    if (path.isAbsolute(line)) checked.add(path.relative(ROOT, line))
    else if (line !== '') process.stdout.write(`${line}\n`)
}
const left = trackedFiles().filter((name) => /\.tsx?$/.test(name) && !checked.has(name))
for (const name of left)
  process.stderr.write(`${name} belongs to no project whose types are checked\n`)
process.exitCode = isWell && left.length === 0 ? 0 : 1
