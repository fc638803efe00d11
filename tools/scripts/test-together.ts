/** Runs test files one after the other in this process; each becomes a test around the tests that it declares. */
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import '../../test/support/process-scope.ts'
import { FILE_MS_MAX } from './test-groups.ts'

type Together = {
  root: string
  /**
   * Folder with a file, named by its number, for each test file that a process took; it holds the name of that process.
   */
  folder: string
  /** Paths from `root`; they are the names of the tests. */
  files: string[]
  /** Path of the program of this process. */
  program: string
  filesMax: number
}

/** Takes files that no other process took, until there are none or it has run `filesMax`. */
export function runTogether(together: Together): void {
  const { root, files, filesMax } = together
  // One test is around all: a process whose tests are over ends, and the next file is declared only when it is taken.
  void test('files', async (group) => {
    let taken = 0
    for (const [index, file] of files.entries()) {
      if (taken === filesMax || !take(together, index)) continue
      taken += 1
      await group.test(file, { timeout: FILE_MS_MAX }, async (context) => {
        let loaded = () => {}
        // A test that is declared inside a running one starts at once: this one holds it back until the whole file is
        // loaded.
        void context.test('loads', () => new Promise<void>((resolve) => (loaded = resolve)))
        await import(pathToFileURL(path.join(root, file)).href)
        loaded()
      })
    }
  })
}

function take({ folder, program }: Together, index: number): boolean {
  try {
    fs.writeFileSync(path.join(folder, String(index)), program, { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
