/**
 * The tests: `npm test` (quick), `npm run test:full` (`*.long` and `*.full`: the gate's second stage) and `npm run
 * nightly` (all of these with a new seed, then `*.nightly`, which measure the machine or ask other hosts). Words on the
 * command line choose the files whose path contains one; for `npm test` also `*.long` ones. `--watch` runs a file again
 * whenever it or a file that it imports changes. All share one database server, which ends with the run. Where at most
 * two files failed, each runs once more, alone: one that passes is reported as "flaky", a fault to be mended before
 * anything else, and does not fail the run. `--once` leaves that out.
 */
import { randomInt } from 'node:crypto'
import { globSync } from 'node:fs'
import path from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import {
  dropLeftDatabases,
  removeDatabaseServer,
  startDatabaseServer,
} from '../test/support/database-server.ts'
import { SEED_END } from '../test/support/seed.ts'
import { readArguments } from './arguments.ts'
import { openReport } from './test-report.ts'
import { isQuickFile, type Pass, runAgain, runPass } from './test-run.ts'

const ROOT = path.dirname(import.meta.dirname)
const FLAKY_MAX = 2
/** Beginnings of the slowest files' paths. These begin first, so that none runs alone at the end. */
const LONGEST = [
  'test/browser/pictures',
  'test/attack/',
  'test/machines/',
  'test/events/machines',
  'test/browser/',
  'test/clients/',
  'test/account/sign-in',
  'test/spec/conformance',
  'test/races/money',
]

const { values, positionals: words } = readArguments({
  options: {
    full: { type: 'boolean', default: false },
    nightly: { type: 'boolean', default: false },
    watch: { type: 'boolean', default: false },
    once: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})

const all = globSync('{src,clients,test,emulator,bench,scripts,demo}/**/*.test.ts', { cwd: ROOT })
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  .sort((a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1))
const quick = all.filter(isQuickFile)
const nightly = all.filter((file) => file.endsWith('.nightly.test.ts'))
const full = all.filter((file) => /\.(long|full)\.test\.ts$/.test(file))
const files = chosen().flatMap((pass) => pass.files)

if (files.length === 0) {
  process.stderr.write(`no test file's path contains ${words.join(' or ')}\n`)
  process.exit(1)
}
process.exitCode = values.watch ? await watch() : await runAll()

function chosen(): Pass[] {
  const isApart = (file: string): boolean => /\.(full|nightly)\.test\.ts$/.test(file)
  const long = full.filter((file) => !isApart(file))
  const quickPass: Pass = { files: quick, isApart, isQuick: true, isAlone: false }
  const fullPass: Pass = { files: full, isApart, isQuick: false, isAlone: false }
  const nightlyPass: Pass = { files: nightly, isApart, isQuick: false, isAlone: true }
  if (values.nightly) return words.length > 0 ? [nightlyPass] : [quickPass, fullPass, nightlyPass]
  if (values.full) return [fullPass]
  return words.length > 0 ? [quickPass, { ...fullPass, files: long }] : [quickPass]
}

async function runAll(): Promise<number> {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort())
  const report = openReport((text) => process.stdout.write(text))
  if (values.nightly) process.env['TEST_SEED'] ??= String(randomInt(SEED_END))
  const seed = process.env['TEST_SEED']
  const sayWhichSeed = (): void => {
    if (seed !== undefined) report.say(`ℹ drawn with TEST_SEED=${seed}, which repeats it`)
  }
  sayWhichSeed()

  const server = await useDatabaseServer()
  try {
    let failed: string[] = []
    for (const pass of chosen()) failed.push(...(await runPass(pass, report, stopping.signal)))
    let flaky: string[] = []
    if (failed.length <= FLAKY_MAX && !values.once && !stopping.signal.aborted) {
      const again = await runAgain(failed, report, stopping.signal)
      flaky = failed.filter((file) => !again.includes(file))
      failed = again
    }
    report.close(failed, flaky)
    if (failed.length > 0) sayWhichSeed()
    return failed.length > 0 || stopping.signal.aborted ? 1 : 0
  } finally {
    await server.stop()
  }
}

/** Starts the run's database server, unless TEST_DATABASE_URL names another one. */
async function useDatabaseServer(): Promise<{ stop(): Promise<void> }> {
  const given = process.env['TEST_DATABASE_URL']
  const server = given ? null : await startDatabaseServer()
  const url = given || (server?.url ?? '')
  await dropLeftDatabases(url)
  process.env['TEST_DATABASE_URL'] = url
  process.env['TEST_DATABASE_DROPPED'] = 'by the run'
  return {
    async stop() {
      await dropLeftDatabases(url)
      await server?.stop()
      // A checkout of CI is used once: files kept for the next run would only take memory.
      if (process.env['CI'] && server !== null) removeDatabaseServer()
    },
  }
}

async function watch(): Promise<number> {
  const events = run({ files: files.map((file) => path.join(ROOT, file)), cwd: ROOT, watch: true })
  events.compose(spec).pipe(process.stdout)
  await new Promise<void>((resolve) => events.once('end', resolve))
  return 0
}

function rankOf(file: string): number {
  const rank = LONGEST.findIndex((beginning) => file.startsWith(beginning))
  return rank === -1 ? LONGEST.length : rank
}
