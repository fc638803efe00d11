/** Runs test programs, each in a process of its own, as many at once as the processors carry. */
import os from 'node:os'
import path from 'node:path'
import { run } from 'node:test'
import { pathToFileURL } from 'node:url'
import { FILE_MS_MAX, writeGroups } from './test-groups.ts'
import { isApart, isQuickFile, isWaiting } from './test-kinds.ts'
import type { Program, Report } from './test-report.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const PRELOAD = pathToFileURL(path.join(import.meta.dirname, 'test-preload.ts')).href
/**
 * Options for a larger young heap: emulator and service in one process otherwise spend a third of their time collecting
 * garbage. Threads with a bounded heap get the same room, and tests that fill such a heap would fail, so that only
 * quick tests are given these options.
 */
const QUICK_HEAP = ['--min-semi-space-size=16', '--max-semi-space-size=32']
/**
 * Places of each processor. A process of many files takes two, as do attacks; a file that mostly waits takes one. The
 * second stage has some such files, which run beside the others all the time.
 */
const PLACES_EACH = { quick: 2, full: 3 }

export type Pass = {
  /** Paths from the project's root; the first ones begin first. */
  files: readonly string[]
  isQuick: boolean
  /** True runs one process at a time, since tests that measure would measure each other. */
  isAlone: boolean
}

/** Returns the files that failed. */
export async function runPass(pass: Pass, report: Report, signal: AbortSignal): Promise<string[]> {
  const processors = os.availableParallelism()
  const places = processors * PLACES_EACH[pass.isQuick ? 'quick' : 'full']
  const groups = writeGroups(
    pass.files.filter((file) => !isApart(file)),
    ROOT,
    processors,
  )
  const start = (program: Program): Promise<void> => runProgram(program, pass, report, signal)
  const apart = (file: string): Program => ({ path: file, takenFiles: null })
  try {
    const shared = groups.programs.map((program): Program => ({
      path: program,
      takenFiles: () => groups.takenBy(program),
    }))
    const programs = [...shared, ...pass.files.filter(isApart).map(apart)]
    await runAtOnce(programs, pass.isAlone ? 1 : places, start)
    // A group whose process ended in the middle of a file did not run the files after it, or lost their events.
    const failed = report.takeFailed()
    const left = pass.files.filter((file) => !report.isThrough(file) && !failed.includes(file))
    for (const file of left) await start(apart(file))
    return [...failed, ...report.takeFailed()]
  } finally {
    groups.remove()
  }
}

/** Starts programs in their order, passing over those for which there is not enough room yet. */
async function runAtOnce(
  programs: readonly Program[],
  places: number,
  start: (program: Program) => Promise<void>,
): Promise<void> {
  const waiting = [...programs]
  const running = new Set<Promise<void>>()
  let free = places
  while (waiting.length > 0 || running.size > 0) {
    const next = waiting.findIndex((program) => weightOf(program, places) <= free)
    const [program] = next === -1 ? [] : waiting.splice(next, 1)
    if (program === undefined) {
      await Promise.race(running)
      continue
    }
    const weight = weightOf(program, places)
    free -= weight
    const ended: Promise<void> = start(program).finally(() => {
      free += weight
      running.delete(ended)
    })
    running.add(ended)
  }
}

function weightOf({ path: file }: Program, places: number): number {
  return Math.min(places, isWaiting(file) ? 1 : 2)
}

/** Resolves when the program's process has ended; failures are in the report. */
async function runProgram(
  program: Program,
  { isQuick }: Pick<Pass, 'isQuick'>,
  report: Report,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return
  const events = run({
    files: [path.resolve(ROOT, program.path)],
    cwd: ROOT,
    signal,
    ...(program.takenFiles === null ? { timeout: FILE_MS_MAX } : {}), // a group bounds each of its files
    // A test that failed in the middle may leave something running.
    forceExit: true,
    execArgv: [...(isQuick ? QUICK_HEAP : []), '--import', PRELOAD],
  })
  for await (const event of events) report.take(event, program)
}

/** Runs files once more, one at a time. Returns the files that failed again. */
export async function runAgain(
  files: readonly string[],
  report: Report,
  signal: AbortSignal,
): Promise<string[]> {
  for (const file of files) {
    report.say(`once more, alone: ${file}`)
    await runProgram(
      { path: file, takenFiles: null },
      { isQuick: isQuickFile(file) },
      report,
      signal,
    )
  }
  return report.takeFailed()
}
