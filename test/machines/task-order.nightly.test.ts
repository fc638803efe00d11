/** The order of tasks is cheap with thousands of them waiting. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addMany, enqueue, openTasks, takeOne } from './tasks.ts'

const TAKE_MS_MAX = 250

test('a take is quick with ten thousand tasks waiting and as many done', async (t) => {
  const { database, queue } = await openTasks(t)
  await enqueue(database, queue, 'account-0')
  await addMany(database, { waiting: 10_000, done: 10_000 })
  const tookMs: number[] = []
  for (let n = 0; n < 21; n += 1) {
    const startedAt = performance.now()
    await takeOne(queue)
    tookMs.push(performance.now() - startedAt)
  }
  const median = tookMs.sort((x, y) => x - y)[10] ?? Infinity
  t.diagnostic(`${median.toFixed(1)} ms`)
  assert.ok(median < TAKE_MS_MAX, `${median} ms`)
})
