/** `npm run check` sees the types of every file: a file that no TypeScript project includes would not be checked. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { CHECKS } from '../scripts/check.ts'

const ROOT = path.dirname(import.meta.dirname)
const TSC = path.join(ROOT, 'node_modules/typescript/bin/tsc')

test('every TypeScript file belongs to a project that is checked', () => {
  const files = listed('git', ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx']).filter(
    (name) => fs.existsSync(path.join(ROOT, name)),
  )
  const projects = CHECKS.filter(({ name }) => name === 'typecheck').map(({ args }) =>
    args.includes('-p') ? String(args.at(-1)) : '.',
  )
  assert.ok(projects.length > 1, 'scripts/check.ts names the projects')
  const covered = new Set(
    projects
      .flatMap((project) => listed(process.execPath, [TSC, '--listFilesOnly', '-p', project]))
      .map((file) => path.relative(ROOT, file)),
  )
  assert.deepEqual(
    files.filter((name) => !covered.has(name)),
    [],
  )
})

function listed(program: string, args: string[]): string[] {
  return execFileSync(program, args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 50_000_000 })
    .split('\n')
    .filter(Boolean)
}
