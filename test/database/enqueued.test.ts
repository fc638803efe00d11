/** Tasks are added by a statement of ours: what it writes is what the queue's library would. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { fromKysely, PgBoss } from 'pg-boss'
import { transact } from '../../src/postgres/database.ts'
import { openQueue } from '../../src/postgres/queue.ts'
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
      await own.enqueue(tx, task) // the same part stands in the statement that starts a job
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
