/** A loop: a wake starts it without waiting, steps never overlap, a failure does not end it, and a stop ends it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startLoop } from './loop.ts'

/** Longer than any test waits, so that only a wake or the end continues the loop. */
const NEVER_MS = 2 ** 30

/** Returns a loop whose steps end when the test says so. */
function stepped(everyMs = NEVER_MS) {
  const stopping = new AbortController()
  const steps: PromiseWithResolvers<void>[] = []
  const begun: PromiseWithResolvers<void>[] = [Promise.withResolvers<void>()]
  const failures: unknown[] = []
  let [now, most] = [0, 0]
  const loop = startLoop(
    async () => {
      most = Math.max(most, (now += 1))
      const step = Promise.withResolvers<void>()
      steps.push(step)
      begun.push(Promise.withResolvers<void>())
      begun[steps.length - 1]?.resolve()
      await step.promise.finally(() => (now -= 1))
    },
    { everyMs, signal: stopping.signal, onError: (error) => void failures.push(error) },
  )
  return {
    loop,
    steps,
    failures,
    stop: () => stopping.abort(),
    /** Resolves when `count` steps have begun. */
    began: (count: number) => begun[count - 1]?.promise,
    most: () => most,
  }
}

test('the first step begins at once, and a wake begins the next without its interval', async () => {
  const { loop, steps, began, stop } = stepped()
  await began(1)
  steps[0]?.resolve()
  await new Promise((resolve) => setImmediate(resolve)) // the loop rests
  loop.wake()
  await began(2)
  stop()
  steps[1]?.resolve()
  await loop.done
  assert.equal(steps.length, 2)
})

test('a wake while a step runs is kept, and however many come they are one more step', async () => {
  const { loop, steps, began, stop, most } = stepped()
  await began(1)
  for (let n = 0; n < 5; n += 1) loop.wake()
  assert.equal(steps.length, 1)
  steps[0]?.resolve()
  await began(2)
  steps[1]?.resolve()
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual([steps.length, most()], [2, 1])
  stop()
  await loop.done
})

test('a failed step is told and repeated', async () => {
  const { loop, steps, failures, began, stop } = stepped(0)
  await began(1)
  steps[0]?.reject(new Error('the database is away'))
  await began(2)
  assert.match(String(failures), /the database is away/)
  stop()
  steps[1]?.resolve()
  await loop.done
})

test('a stop ends the rest at once, and lets the running step end first', async () => {
  const resting = stepped()
  await resting.began(1)
  resting.steps[0]?.resolve()
  await new Promise((resolve) => setImmediate(resolve))
  resting.stop()
  await resting.loop.done

  const busy = stepped()
  await busy.began(1)
  let isDone = false
  void busy.loop.done.then(() => (isDone = true))
  busy.stop()
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(isDone, false)
  busy.steps[0]?.resolve()
  await busy.loop.done
  assert.equal(busy.steps.length, 1)
})
