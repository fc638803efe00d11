/** The kinds of test files, by their names and folders, as paths from the project's root. */
import path from 'node:path'

/** Tests of the house: they read the project's own files, or try its checks. `npm run check` runs them. */
export const HOUSE = '{test/house,tools/scripts}/**/*.test.ts'

/** A test of the house: `npm test` runs it only where a word or a change chooses it. */
export function isHouse(file: string): boolean {
  return path.matchesGlob(file, HOUSE)
}

/** A file of the first stage, `npm test`: it ends in a few seconds, and nothing that it needs is large. */
export function isQuickFile(file: string): boolean {
  return !/\.(full|nightly)\.test\.ts$/.test(file)
}

/** A file of the gate's second stage. */
export function isFullFile(file: string): boolean {
  return file.endsWith('.full.test.ts')
}

/** A file that measures the machine or asks other hosts: no part of the gate. */
export function isNightlyFile(file: string): boolean {
  return file.endsWith('.nightly.test.ts')
}

/**
 * Files that mostly wait for deadlines and for other processes: several of them run at once on a processor.
 */
const WAITING = /^test\/(machines|events|rehearsal)\/.*\.full\.test\.ts$/
/** Files that change their own process, or measure it: none of these shares one. */
const APART = /^test\/attack\/.*\.full\.test\.ts$|\.nightly\.test\.ts$/

export function isWaiting(file: string): boolean {
  return WAITING.test(file)
}

/** A file that gets a process of its own; all others share some. */
export function isApart(file: string): boolean {
  return APART.test(file) || isWaiting(file)
}
