/**
 * Lets test files share processes, each of which runs one file after the other. A process of its own for each file
 * spends more than half of its time on loading the service and on code that the engine has not compiled yet.
 * A process takes the next file when it is done with one, so none is left alone with the slow ones.
 */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * A process that has run this many files makes room for a new one, since its heap grows with each: one that has loaded
 * the service takes seconds of the processor to begin, and after this many files has some 1.5 GB.
 */
const FILES_EACH = 80
/** Longest time of one file: on a slow and busy machine, too, what hangs this long will not end. */
export const FILE_MS_MAX = 1_800_000

export type Groups = {
  /** Paths of the programs to run, in any number at once; together they take all files where each one ends well. */
  programs: string[]
  /** Returns the files that this program took, in order. */
  takenBy(program: string): string[]
  remove(): void
}

/** `files` are relative to `root`; the first ones are taken first. There are `atOnce` groups or more, if files last. */
export function writeGroups(files: readonly string[], root: string, atOnce: number): Groups {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'scriptorium-tests-'))
  const together = pathToFileURL(path.join(import.meta.dirname, 'test-together.ts')).href
  const count = Math.max(Math.ceil(files.length / FILES_EACH), Math.min(files.length, atOnce))
  const programs = Array.from({ length: count }, (_, group) => {
    const program = path.join(folder, `group-${group + 1}.test.mjs`)
    fs.writeFileSync(
      program,
      `import { runTogether } from ${JSON.stringify(together)}\n` +
        `runTogether(${JSON.stringify({ root, folder, files, program, filesMax: FILES_EACH })})\n`,
    )
    return program
  })
  const takerOf = (index: number): string | null => {
    const claim = path.join(folder, String(index))
    return fs.existsSync(claim) ? fs.readFileSync(claim, 'utf8') : null
  }
  return {
    programs,
    takenBy: (program) => files.filter((_file, index) => takerOf(index) === program),
    remove: () => fs.rmSync(folder, { recursive: true, force: true }),
  }
}
