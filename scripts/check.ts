/**
 * `npm run check`: types, lint, format, import rules, clocks in tests, comments, conventions and regular expressions,
 * all to the end, so that one run names everything. `npm run typecheck`, `npm run lint`: only these (a word on the
 * command line).
 */
import { spawnSync } from 'node:child_process'
import path from 'node:path'

const ROOT = path.dirname(import.meta.dirname)
export const CHECKS: Check[] = [
  { name: 'typecheck', program: 'typescript/bin/tsc', args: ['--noEmit'] },
  { name: 'typecheck', program: 'typescript/bin/tsc', args: ['--noEmit', '-p', 'web'] },
  {
    name: 'typecheck',
    program: 'typescript/bin/tsc',
    args: ['--noEmit', '-p', 'clients/typescript'],
  },
  { name: 'lint', program: 'oxlint/bin/oxlint', args: ['--deny-warnings', '--quiet'] },
  {
    name: 'format',
    program: 'prettier/bin/prettier.cjs',
    args: ['--check', '--log-level', 'warn', '--cache', '.'],
  },
  { name: 'imports', program: '../scripts/check-imports.ts', args: [] },
  { name: 'clocks', program: '../scripts/check-clocks.ts', args: [] },
  { name: 'comments', program: '../scripts/check-comments.ts', args: [] },
  { name: 'conventions', program: '../scripts/check-conventions.ts', args: [] },
  { name: 'regexes', program: '../scripts/check-regexes.ts', args: [] },
]

type Check = { name: string; program: string; args: string[] }

// run.mjs may have imported this file: then the process began with another one, and argv names this one.
if (process.argv[1] === import.meta.filename) {
  const wanted = process.argv.slice(2)
  const unknown = wanted.filter((word) => !CHECKS.some(({ name }) => name === word))
  if (unknown.length > 0) {
    const names = [...new Set(CHECKS.map(({ name }) => name))].join(', ')
    process.stderr.write(`no check is called ${unknown.join(', ')}; there are ${names}\n`)
  }
  const chosen = CHECKS.filter(({ name }) => wanted.length === 0 || wanted.includes(name))
  const failed = chosen.filter(({ program, args }) => {
    const file = path.join(ROOT, 'node_modules', program)
    return (
      spawnSync(process.execPath, [file, ...args], { cwd: ROOT, stdio: 'inherit' }).status !== 0
    )
  })
  process.exitCode = failed.length > 0 || unknown.length > 0 ? 1 : 0
}
