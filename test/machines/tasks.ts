/** Tasks in the queue, for tests of their order. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { TestContext } from 'node:test'
import { transact } from '../../src/kit/postgres/database.ts'
import { openQueue, type Queue, type Task } from '../../src/store/queue.ts'
import { testDatabase, type TestDatabase } from '../support/database.ts'

/** A database with that many workers' queues on it; `queue` is the first one. */
export async function openTasks(t: TestContext, workers = 1) {
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

export async function enqueue(
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

export async function takeOne(queue: Queue, accountsToSkip: string[] = []): Promise<Task> {
  const [task] = await queue.take(1, accountsToSkip)
  assert.ok(task !== undefined)
  return task
}

/** So many tasks of a hundred accounts that wait, and so many that are done, made like the one that is there. */
export async function addMany(
  { pool }: TestDatabase,
  { waiting, done }: { waiting: number; done: number },
): Promise<void> {
  await pool.query(
    `insert into pgboss.job (name, data, state, group_id, heartbeat_seconds, expire_seconds, retry_limit, policy, completed_on)
    select j.name, jsonb_build_object('jobId', 'made-' || n), (case when n <= $1 then 'created' else 'completed' end)::pgboss.job_state,
      'account-' || (n % 100), j.heartbeat_seconds, j.expire_seconds, j.retry_limit, j.policy, case when n > $1 then now() end
    from pgboss.job j, generate_series(1, $1::int + $2::int) n`,
    [waiting, done],
  )
  await pool.query('analyze pgboss.job')
}
