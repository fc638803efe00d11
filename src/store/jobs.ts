/** The table `job`: customers' orders, their state and counters. */
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { Idempotency } from '../model/jobs/idempotency.ts'
import type { JobState } from '../model/jobs/job.ts'
import type { Order } from '../model/jobs/order.ts'
import type { Plan } from '../model/jobs/selection.ts'
import type { Starter } from '../model/jobs/starter.ts'
import { ROW_STATUSES, type RowStatus } from '../model/jobs/video-row.ts'
import { run, statement } from '../kit/postgres/statement.ts'
import { type Db, query, type Tx } from './database.ts'
import { type KeptOrder, STRIPPED_ORDER, TERM_COLUMNS } from './orders.ts'

export type Counts = Record<RowStatus, number>

/** A job of an account. */
export type JobKey = { accountId: string; jobId: string }
/** The lines that an account ordered, whatever its terms were. */
export type UrlSetKey = { accountId: string; urlSetHash: string }
/** A part of a list of what an account has. */
export type PageOfAccount = { accountId: string; offset: number; limit: number }

/** A job as the API and the worker know it. */
export type JobRecord = StoredJob & { counts: Counts }

type StoredJob = KeptOrder & {
  id: string
  accountId: string
  state: JobState
  createdAt: Date
  finishedAt: Date | null
  error: string | null
  /** Videos asked for; `maxVideos` are its slots, which the balance or a cap may have lowered. */
  requestedMaxVideos: number
  reservedMicros: bigint
  chargedMicros: bigint | null
  /** The number of the present attempt, which fences writes: only the worker that holds it may write. */
  attempt: number
  isHeld: boolean
  /** Whether the worker that last held the job fell silent. */
  isLost: boolean
  lostAttempts: number
  /** Whether the present attempt recorded a row or planned a page. */
  hasProgress: boolean
  startedAt: Date | null
  isPlanned: boolean
  /** Where planning continues; null before it began and after it ended. */
  plan: Plan | null
  slotsUsed: number
  discovered: number
  processed: number
  /** Null while the job's texts are kept. */
  textsDeletedAt: Date | null
  /** How many of its texts their owner deleted. */
  deletedTexts: number
  /** Name that its customer gave it; null for what it is about. */
  givenName: string | null
  note: string | null
  /** The batch that started it, which may be gone since; null where none did. */
  batchId: string | null
  /** The trace of the request that ordered it (W3C Trace Context); null where it named none. */
  traceparent: string | null
}

/** Lines of an order that a list shows which has room for few words. */
const LINES_OF_BRIEF = 3

/** A job of a list: `lines` says how many lines there are, of which `urls` may have the first ones only. */
export type BriefJob = JobRecord & { lines: number }

/** A job as a statement that selects JOB_COLUMNS returns it. */
export type JobRow = StoredJob & Record<`count_${RowStatus}`, number>

const columnsWith = (
  urls: string,
): string => `id, account_id as "accountId", state, created_at as "createdAt",
  finished_at as "finishedAt", error, ${urls}, ${TERM_COLUMNS},
  requested_max_videos as "requestedMaxVideos", reserved_micros as "reservedMicros",
  charged_micros as "chargedMicros", attempt, is_held as "isHeld", is_lost as "isLost",
  lost_attempts as "lostAttempts", has_progress as "hasProgress",
  started_at as "startedAt", is_planned as "isPlanned", plan, slots_used as "slotsUsed",
  discovered, processed, texts_deleted_at as "textsDeletedAt", deleted_texts as "deletedTexts", given_name as "givenName", note, traceparent,
  case when started_by = 'batch' then starter_id end as "batchId",
  ${ROW_STATUSES.map((status) => `${status} as count_${status}`).join(', ')}`

/** The columns of a JobRow. */
export const JOB_COLUMNS = columnsWith('urls')

const COLUMNS = sql.raw(JOB_COLUMNS)

/** The columns of a BriefJob's row, with all lines and with the first ones. */
export const LINED_JOB_COLUMNS = columnsWith('urls, cardinality(urls) as lines')
export const BRIEF_JOB_COLUMNS = columnsWith(
  `urls[1:${LINES_OF_BRIEF}] as urls, cardinality(urls) as lines`,
)

export function toJob<Row extends JobRow>(row: Row): Row & JobRecord {
  const counts = Object.fromEntries(ROW_STATUSES.map((status) => [status, row[`count_${status}`]]))
  return { ...row, counts: counts as Counts }
}

export type NewJob = {
  id: string
  accountId: string
  /** The order with the slots that the balance allows, and all that its caller is told. */
  order: Order
  requestedMaxVideos: number
  reservedMicros: bigint
  createdAt: Date
  idempotency: Idempotency | null
  startedBy: Starter | null
  /** The connection of the app that spends; null for the owner. */
  connectionId: string | null
  keyId: string | null
  traceparent: string | null
  /** Whether the job reads the pages that a preview listed. */
  isPreviewed: boolean
}

const LOCK_JOB = statement<JobRow>(
  'lock-job',
  `select ${JOB_COLUMNS} from job where id = $1 for update`,
)

/** Locks a job until the transaction ends. A transaction that locks the balance, too, locks that first. */
export async function lockJob(tx: Tx, jobId: string): Promise<JobRecord> {
  const [row] = await run(tx, LOCK_JOB, [jobId])
  assert(row !== undefined, `job ${jobId} exists`)
  return toJob(row)
}

const FIND_JOB = statement<JobRow>(
  'find-job',
  `select ${JOB_COLUMNS} from job where id = $1 and account_id = $2`,
)

/** The account's job, or null: a foreign job and a missing one are the same. */
export async function findJob(db: Db, { accountId, jobId }: JobKey): Promise<JobRecord | null> {
  const [row] = await run(db, FIND_JOB, [jobId, accountId])
  return row === undefined ? null : toJob(row)
}

/** The job this Idempotency-Key made, with the hash of the body it was made from. */
export async function findJobByKey(
  db: Db,
  { accountId, key }: { accountId: string; key: string },
): Promise<{ job: JobRecord; bodyHash: string } | null> {
  const row = await query<JobRow & { bodyHash: string }>`
    select ${COLUMNS}, body_hash as "bodyHash" from job
    where account_id = ${accountId} and idempotency_key = ${key}
  `.firstRow(db)
  return row === null ? null : { job: toJob(row), bodyHash: row.bodyHash }
}

/** The account's unsettled jobs, oldest first. */
export async function listOpenJobIds(tx: Tx, accountId: string): Promise<string[]> {
  return query<{ id: string }>`
    select id from job where account_id = ${accountId} and state in ('queued', 'running', 'cancelling') order by id
  `.values(tx)
}

/**
 * Returns a page of the account's jobs, newest first, and how many it has; both from one snapshot. Only the lines of
 * the page's jobs are looked at: all, or the first ones.
 */
export async function listJobs(
  db: Db,
  { accountId, offset, limit }: PageOfAccount,
  lines: 'all' | 'first',
): Promise<{ total: number; jobs: BriefJob[] }> {
  const columns = lines === 'all' ? LINED_JOB_COLUMNS : BRIEF_JOB_COLUMNS
  const rows = await query<{ total: number } & ((JobRow & { lines: number }) | { id: null })>`
    select a.jobs as total, j.* from account a left join lateral (
      select ${sql.raw(columns)} from (
        select * from job where account_id = a.id order by created_at desc, id desc limit ${limit} offset ${offset}
      ) page
    ) j on true where a.id = ${accountId}
    order by j."createdAt" desc, j.id desc
  `.rows(db)
  const jobs = rows.flatMap((row) => (row.id === null ? [] : [toJob(row)]))
  return { total: rows[0]?.total ?? 0, jobs }
}

/** Returns those of an account's jobs that have these ids, in no order. */
export async function findJobsById(
  db: Db,
  accountId: string,
  ids: readonly string[],
): Promise<JobRecord[]> {
  const rows = await query<JobRow>`
    select ${COLUMNS} from job where id = any(${[...ids]}) and account_id = ${accountId}
  `.rows(db)
  return rows.map(toJob)
}

/** Returns the account's next jobs, newest first, from the one after `afterId` on; null begins with the newest. */
export async function listJobsAfter(
  db: Db,
  { accountId, afterId, limit }: { accountId: string; afterId: string | null; limit: number },
): Promise<JobRecord[]> {
  const rows = await query<JobRow>`
    select ${COLUMNS} from job where account_id = ${accountId}
      and ${afterId === null ? sql`true` : sql`(created_at, id) < (select created_at, id from job where id = ${afterId})`}
    order by created_at desc, id desc limit ${limit}
  `.rows(db)
  return rows.map(toJob)
}

/** Returns the jobs of an account's batch, in the order in which they were started. */
export async function listJobsOfBatch(
  db: Db,
  { accountId, batchId }: { accountId: string; batchId: string },
): Promise<JobRecord[]> {
  const rows = await query<JobRow>`
    select ${COLUMNS} from job where account_id = ${accountId} and starter_id = ${batchId} order by created_at, id
  `.rows(db)
  return rows.map(toJob)
}

const SET_BEGUN = statement<object>(
  'set-begun',
  `update job set is_lost = false, has_progress = false, lost_attempts = $2, state = $3,
    started_at = coalesce(started_at, now())
  where id = $1`,
)

/** Marks the attempt that claimed the job as begun; the caller has locked the job. */
export async function setBegun(
  tx: Tx,
  jobId: string,
  { lostAttempts, state }: { lostAttempts: number; state: JobState },
): Promise<void> {
  await run(tx, SET_BEGUN, [jobId, lostAttempts, state])
}

/**
 * Hands a job back to the end of the line, to which it belongs after `asideMs` only. The next attempt costs nothing of
 * the job's budget, and suspects none of its videos.
 */
export async function releaseJob(
  db: Db,
  { jobId, number }: { jobId: string; number: number },
  asideMs = 0,
): Promise<void> {
  const seconds = asideMs / 1000
  await sql`
    with released as (
      update job set is_held = false, waits_since = now(),
        waits_until = case when ${seconds}::float8 > 0 then now() + make_interval(secs => ${seconds}) end
      where id = ${jobId} and attempt = ${number} and is_held
      returning id
    )
    update video_row r set suspect_attempt = null
    from released where r.job_id = released.id and r.status is null and r.suspect_attempt is not null
  `.execute(db)
}

/** Changes what a customer calls a job and notes about it; what is left out stays. Null where the account has none. */
export async function setJobWords(
  db: Db,
  { accountId, jobId }: JobKey,
  { givenName, note }: { givenName?: string | null; note?: string | null },
): Promise<JobRecord | null> {
  const [hasName, hasNote] = [givenName !== undefined, note !== undefined]
  const row = await query<JobRow>`
    update job set given_name = case when ${hasName} then ${givenName ?? null} else given_name end,
      note = case when ${hasNote} then ${note ?? null} else note end
    where id = ${jobId} and account_id = ${accountId} returning ${COLUMNS}
  `.firstRow(db)
  return row === null ? null : toJob(row)
}

export async function setCancelling(tx: Tx, jobId: string): Promise<void> {
  await sql`update job set state = 'cancelling' where id = ${jobId} and state = 'running'`.execute(
    tx,
  )
}

/** SQL for the counters of a job, counted over lines with a `status`. */
export const COUNTS_BY_STATUS = ROW_STATUSES.map(
  (status) => `count(*) filter (where status = '${status}')::int as ${status}`,
).join(', ')

/** SQL that increases the counters of `job` by those of `n`. */
export const ADDED_COUNTS = ROW_STATUSES.map(
  (status) => `${status} = job.${status} + n.${status}`,
).join(', ')

/**
 * Strips a final job of a deleted account: its money and times stay, what the customer asked for goes. May be repeated.
 */
export async function stripJob(tx: Tx, jobId: string, receiptSha256: string): Promise<void> {
  await sql`
    update job set ${sql.raw(STRIPPED_ORDER)}, error = null, given_name = null, note = null, traceparent = null, plan = null,
      idempotency_key = null, body_hash = null, started_by = null, starter_id = null, start_slot = null, connection_id = null, key_id = null,
      receipt_sha256 = coalesce(receipt_sha256, ${receiptSha256}), texts_deleted_at = coalesce(texts_deleted_at, now())
    where id = ${jobId} and charged_micros is not null
  `.execute(tx)
}
