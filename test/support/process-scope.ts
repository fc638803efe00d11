/**
 * The scope of a whole process of tests: resources that its files share are opened outside of each file and closed
 * after the last. tools/scripts/test-together.ts loads this before any file, so that `after` here belongs to the
 * process.
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

/**
 * Returns whether the shared resources are closed. For a file that runs by itself they close before the file's own
 * `after`.
 */
export function isProcessOver(): boolean {
  return isOver
}

/** Runs `work` so that what it starts belongs to no test: the runner blames none for later events in it. */
export function outsideOfTests<T>(work: () => T): T {
  return outside.runInAsyncScope(work)
}
