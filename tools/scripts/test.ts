/**
 * The tests: `npm test` (quick), `npm run test:full` (`*.full`: the gate's second stage) and `npm run nightly` (all of
 * these with a new seed, then `*.nightly`). Words on the command line choose the files of the gate whose path contains
 * one; `--changed` those that the last change asks for. `--watch` runs a file again whenever it or a file that it
 * imports changes. All share one database server, which starts when a test asks for it and ends with the run;
 * `--keep` leaves it for the next one. Where at most two files failed, each runs once more, alone: one that passes is
 * reported as "flaky", a fault to be mended before anything else, and does not fail the run. `--once` leaves that out.
 *
 * Why not a runner of others: Node's own gives each file a process, or with `isolation: 'none'` loads all files before
 * it runs any, and with them a service for each; what runs file by file in one process would transform all of them.
 */
import { randomInt } from 'node:crypto'
import { globSync } from 'node:fs'
import path from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { SEED_END } from '../../test/support/seed.ts'
import { readArguments } from './arguments.ts'
import './exit-whole.ts'
import { findChangedTests } from './test-changed.ts'
import { type Cost, costLine, costOfRun } from './test-costs.ts'
import { offerDatabaseServer, type UsedServer } from './test-database.ts'
import { isFullFile, isHouse, isNightlyFile, isQuickFile } from './test-kinds.ts'
import { openReport, type Report } from './test-report.ts'
import { type Pass, runAgain, runPass } from './test-run.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
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
    changed: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    watch: { type: 'boolean', default: false },
    once: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})

const all = globSync('{src,clients,test,emulator,tools/{bench,demo,papers,scripts}}/**/*.test.ts', {
  cwd: ROOT,
})
  .filter((file) =>
    words.length === 0
      ? values.changed || !isHouse(file)
      : words.some((word) => file.includes(word)),
  )
  .sort((a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1))
const passes = values.changed ? changedPasses() : chosenPasses()
const files = passes.flatMap((pass) => pass.files)

if (files.length === 0 && !values.changed) {
  process.stderr.write(`no test file's path contains ${words.join(' or ')}\n`)
  process.exit(1)
}
const code = values.watch ? await watch() : await runAll()
// A kept server is still looked after by this process, which would never end by itself.
process.exit(code)

function chosenPasses(): Pass[] {
  const quick: Pass = { files: all.filter(isQuickFile), isQuick: true, isAlone: false }
  const full: Pass = { files: all.filter(isFullFile), isQuick: false, isAlone: false }
  const nightly: Pass = { files: all.filter(isNightlyFile), isQuick: false, isAlone: true }
  if (values.nightly) return words.length > 0 ? [nightly] : [quick, full, nightly]
  if (values.full) return [full]
  return words.length > 0 ? [quick, full] : [quick]
}

function changedPasses(): Pass[] {
  const { changed, files, left } = findChangedTests(ROOT, all)
  process.stdout.write(
    `changed: ${changed.join(', ')}\nleft to the gate: ${all.filter(isQuickFile).length - files.length} quick files, ` +
      `and of the later stages ${left.length === 0 ? 'none that names it' : left.join(', ')}\n`,
  )
  return [{ files, isQuick: true, isAlone: false }]
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

  const server = await offerDatabaseServer({ isKept: values.keep })
  const [failed, flaky] = await runPasses(report, stopping.signal).finally(async () => {
    const own = costOfRun() // before the server, a child of this process, has ended
    sayCosts(report, own, await server.end())
  })
  report.close(failed, flaky)
  if (failed.length > 0) sayWhichSeed()
  return failed.length > 0 || stopping.signal.aborted ? 1 : 0
}

/** Returns the files that failed to the end, and those that passed when run once more. */
async function runPasses(report: Report, signal: AbortSignal): Promise<[string[], string[]]> {
  const failed: string[] = []
  for (const pass of passes) failed.push(...(await runPass(pass, report, signal)))
  if (failed.length > FLAKY_MAX || values.once || signal.aborted) return [failed, []]
  const again = await runAgain(failed, report, signal)
  return [again, failed.filter((file) => !again.includes(file))]
}

function sayCosts(report: Report, own: Cost | null, server: UsedServer | null): void {
  if (own !== null) report.say(`ℹ ${costLine('processes of tests', own)}`)
  if (server === null) return
  const { process: its, connections, whyOnDisk } = server
  if (its !== null) report.say(`ℹ ${costLine('PostgreSQL', its)}, ${connections} connections`)
  if (whyOnDisk !== null) report.say(`ℹ the databases of the tests lie on a disk: ${whyOnDisk}`)
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
