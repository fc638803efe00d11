/** The rescue of jobs without a task, by many processes at once: each gets one task, from one of them. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { endJob, rescueJobs } from '../../src/features/jobs/attempt.ts'
import { transact } from '../../src/kit/postgres/database.ts'
import { openDatabase, type Tx } from '../../src/store/database.ts'
import { openQueue } from '../../src/store/queue.ts'
import { lockJob } from '../../src/store/jobs.ts'
import { lockJobWithBalance } from '../../src/store/locked-job.ts'
import { testDatabase } from '../support/database.ts'
import { openAccount, orderJob, videoLine } from '../support/money-fixtures.ts'
import { until } from '../support/until.ts'

const PROCESSES = 3

const { db, pool, url } = await testDatabase({ after })
const queue = await openQueue({ url, jobTimeLimitSeconds: 60, onError: () => undefined })
after(() => queue.close())
const processes = Array.from({ length: PROCESSES }, (_, at) =>
  openDatabase({ url, connectionsMax: 1, name: `rescuer ${at}` }),
)
after(() => Promise.all(processes.map((one) => one.close())))
const accountId = await openAccount(db, 80_000n)
let line = 0

/** A job whose task went with the queue's tables. */
async function jobWithoutTask(): Promise<string> {
  line += 1
  const { job } = await orderJob(db, queue, { accountId, line: videoLine(line), maxVideos: 1 })
  await pool.query(`delete from pgboss.job where data ->> 'jobId' = $1`, [job.id])
  return job.id
}

async function tasksOf(jobIds: string[]): Promise<number[]> {
  const { rows } = await pool.query<{ tasks: number }>(
    `select (select count(*)::int from pgboss.job where data ->> 'jobId' = asked.id) as tasks
      from unnest($1::text[]) with ordinality as asked (id, at) order by asked.at`,
    [jobIds],
  )
  return rows.map(({ tasks }) => tasks)
}

/** How many processes wait for a lock. */
async function waiting(): Promise<number> {
  const { rows } = await pool.query(
    `select from pg_stat_activity where datname = current_database() and application_name like 'rescuer %'
      and cardinality(pg_blocking_pids(pid)) > 0`,
  )
  return rows.length
}

/** Holds the locks of these jobs until it is let go; `last`: what its holder does then. */
async function holds(
  jobs: string[],
  last?: (tx: Tx) => Promise<unknown>,
): Promise<() => Promise<void>> {
  const goesOn = Promise.withResolvers<void>()
  const isLocked = Promise.withResolvers<void>()
  const holding = transact(db, async (tx) => {
    for (const job of jobs) await lockJob(tx, job)
    isLocked.resolve()
    await goesOn.promise
    await last?.(tx)
  })
  await isLocked.promise
  return () => {
    goesOn.resolve()
    return holding
  }
}

test('a job that several processes found without a task is rescued by one of them', async () => {
  const jobs = [await jobWithoutTask(), await jobWithoutTask()]
  const letGo = await holds(jobs)
  const rescues = Promise.all(processes.map((one) => rescueJobs(one.db, queue)))
  await until('all have found them and wait', async () => (await waiting()) === PROCESSES)
  await letGo()
  const rescued = await rescues
  assert.equal(
    rescued.reduce((sum, one) => sum + one, 0),
    jobs.length,
    `${rescued.join()} were rescued`,
  )
  assert.deepEqual(await tasksOf(jobs), [1, 1])
  assert.equal(await rescueJobs(db, queue), 0)
})

test('a job that ends while its rescuer waits for it gets no task', async () => {
  const job = await jobWithoutTask()
  const letGo = await holds([job], async (tx) => {
    const locked = await lockJobWithBalance(tx, { accountId, jobId: job })
    await endJob(tx, locked, { state: 'cancelled', error: null })
  })
  const [rescuer] = processes
  assert.ok(rescuer !== undefined)
  const rescue = rescueJobs(rescuer.db, queue)
  await until('it was found', async () => (await waiting()) === 1)
  await letGo()
  assert.equal(await rescue, 0)
  assert.deepEqual(await tasksOf([job]), [0])
})
