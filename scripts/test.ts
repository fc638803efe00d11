/**
 * `npm test` and `npm run test:full`: finds the test files and hands them to Node's runner.
 * A file named `*.full.test.ts` is long or needs more (browser, chaos, peers) and runs only with
 * --full. Other words on the command line choose among them the files whose path contains one;
 * --watch runs a file again whenever it or what it imports changes.
 */
import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import path from 'node:path'
import { readArguments } from './arguments.ts'

const ROOT = path.dirname(import.meta.dirname)
const FILE_TIMEOUT_MS = { quick: 120_000, full: 900_000 }
/** The long tests load the machine by themselves; two at once would measure each other. */
const PARALLEL_FILES = { quick: 2, full: 1 }
/** Room for what is young: emulator and service in one process otherwise spend a third of it collecting. */
const QUICK_HEAP = ['--min-semi-space-size=32', '--max-semi-space-size=64']

const { values, positionals: wanted } = readArguments({
  options: {
    full: { type: 'boolean', default: false },
    watch: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})
const { full: isFull, watch: isWatching } = values

const files = globSync('{src,test,emulator,bench,scripts,demo}/**/*.test.ts', { cwd: ROOT })
  .filter((file) => isFull === file.endsWith('.full.test.ts'))
  .filter((file) => wanted.length === 0 || wanted.some((word) => file.includes(word)))
  .sort()

if (files.length === 0) {
  process.stderr.write(`no test file's path contains ${wanted.join(' or ')}\n`)
  process.exit(1)
}

const child = spawn(
  process.execPath,
  [
    ...(isFull ? [] : QUICK_HEAP),
    '--test',
    // A test that failed in the middle may leave something running.
    isWatching ? '--watch' : '--test-force-exit',
    `--test-concurrency=${isFull ? PARALLEL_FILES.full : PARALLEL_FILES.quick}`,
    `--test-timeout=${isFull ? FILE_TIMEOUT_MS.full : FILE_TIMEOUT_MS.quick}`,
    `--test-reporter=${process.stdout.isTTY ? 'spec' : 'dot'}`,
    '--test-reporter-destination=stdout',
    ...(process.stdout.isTTY
      ? []
      : ['--test-reporter=./scripts/closing-lines.ts', '--test-reporter-destination=stdout']),
    ...files,
  ],
  { cwd: ROOT, stdio: 'inherit' },
)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
child.on('exit', (code) => process.exit(code ?? 1))
