/** The order of tasks: fair by account, each delivered to one worker, cheap with thousands of them waiting. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test, type TestContext } from 'node:test'
import { transact } from '../../src/postgres/database.ts'
import { openQueue, type Queue, type Task } from '../../src/postgres/queue.ts'
import { testDatabase, type TestDatabase } from '../support/database.ts'

const TAKE_MS_MAX = 250

async function open(t: TestContext, workers = 1) {
  const database = await testDatabase(t)
  const options = {
    url: database.url,
    jobTimeLimitSeconds: 3600,
    onError: () => undefined,
  }
  const queues = await Promise.all(Array.from({ length: workers }, () => openQueue(options)))
  t.after(() => Promise.all(queues.map((queue) => queue.close())))
  const [queue] = queues as [Queue, ...Queue[]]
  return { database, queues, queue }
}

async function enqueue(
  { db }: TestDatabase,
  queue: Queue,
  accountId: string,
  count = 1,
): Promise<void> {
  for (let n = 0; n < count; n += 1)
    await transact(db, (tx) =>
      queue.enqueue(tx, { jobId: `${accountId}/${randomUUID()}`, accountId }),
    )
}

async function takeOne(queue: Queue, accountsToSkip: string[] = []): Promise<Task> {
  const [task] = await queue.take(1, accountsToSkip)
  assert.ok(task !== undefined)
  return task
}

test('a newcomer overtakes the queued tasks of others, and slots go round', async (t) => {
  const { database, queue } = await open(t)
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
  const { database, queue } = await open(t)
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
  const { database, queue } = await open(t)
  for (const name of ['a', 'b', 'c']) await enqueue(database, queue, name, 3)
  const turns = [await takeOne(queue), await takeOne(queue)]
  for (const turn of turns) await queue.handBack(turn)
  await enqueue(database, queue, 'new')
  const next: string[] = []
  for (let n = 0; n < 4; n += 1) next.push((await takeOne(queue)).accountId)
  assert.deepEqual(next, ['c', 'new', 'a', 'b'])
})

test('forty takers over four workers get each task once', async (t) => {
  const { database, queues, queue } = await open(t, 4)
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

test('a take is quick with ten thousand tasks waiting and as many done', async (t) => {
  const { database, queue } = await open(t)
  await enqueue(database, queue, 'account-0')
  await database.pool.query(`
    insert into pgboss.job (name, data, state, group_id, heartbeat_seconds, expire_seconds, retry_limit, policy, completed_on)
    select j.name, jsonb_build_object('jobId', 'made-' || n), (case when n % 2 = 0 then 'created' else 'completed' end)::pgboss.job_state,
      'account-' || (n / 2 % 100), j.heartbeat_seconds, j.expire_seconds, j.retry_limit, j.policy, case when n % 2 = 1 then now() end
    from pgboss.job j, generate_series(1, 20000) n`)
  await database.pool.query('analyze pgboss.job')
  const tookMs: number[] = []
  const taken: Task[] = []
  for (let n = 0; n < 21; n += 1) {
    const startedAt = performance.now()
    taken.push(await takeOne(queue))
    tookMs.push(performance.now() - startedAt)
  }
  assert.equal(new Set(taken.map(({ accountId }) => accountId)).size, 21)
  const median = tookMs.sort((x, y) => x - y)[10] ?? Infinity
  t.diagnostic(`${median.toFixed(1)} ms`)
  assert.ok(median < TAKE_MS_MAX, `${median} ms`)
})
