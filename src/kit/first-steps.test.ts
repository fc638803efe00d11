/** First steps: one after another in their order, past one that fails or takes too long, and not after a stop. */
import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import { test } from 'node:test'
import { openFirstSteps } from './first-steps.ts'

/** Longer than any test waits, so that only its end lets the next step begin. */
const NEVER_MS = 2 ** 30

/** Opens a line whose steps end when the test says so; `begun` has the names of those that began. */
function openLine(maxMs = NEVER_MS) {
  const line = openFirstSteps(maxMs)
  const begun: string[] = []
  const stopping = new AbortController()
  return {
    begun,
    stop: () => stopping.abort(),
    take(name: string) {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const step = (): Promise<void> => {
        begun.push(name)
        return promise
      }
      const taken = line.take(step, stopping.signal)
      taken.catch(() => undefined)
      return { taken, end: resolve, fail: reject }
    },
  }
}

test('the second step begins when the first has ended, however it ended', async () => {
  const { take, begun } = openLine()
  const first = take('first')
  const second = take('second')
  const third = take('third')
  await turn()
  assert.deepEqual(begun, ['first'])
  first.fail(new Error('the database is away'))
  await assert.rejects(first.taken, /away/)
  await turn()
  assert.deepEqual(begun, ['first', 'second'])
  second.end()
  await second.taken
  await turn()
  assert.deepEqual(begun, ['first', 'second', 'third'])
  third.end()
  await third.taken
})

test('a step that takes too long keeps nobody waiting', async () => {
  const { take, begun } = openLine(1)
  const endless = take('endless')
  const second = take('second')
  second.end()
  await second.taken
  assert.deepEqual(begun, ['endless', 'second'])
  endless.end()
})

test('a stop ends the wait of those that have not begun, and lets the running one end', async () => {
  const { take, begun, stop } = openLine()
  const running = take('running')
  const waiting = take('waiting')
  await turn()
  stop()
  await waiting.taken
  assert.deepEqual(begun, ['running'])
  running.end()
  await running.taken
})
