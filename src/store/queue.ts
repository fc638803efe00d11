/**
 * The queue of tasks, one for each job, on pg-boss, and beside it the queue of previews and trials. A task is delivered
 * at least once; what was done so far stands in our own tables, so a repeated delivery only resumes it.
 *
 * pg-boss calls a task "job"; that word stays inside this file.
 */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { PgBoss } from 'pg-boss'
import { LIMITS } from '../kit/config/config.ts'
import type { Db, Tx } from './database.ts'
import { deadlinesOf } from '../kit/postgres/deadlines.ts'
import { NamingClient, run, type Statement } from '../kit/postgres/statement.ts'
import {
  ADD_TASK,
  CLAIM_TASKS,
  COMPLETE_TASK,
  FORGIVE_SILENCE,
  READ_CROWD,
  type Task,
  type WaitingTask,
} from './task-order.ts'

export const TASK_HEARTBEAT_MAX_SECONDS = 10
/** With taskHeartbeatMs below taskHeartbeatMaxSeconds: no task grows silent in a gap that is not noticed. */
const SUPERVISION_GAP_SECONDS = 5
const DONE_TASKS_KEPT_SECONDS = 3_600
/** Jobs end themselves at their time limit; the queue's own expiry comes later, as a last resort. */
const TASK_EXPIRY_MARGIN_SECONDS = 600
const QUEUE_CONNECTIONS_MAX = 3

const QUEUE = 'jobs'
const PREVIEW_QUEUE = 'previews'
/** Above any number of attempts of our own, which alone decide when a job is given up. */
const REDELIVERIES_MAX = 1_000_000

/** pg-boss hands these on to its pool: a frozen server is not waited for. */
const forThePool = (query_timeout: number) => ({
  Client: NamingClient,
  query_timeout,
  keepAlive: true,
  keepAliveInitialDelayMillis: LIMITS.keepAliveProbeMs,
})

export type { Task } from './task-order.ts'

export type Crowd = {
  slots: Map<string, number>
  waiting: WaitingTask[]
}

export type Queue = TaskQueue & {
  /** Tasks of previews and trials; the `jobId` of one is its preview's or trial's id. */
  previews: TaskQueue
  close(): Promise<void>
}

export type TaskQueue = {
  /** Adds a job's task within the caller's transaction. */
  enqueue(tx: Tx, task: { jobId: string; accountId: string }): Promise<void>
  /** Takes up to `max` waiting tasks, fairly by account (task-order.ts), none of those that have enough. */
  take(max: number, accountsToSkip: string[]): Promise<Task[]>
  /** Who waits, the first `max` of them, and how many slots each account holds over all workers. */
  crowd(max: number): Promise<Crowd>
  /** Tells that the tasks are being worked on; a silent one is delivered again. */
  touch(tasks: Task[]): Promise<void>
  complete(task: Task): Promise<void>
  /**
   * Delivers silent tasks again, and tidies up; workers call it every second. After a time in which nobody
   * did (the database was away, or its clock was set), silence means nothing: all get their time anew.
   */
  supervise(): Promise<void>
  /** Gives a task back, to be delivered again: it waits at the end of its account's. */
  handBack(task: Task): Promise<void>
}

export type QueueOptions = {
  url: string
  jobTimeLimitSeconds: number
  /** Times the usual deadlines: DATABASE_PATIENCE. */
  patience?: number
  /** Faults of the queue's own housekeeping, for the log. */
  onError(error: Error): void
}

export async function openQueue(options: QueueOptions): Promise<Queue> {
  const { connectMs, silenceMs } = deadlinesOf(options.patience ?? 1)
  const boss = new PgBoss({
    connectionString: options.url,
    application_name: 'scriptorium queue',
    max: QUEUE_CONNECTIONS_MAX,
    connectionTimeoutMillis: connectMs,
    ...forThePool(silenceMs),
    schedule: false,
    supervise: false, // by supervise() below, which looks first whether anybody could be heard
    monitorIntervalSeconds: 1,
    maintenanceIntervalSeconds: 60,
    monitorVacuum: false,
  })
  boss.on('error', options.onError)
  try {
    await boss.start()
    await ensureQueue(boss, QUEUE, options.jobTimeLimitSeconds + TASK_EXPIRY_MARGIN_SECONDS)
    await ensureQueue(boss, PREVIEW_QUEUE, TASK_EXPIRY_MARGIN_SECONDS)
  } catch (error) {
    await boss.stop({ graceful: false, close: true }).catch(() => undefined)
    throw error
  }

  return {
    ...taskQueue(boss, QUEUE),
    previews: taskQueue(boss, PREVIEW_QUEUE),
    async close() {
      const isLate = new AbortController()
      const late = sleep(LIMITS.farewellMs, undefined, { signal: isLate.signal })
      await Promise.race([boss.stop({ graceful: false, close: true }), late]).finally(() =>
        isLate.abort(),
      )
      await late.catch(() => undefined)
    },
  }
}

function taskQueue(boss: PgBoss, name: string): TaskQueue {
  return {
    async enqueue(tx, task) {
      const added = await run(tx, ADD_TASK, [name, task.jobId, task.accountId])
      assert(added.length === 1, `there is a queue of ${name}`)
    },
    async take(max, accountsToSkip) {
      return ask(boss, CLAIM_TASKS, [name, accountsToSkip, max])
    },
    async crowd(max) {
      const [row] = await ask(boss, READ_CROWD, [name, [], max])
      return { slots: new Map(Object.entries(row?.slots ?? {})), waiting: row?.waiting ?? [] }
    },
    async touch(tasks) {
      if (tasks.length > 0) await boss.touch(name, tasks.map(claimOf))
    },
    async complete(task) {
      await ask(boss, COMPLETE_TASK, [name, task.id, task.delivery])
    },
    async supervise() {
      await ask(boss, FORGIVE_SILENCE, [name, SUPERVISION_GAP_SECONDS])
      await boss.supervise(name)
    },
    async handBack(task) {
      await boss.fail(name, claimOf(task))
    },
  }
}

/** On the queue's own pool; planning such a statement takes longer than running it. */
async function ask<Row>(boss: PgBoss, asked: Statement<Row>, values: unknown[]): Promise<Row[]> {
  const { rows } = await boss.getDb().executeSql(asked.text, values)
  return rows
}

function claimOf({ id, delivery }: Task): { id: string; retryCount: number } {
  return { id, retryCount: delivery }
}

async function ensureQueue(boss: PgBoss, name: string, expireInSeconds: number): Promise<void> {
  const options = {
    expireInSeconds,
    heartbeatSeconds: TASK_HEARTBEAT_MAX_SECONDS,
    retryLimit: REDELIVERIES_MAX,
    retryDelay: 0,
    deleteAfterSeconds: DONE_TASKS_KEPT_SECONDS,
  }
  await boss.createQueue(name, options)
  await boss.updateQueue(name, options)
}

/** Unsettled jobs (or that one) that no task stands for: lost in a restore, or by hand. */
export async function findJobsWithoutTask(
  db: Db,
  onlyJobId: string | null,
): Promise<{ jobId: string; accountId: string }[]> {
  const { rows } = await sql<{ jobId: string; accountId: string }>`
    select j.id as "jobId", j.account_id as "accountId" from job j
    where j.state in ('queued', 'running', 'cancelling') and j.id = coalesce(${onlyJobId}, j.id)
      and not exists (select from pgboss.job t where t.name = ${QUEUE}
        and t.state in ('created', 'retry', 'active') and t.data ->> 'jobId' = j.id)
    limit 100
  `.execute(db)
  return rows
}
