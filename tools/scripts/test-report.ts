/**
 * What a run of tests prints: each failure when it happens, each long file when it ends with the figures that it
 * measured, and at the end the counts, the slowest files, what was skipped and why, and once more what failed. A run
 * that is cut off has printed that much.
 */
import path from 'node:path'
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'

const COUNTED = ['tests', 'cancelled', 'skipped', 'todo'] as const
const SLOWEST_SHOWN = 12
/** Length of the end of a program's standard error that is shown where one of its tests failed. */
const SAID_CHARACTERS = 8_000

/** Depth of the tests that are files: in a group, one test is around all. */
const GROUP_NESTING = 1

/** A process of tests: the test file at `path`, or a group of files, which tells the ones that it took so far. */
export type Program = { path: string; takenFiles: (() => readonly string[]) | null }

export type Report = {
  take(event: TestEvent, program: Program): void
  /** Returns whether all tests of this file ran to their end. */
  isThrough(file: string): boolean
  /** Returns the test files with a failed test, or whose process ended with an error, since the last call. */
  takeFailed(): string[]
  say(line: string): void
  /**
   * Prints the counts; `failed` are the files that failed to the end, `flaky` the files that passed when run once more.
   */
  close(failed: readonly string[], flaky: readonly string[]): void
}

export function openReport(write: (text: string) => void): Report {
  const seen = openRecord()
  const startedAt = performance.now()
  let isInLine = false
  const say = (line: string): void => {
    write(`${isInLine ? '\n' : ''}${line}\n`)
    isInLine = false
  }
  const dot = (): void => {
    write('.')
    isInLine = true
  }
  return {
    say,
    take(event, program) {
      const file = seen.fileOf(event, program)
      if (event.type === 'test:complete') {
        const { name, details, skip } = event.data
        if (skip !== undefined) seen.skip(file, skip)
        if (isFileOfGroup(event, program)) {
          seen.secondsByFile.set(name, details.duration_ms / 1000)
          dot()
        }
        const failure = failureOf(event)
        if (failure === null) return
        seen.fail(file)
        say(`✖ ${file}: ${name}\n${indented(failure)}`)
      }
      // Figures of a long test are printed, since only people can compare them with their aim.
      if (event.type === 'test:diagnostic' && isLong(event.data.file))
        say(`ℹ ${event.data.message}`)
      if (event.type === 'test:stderr') seen.hear(event.data.message, program)
      // A summary without a file is the whole process's.
      if (event.type !== 'test:summary' || event.data.file !== undefined) return

      for (const name of COUNTED) seen.counts[name] += event.data.counts[name]
      const said = seen.saidBy(program)
      if (!event.data.success && said !== '') say(indented(said))
      if (program.takenFiles !== null) return
      const seconds = event.data.duration_ms / 1000
      seen.secondsByFile.set(program.path, seconds)
      say(`ℹ ${seconds.toFixed(1)} s ${program.path}`)
    },
    isThrough: (file) => seen.secondsByFile.has(file),
    takeFailed: seen.takeFailed,
    close(failed, flaky) {
      const { tests, cancelled, skipped, todo } = seen.counts
      const failures = seen.failuresOf(failed)
      say(`ℹ tests ${tests}`)
      say(`ℹ pass ${Math.max(0, tests - failures - cancelled - skipped - todo)}`)
      say(`ℹ fail ${failures}`)
      say(`ℹ cancelled ${cancelled}\nℹ skipped ${skipped}\nℹ todo ${todo}`)
      say(`ℹ duration_ms ${Math.round(performance.now() - startedAt)}\n`)
      const slowest = [...seen.secondsByFile].sort((a, b) => b[1] - a[1]).slice(0, SLOWEST_SHOWN)
      for (const [file, seconds] of slowest) say(`ℹ ${seconds.toFixed(1)} s ${file}`)
      for (const line of seen.skipped()) say(line)
      for (const file of failed) say(`failed: ${file}`)
      for (const file of flaky) say(`flaky: ${file}`)
    },
  }
}

/** Opens the record of what the run has seen so far. */
function openRecord() {
  const failuresByFile = new Map<string, number>()
  const fresh = new Set<string>()
  const said = new Map<string, string>()
  /** The file that each group runs now. */
  const current = new Map<string, string>()
  /** The files of the tests that were skipped, once for each test, by the reason. */
  const skipped = new Map<string, string[]>()
  return {
    counts: { tests: 0, cancelled: 0, skipped: 0, todo: 0 },
    secondsByFile: new Map<string, number>(),
    /** Returns the test file that an event belongs to. */
    fileOf(event: TestEvent, program: Program): string {
      const { path: process, takenFiles } = program
      if (takenFiles === null) return process
      if (isFileOfGroup(event, program)) current.set(process, event.data.name)
      // A process that ended in the middle may have lost its events about its last file.
      const isWhole = event.type === 'test:complete' && event.data.nesting === 0
      return (isWhole ? takenFiles().at(-1) : current.get(process)) ?? process
    },
    fail(file: string): void {
      fresh.add(file)
      failuresByFile.set(file, (failuresByFile.get(file) ?? 0) + 1)
    },
    skip(file: string, reason: string | boolean): void {
      const why = typeof reason === 'string' ? reason : 'its file says so'
      skipped.set(why, [...(skipped.get(why) ?? []), file])
    },
    /** Returns a line for each reason, the commonest first. */
    skipped(): string[] {
      const reasons = [...skipped].sort(([, a], [, b]) => b.length - a.length)
      return reasons.map(([why, files]) => {
        const tests = files.length === 1 ? '1 test' : `${files.length} tests`
        return `skipped, since ${why}: ${tests} (${[...new Set(files)].join(', ')})`
      })
    },
    takeFailed(): string[] {
      const files = [...fresh]
      fresh.clear()
      return files
    },
    failuresOf: (files: readonly string[]): number =>
      files.reduce((sum, file) => sum + (failuresByFile.get(file) ?? 1), 0),
    hear(text: string, { path: program }: Program): void {
      said.set(program, ((said.get(program) ?? '') + text).slice(-SAID_CHARACTERS))
    },
    saidBy: ({ path: program }: Program): string => (said.get(program) ?? '').trimEnd(),
  }
}

/** Returns whether a test of a group that begins or ends is a file. */
function isFileOfGroup(
  event: TestEvent,
  { takenFiles }: Program,
): event is TestEvent & { type: 'test:dequeue' | 'test:complete' } {
  const isOne = event.type === 'test:dequeue' || event.type === 'test:complete'
  return isOne && takenFiles !== null && event.data.nesting === GROUP_NESTING
}

/** Returns null where the test did not fail, or only because tests inside it did, which were printed themselves. */
export function failureOf({ data }: TestEvent & { type: 'test:complete' }): string | null {
  const error: Failure | undefined = data.details.error
  if (error === undefined || error.failureType === 'subtestsFailed') return null
  const cause = error.cause ?? error
  return cause instanceof Error ? inspect(cause) : String(cause)
}

/** Field that Node's runner adds: `failureType` says which part of a test failed. */
type Failure = Error & { failureType?: string }

function isLong(file: string | undefined): boolean {
  return /\.(full|nightly)\.test\.ts$/.test(path.basename(file ?? ''))
}

export function indented(text: string): string {
  return text.replace(/^/gm, '    ')
}
