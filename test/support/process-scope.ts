/**
 * The scope of a whole process of tests: what its files share begins outside of each of them and ends after the last.
 * scripts/test-together.ts loads this before any file, so that `after` here is not one file's.
 */
import { AsyncResource } from 'node:async_hooks'
import { after } from 'node:test'
import type { TestScope } from './database.ts'

const outside = new AsyncResource('tests of one process')
const ends: (() => Promise<void>)[] = []
let isOver = false

after(async () => {
  isOver = true
  for (const end of ends.reverse()) await end()
})

export const PROCESS: TestScope = { after: (work) => void ends.push(work) }

/** Whether what the files share has ended: of a file that runs by itself it ends before the file's own `after`. */
export function isProcessOver(): boolean {
  return isOver
}

/** What `work` starts belongs to no test: the runner blames none for what happens in it later. */
export function outsideOfTests<T>(work: () => T): T {
  return outside.runInAsyncScope(work)
}
