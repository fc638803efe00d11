/**
 * Puts the quick test files into groups, each of which runs in one process, one file after the other.
 * A process of its own for each file spends more than half of its time on loading the service and on code
 * that the engine has not compiled yet; a group pays for that once.
 */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

/** More groups than processes, so that one with slow files does not run alone at the end. */
const FILES_EACH = 20

/** Writes one program for each group into a folder of the system's own; `remove` takes it away. */
export function writeGroups(files: string[], root: string): { programs: string[]; remove(): void } {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'scriptorium-tests-'))
  const count = Math.ceil(files.length / FILES_EACH)
  const together = pathToFileURL(path.join(import.meta.dirname, 'test-together.ts')).href
  const programs = Array.from({ length: count }, (_, group) => {
    // Neighbours are alike, and often alike slow: every group gets some of each folder.
    const own = files.filter((_file, index) => index % count === group)
    const program = path.join(folder, `group-${group + 1}.test.mjs`)
    fs.writeFileSync(
      program,
      `import { runTogether } from ${JSON.stringify(together)}\n` +
        `await runTogether(${JSON.stringify(root)}, ${JSON.stringify(own)})\n`,
    )
    return program
  })
  return { programs, remove: () => fs.rmSync(folder, { recursive: true, force: true }) }
}
