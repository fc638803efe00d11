/** Runs test files one after the other in this process; each is a test whose parts are what it declares. */
import path from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'

/** `files` are relative to `root`, and their paths are the names of the tests. */
export async function runTogether(root: string, files: string[]): Promise<void> {
  for (const file of files) {
    void test(file, async (context) => {
      let loaded = () => {}
      // Inside a test that runs, a declared test starts at once: hold it until the whole file is loaded.
      void context.test('loads', () => new Promise<void>((resolve) => (loaded = resolve)))
      await import(pathToFileURL(path.join(root, file)).href)
      loaded()
    })
  }
}
