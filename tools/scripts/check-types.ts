/**
 * Checks the types of every file: `node tools/scripts/check-types.ts`. A file that no project includes would be checked
 * by none, so it is named like an error. Ends with 1 if there is one. Part of `npm run check`.
 *
 * What was found is kept beside the packages, so that only what changed, and what uses it, takes time. The compiler has
 * one thread: with four it does the same work up to four times, and another check is waiting for the processor.
 */
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { trackedFiles } from '../../test/support/tracked-files.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const TSC = path.join(ROOT, 'node_modules/typescript/bin/tsc')
const PROJECTS = ['.', 'web', 'clients/typescript']
const KEPT = path.join(ROOT, 'node_modules/.cache/types')

const checked = new Set<string>()
let isWell = true
for (const [at, project] of PROJECTS.entries()) {
  const kept = ['--incremental', '--tsBuildInfoFile', path.join(KEPT, `${at}.tsbuildinfo`)]
  const args = ['--noEmit', '--listFiles', '--singleThreaded', ...kept, '-p', project]
  const { status, stdout } = spawnSync(process.execPath, [TSC, ...args], {
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
