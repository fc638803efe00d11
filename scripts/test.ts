/**
 * `npm test` and `npm run test:full`: finds the test files and hands them to Node's runner.
 * A file named `*.full.test.ts` needs a process of its own or more (browser, chaos, peers) and runs only with
 * --full; so does one named `*.long.test.ts`, which only takes several seconds, unless a word names it. Words on
 * the command line choose the files whose path contains one; --watch runs a file again whenever it or what it
 * imports changes.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import path from 'node:path'
import { readArguments } from './arguments.ts'
import { writeGroups } from './test-groups.ts'

const ROOT = path.dirname(import.meta.dirname)
/** Of a program; the attacks take a quarter of an hour beside others on a slow machine, and have deadlines of their own. */
const FILE_TIMEOUT_MS = { quick: 300_000, full: 1_800_000 }
const PARALLEL_FILES = 2
/**
 * Long tests that measure times, memory or fairness: beside another file they would measure that one. The
 * attacks are not among them: a stall counts by the processor's time of the attacked thread, and is tried again.
 */
const MEASURING = [
  'bench/',
  'test/browser/speed',
  'test/clients/cli-packed',
  'test/database/backup',
  'test/machines/crowd',
  'test/machines/fairness',
  'test/stalls/',
]
/**
 * Room for what is young: emulator and service in one process otherwise spend a third of it collecting. A thread whose
 * heap is bounded has it, too, which `*.long` tests that fill one would not survive.
 */
const QUICK_HEAP = ['--min-semi-space-size=32', '--max-semi-space-size=64']

const { values, positionals: wanted } = readArguments({
  options: {
    full: { type: 'boolean', default: false },
    watch: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})
const { full: isFull, watch: isWatching } = values

const files = globSync('{src,clients,test,emulator,bench,scripts,demo}/**/*.test.ts', { cwd: ROOT })
  .filter((file) => runsIn(file).includes(isFull ? 'test:full' : 'test'))
  .filter((file) => wanted.length === 0 || wanted.some((word) => file.includes(word)))
  .sort()

if (files.length === 0) {
  process.stderr.write(`no test file's path contains ${wanted.join(' or ')}\n`)
  process.exit(1)
}

/** Those with --full kill, fill and measure processes, and a watched file is run again by itself: they stay apart. */
const isApart = (file: string): boolean => isWatching || file.endsWith('.full.test.ts')
const groups = writeGroups(
  files.filter((file) => !isApart(file)),
  ROOT,
)
const programs = [...groups.programs, ...files.filter(isApart)]
const isMeasuring = (file: string): boolean =>
  isFull && MEASURING.some((beginning) => file.startsWith(beginning))

let child: ChildProcess | null = null
let isAsked = false
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    isAsked = true
    child?.kill(signal)
  })

const codes = [
  await run(
    programs.filter((file) => !isMeasuring(file)),
    PARALLEL_FILES,
  ),
  await run(programs.filter(isMeasuring), 1),
]
groups.remove()
process.exit(Math.max(...codes))

function runsIn(file: string): ('test' | 'test:full')[] {
  if (file.endsWith('.full.test.ts')) return ['test:full']
  if (file.endsWith('.long.test.ts'))
    return wanted.length === 0 ? ['test:full'] : ['test', 'test:full']
  return ['test']
}

/** Returns the exit code, 0 where there is nothing to run. */
async function run(chosen: string[], atOnce: number): Promise<number> {
  if (chosen.length === 0 || isAsked) return isAsked ? 1 : 0
  child = spawn(
    process.execPath,
    [
      ...(isFull || files.some((file) => file.endsWith('.long.test.ts')) ? [] : QUICK_HEAP),
      '--test',
      // A test that failed in the middle may leave something running.
      isWatching ? '--watch' : '--test-force-exit',
      `--test-concurrency=${atOnce}`,
      `--test-timeout=${isFull ? FILE_TIMEOUT_MS.full : FILE_TIMEOUT_MS.quick}`,
      `--test-reporter=${process.stdout.isTTY ? 'spec' : 'dot'}`,
      '--test-reporter-destination=stdout',
      ...(process.stdout.isTTY
        ? []
        : ['--test-reporter=./scripts/closing-lines.ts', '--test-reporter-destination=stdout']),
      ...chosen,
    ],
    { cwd: ROOT, stdio: 'inherit' },
  )
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}
