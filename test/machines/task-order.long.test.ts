/** The order of tasks: fair by account, each delivered to one worker, however many wait. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Task } from '../../src/store/queue.ts'
import { addMany, enqueue, openTasks, takeOne } from './tasks.ts'

test('a newcomer overtakes the queued tasks of others, and slots go round', async (t) => {
  const { database, queue } = await openTasks(t)
  await enqueue(database, queue, 'many', 30)
  const first = await takeOne(queue)
  await enqueue(database, queue, 'few', 2)
  const [second, third, fourth] = [await takeOne(queue), await takeOne(queue), await takeOne(queue)]
  assert.deepEqual(
    [first, second, third, fourth].map(({ accountId }) => accountId),
    ['many', 'few', 'many', 'few'],
  )
  assert.equal((await queue.take(1, ['many'])).length, 0)
  const { slots, waiting } = await queue.crowd(3)
  assert.deepEqual([...slots].sort(), [
    ['few', 2],
    ['many', 2],
  ])
  assert.deepEqual(
    waiting,
    [2, 3, 4].map((count) => ({ accountId: 'many', slots: count, isNew: false })),
  )

  await queue.complete(second)
  await enqueue(database, queue, 'few')
  assert.equal((await takeOne(queue)).accountId, 'few', 'it holds fewer, whoever came first')
})

test('a task that is handed back is delivered again after the others of its account, and the older holder settles nothing', async (t) => {
  const { database, queue } = await openTasks(t)
  await enqueue(database, queue, 'x', 3)
  const first = await takeOne(queue)
  await queue.handBack(first)
  const rest = [await takeOne(queue), await takeOne(queue)]
  assert.ok(rest.every(({ jobId }) => jobId !== first.jobId))
  const again = await takeOne(queue)
  assert.deepEqual([again.jobId, again.delivery], [first.jobId, first.delivery + 1])
  await queue.complete(first)
  await queue.touch([first])
  await queue.handBack(again)
  assert.equal((await takeOne(queue)).jobId, first.jobId, 'the older delivery completed nothing')
})

test('an account between two turns waits behind those that wait for longer, and a newcomer goes before both', async (t) => {
  const { database, queue } = await openTasks(t)
  for (const name of ['a', 'b', 'c']) await enqueue(database, queue, name, 3)
  const turns = [await takeOne(queue), await takeOne(queue)]
  for (const turn of turns) await queue.handBack(turn)
  await enqueue(database, queue, 'new')
  const next: string[] = []
  for (let n = 0; n < 4; n += 1) next.push((await takeOne(queue)).accountId)
  assert.deepEqual(next, ['c', 'new', 'a', 'b'])
})

test('forty takers over four workers get each task once', async (t) => {
  const { database, queues, queue } = await openTasks(t, 4)
  for (let account = 0; account < 6; account += 1)
    await enqueue(database, queue, `account-${account}`, 20)
  const taken: Task[] = []
  await Promise.all(
    Array.from({ length: 40 }, async (_, taker) => {
      for (let left = 1; left > 0;) {
        const tasks = await queues[taker % 4]!.take(1 + (taker % 3), [])
        taken.push(...tasks)
        left = tasks.length > 0 ? 1 : (await queue.crowd(1)).waiting.length
      }
    }),
  )
  assert.equal(taken.length, 120)
  assert.equal(new Set(taken.map(({ jobId }) => jobId)).size, 120)
})

test('among thousands of tasks that wait, and more that are done, each take is another account’s', async (t) => {
  const { database, queue } = await openTasks(t)
  await enqueue(database, queue, 'account-0')
  await addMany(database, { waiting: 2_000, done: 20_000 })
  const taken: Task[] = []
  for (let n = 0; n < 21; n += 1) taken.push(await takeOne(queue))
  assert.equal(new Set(taken.map(({ accountId }) => accountId)).size, 21)
})
