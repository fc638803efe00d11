/**
 * `npm run check`: types, lint, format, import rules, clocks in tests, comments, regular expressions, places of facts,
 * printed files and the tests of the house, all to the end, so that one run names everything. As many run at once as
 * there are processors; what each says is printed whole, in this order. `npm run typecheck`, `npm run lint`: only these
 * (a word on the command line).
 */
import { spawn } from 'node:child_process'
import os from 'node:os'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '../..')
const SCRIPTS = '../tools/scripts'
/** The longest are the first. `program` is a path from node_modules. */
const CHECKS: Check[] = [
  { name: 'house', program: `${SCRIPTS}/check-house.ts`, args: [] },
  { name: 'typecheck', program: `${SCRIPTS}/check-types.ts`, args: [] },
  {
    name: 'format',
    program: 'prettier/bin/prettier.cjs',
    args: ['--check', '--log-level', 'warn', '--cache', '.'],
  },
  { name: 'regexes', program: `${SCRIPTS}/check-regexes.ts`, args: [] },
  { name: 'lint', program: 'oxlint/bin/oxlint', args: ['--deny-warnings', '--quiet'] },
  { name: 'imports', program: `${SCRIPTS}/check-imports.ts`, args: [] },
  { name: 'places', program: `${SCRIPTS}/places.ts`, args: [] },
  { name: 'printed', program: '../tools/papers/print.ts', args: ['--check'] },
  { name: 'clocks', program: `${SCRIPTS}/check-clocks.ts`, args: [] },
  { name: 'comments', program: `${SCRIPTS}/check-comments.ts`, args: [] },
]

type Check = { name: string; program: string; args: string[] }
type Outcome = { said: string; isWell: boolean }

const wanted = process.argv.slice(2)
const unknown = wanted.filter((word) => !CHECKS.some(({ name }) => name === word))
if (unknown.length > 0) {
  const names = CHECKS.map(({ name }) => name).join(', ')
  process.stderr.write(`no check is called ${unknown.join(', ')}; there are ${names}\n`)
}
const chosen = CHECKS.filter(({ name }) => wanted.length === 0 || wanted.includes(name))
const failed = await runAll(chosen)
for (const name of failed) process.stderr.write(`failed: ${name}\n`)
process.exitCode = failed.length > 0 || unknown.length > 0 ? 1 : 0

/** Returns the names of the checks that failed. */
async function runAll(checks: readonly Check[]): Promise<string[]> {
  const runs = checks.map((check) => ({ check, ...Promise.withResolvers<Outcome>() }))
  const waiting = [...runs]
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      next.resolve(await outcomeOf(next.check))
  }
  const workers = Array.from({ length: os.availableParallelism() }, work)
  const failed: string[] = []
  for (const { check, promise } of runs) {
    const { said, isWell } = await promise
    process.stdout.write(said)
    if (!isWell) failed.push(check.name)
  }
  await Promise.all(workers)
  return failed
}

function outcomeOf({ program, args }: Check): Promise<Outcome> {
  const file = path.join(ROOT, 'node_modules', program)
  const child = spawn(process.execPath, [file, ...args], {
    cwd: ROOT,
    env: process.stdout.isTTY ? { FORCE_COLOR: '1', ...process.env } : process.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said: Buffer[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => said.push(chunk))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (status) =>
      resolve({ said: Buffer.concat(said).toString(), isWell: status === 0 }),
    )
  })
}
