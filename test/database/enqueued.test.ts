/** Tasks are added and completed by statements of ours: what they write is what the queue's library would. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { fromKysely, PgBoss } from 'pg-boss'
import { transact } from '../../src/kit/postgres/database.ts'
import { CLAIM_TASKS, COMPLETE_TASK } from '../../src/store/task-order.ts'
import { openQueue } from '../../src/store/queue.ts'
import { testDatabase } from '../support/database.ts'

const { db, pool, url } = await testDatabase({ after })
const OF_EACH = new Set(['id', 'start_after', 'created_on', 'keep_until'])

test('a task that we add is one that pg-boss would have added', async (t) => {
  const queue = await openQueue({ url, jobTimeLimitSeconds: 60, onError: () => undefined })
  t.after(() => queue.close())
  const boss = new PgBoss({ connectionString: url, max: 1, supervise: false, schedule: false })
  await boss.start()
  t.after(() => boss.stop({ graceful: false, close: true }))
  const task = { jobId: 'job', accountId: 'account' }
  for (const [name, own] of [
    ['jobs', queue],
    ['previews', queue.previews],
  ] as const) {
    await transact(db, async (tx) => {
      await own.enqueue(tx, task)
      await boss.send(name, task, { group: { id: task.accountId }, db: fromKysely(tx) })
    })
    const { rows } = await pool.query<Record<string, unknown>>(
      `select *, keep_until - start_after as kept, start_after = created_on as is_due
      from pgboss.job where name = $1`,
      [name],
    )
    const [ours, theirs] = rows.map((row) =>
      Object.fromEntries(Object.entries(row).filter(([column]) => !OF_EACH.has(column))),
    )
    assert.equal(rows.length, 2)
    assert.equal(ours?.['is_due'], true)
    assert.deepEqual(ours, theirs)
  }
})

test('a task that we complete is one that pg-boss would have completed, for who took it last', async (t) => {
  const queue = await openQueue({ url, jobTimeLimitSeconds: 60, onError: () => undefined })
  t.after(() => queue.close())
  const boss = new PgBoss({ connectionString: url, max: 1, supervise: false, schedule: false })
  await boss.start()
  t.after(() => boss.stop({ graceful: false, close: true }))
  const taken = async () => {
    await transact(db, (tx) => queue.previews.enqueue(tx, { jobId: 'x', accountId: 'account' }))
    const [task] = await queue.previews.take(1, [])
    assert.ok(task !== undefined)
    return task
  }
  await pool.query('delete from pgboss.job')
  const [own, theirs, other] = [await taken(), await taken(), await taken()]
  await queue.previews.complete(own)
  await boss.complete('previews', { id: theirs.id, retryCount: theirs.delivery })
  await queue.previews.complete({ ...other, delivery: other.delivery + 1 })
  const { rows } = await pool.query<Record<string, unknown>>(
    `select *, completed_on is not null as is_over from pgboss.job order by id = $1 desc, id = $2 desc`,
    [own.id, theirs.id],
  )
  const [ours, bosses, still] = rows.map((row) =>
    Object.fromEntries(Object.entries(row).filter(([column]) => !OF_EACH_DONE.has(column))),
  )
  assert.deepEqual(ours, bosses)
  assert.deepEqual([ours?.['state'], still?.['state']], ['completed', 'active'])
})

const OF_EACH_DONE = new Set([...OF_EACH, 'completed_on', 'started_on', 'heartbeat_on'])

test('claiming and completing a task wait for no disk, and what follows on the connection does', async (t) => {
  const queue = await openQueue({ url, jobTimeLimitSeconds: 60, onError: () => undefined })
  t.after(() => queue.close())
  await pool.query('delete from pgboss.job')
  await transact(db, (tx) => queue.enqueue(tx, { jobId: 'x', accountId: 'account' }))
  const client = await pool.connect()
  const setting = async (): Promise<unknown> =>
    (await client.query('show synchronous_commit')).rows[0]
  const within = async (text: string, values: unknown[]): Promise<{ id: string } | undefined> => {
    await client.query('start transaction')
    const { rows } = await client.query<{ id: string }>(text, values)
    assert.deepEqual(await setting(), { synchronous_commit: 'off' })
    await client.query('commit')
    assert.deepEqual(await setting(), { synchronous_commit: 'on' })
    return rows[0]
  }
  try {
    await client.query('set synchronous_commit = on')
    const task = await within(CLAIM_TASKS.text, ['jobs', [], 1])
    await within(COMPLETE_TASK.text, ['jobs', task?.id, 0])
    const { rows } = await client.query('select state from pgboss.job')
    assert.deepEqual(rows, [{ state: 'completed' }])
  } finally {
    client.release(true)
  }
})
