/** The table `job`: orders, their state and counters. */
import assert from 'node:assert/strict'
import { type RawBuilder, sql } from 'kysely'
import type { FinalState, JobState } from '../model/jobs/job.ts'
import type { Plan } from '../model/jobs/selection.ts'
import { ROW_STATUSES, type RowStatus } from '../model/jobs/video-row.ts'
import type { Format } from '../model/transcripts/formats.ts'
import { prepared, sqlText } from '../kit/postgres/database.ts'
import type { Db, Tx } from './database.ts'
import { UNFLUSHED } from '../kit/postgres/unflushed.ts'
import { clearSuspects } from './video-rows.ts'

export type Counts = Record<RowStatus, number>

/** A job as the API and the worker know it. */
export type JobRecord = {
  id: string
  accountId: string
  state: JobState
  createdAt: Date
  finishedAt: Date | null
  error: string | null
  urls: string[]
  urlSetHash: string
  language: string
  formats: Format[]
  maxVideos: number
  requestedMaxVideos: number
  publishedAfter: string | null
  publishedBefore: string | null
  /** The bounds as instants, both inclusive; null: unbounded. */
  afterAt: Date | null
  beforeAt: Date | null
  notices: string[]
  reservedMicros: bigint
  chargedMicros: bigint | null
  /** The fencing number: only the worker that holds it may write. */
  attempt: number
  isHeld: boolean
  lostAttempts: number
  /** Whether the present attempt recorded a row or planned a page. */
  hasProgress: boolean
  startedAt: Date | null
  isPlanned: boolean
  /** Where planning goes on; null before it began and after its end. */
  plan: Plan | null
  slotsUsed: number
  discovered: number
  processed: number
  /** Null: its texts are kept. */
  textsDeletedAt: Date | null
  counts: Counts
}

/** A job as a statement that selects JOB_COLUMNS returns it. */
export type JobRow = Omit<JobRecord, 'counts'> & Record<`count_${RowStatus}`, number>

const COUNT_COLUMNS = sql.join(
  ROW_STATUSES.map((status) => sql`${sql.ref(status)} as ${sql.ref(`count_${status}`)}`),
)

const COLUMNS = sql`id, account_id as "accountId", state, created_at as "createdAt",
  finished_at as "finishedAt", error, urls, url_set_hash as "urlSetHash", language, formats,
  max_videos as "maxVideos", requested_max_videos as "requestedMaxVideos",
  published_after as "publishedAfter", published_before as "publishedBefore",
  after_at as "afterAt", before_at as "beforeAt", notices, reserved_micros as "reservedMicros",
  charged_micros as "chargedMicros", attempt, is_held as "isHeld", lost_attempts as "lostAttempts", has_progress as "hasProgress",
  started_at as "startedAt", is_planned as "isPlanned", plan, slots_used as "slotsUsed",
  discovered, processed, texts_deleted_at as "textsDeletedAt", ${COUNT_COLUMNS}`

export const JOB_COLUMNS = sqlText(COLUMNS)

export function toJob(row: JobRow): JobRecord {
  const counts = Object.fromEntries(ROW_STATUSES.map((status) => [status, row[`count_${status}`]]))
  return { ...row, counts: counts as Counts }
}

export type NewJob = Pick<
  JobRecord,
  | 'id'
  | 'accountId'
  | 'urls'
  | 'urlSetHash'
  | 'language'
  | 'formats'
  | 'maxVideos'
  | 'requestedMaxVideos'
  | 'publishedAfter'
  | 'publishedBefore'
  | 'afterAt'
  | 'beforeAt'
  | 'notices'
  | 'reservedMicros'
  | 'createdAt'
> & {
  idempotency: { key: string; bodyHash: string } | null
  /** The app that spends; null for the owner. */
  connectionId: string | null
  keyId: string | null
  /** It reads the pages that a preview listed. */
  isPreviewed: boolean
}

/** A part of starting a job: itself, with all of its columns. */
export function insertJob(job: NewJob): RawBuilder<unknown> {
  return sql`insert into job (id, account_id, state, created_at, urls, url_set_hash, language, formats,
        max_videos, requested_max_videos, published_after, published_before, after_at, before_at,
        notices, idempotency_key, body_hash, reserved_micros, connection_id, key_id)
      values (${job.id}, ${job.accountId}, 'queued', ${job.createdAt}, ${job.urls}, ${job.urlSetHash},
        ${job.language}, ${job.formats}, ${job.maxVideos}, ${job.requestedMaxVideos},
        ${job.publishedAfter}, ${job.publishedBefore}, ${job.afterAt}, ${job.beforeAt}, ${job.notices},
        ${job.idempotency?.key ?? null}, ${job.idempotency?.bodyHash ?? null},
        ${job.reservedMicros.toString()}::bigint, ${job.connectionId}, ${job.keyId})
      returning *`
}

/** Locks a job until the transaction ends; after the balance, if that is locked too. */
export async function lockJob(tx: Tx, jobId: string): Promise<JobRecord> {
  const { rows } =
    await sql<JobRow>`${prepared('lock-job')} select ${COLUMNS} from job where id = ${jobId} for update`.execute(
      tx,
    )
  const [row] = rows
  assert(row !== undefined, `job ${jobId} exists`)
  return toJob(row)
}

/** The account's job, or null: a foreign job and a missing one are the same. */
export async function findJob(
  db: Db,
  { accountId, jobId }: { accountId: string; jobId: string },
): Promise<JobRecord | null> {
  const { rows } = await sql<JobRow>`${prepared('find-job')}
    select ${COLUMNS} from job where id = ${jobId} and account_id = ${accountId}
  `.execute(db)
  return rows[0] === undefined ? null : toJob(rows[0])
}

/** The job this Idempotency-Key made, with the hash of the body it was made from. */
export async function findJobByKey(
  db: Db,
  { accountId, key }: { accountId: string; key: string },
): Promise<{ job: JobRecord; bodyHash: string } | null> {
  const { rows } = await sql<JobRow & { bodyHash: string }>`
    select ${COLUMNS}, body_hash as "bodyHash" from job
    where account_id = ${accountId} and idempotency_key = ${key}
  `.execute(db)
  const [row] = rows
  return row === undefined ? null : { job: toJob(row), bodyHash: row.bodyHash }
}

/** The account's unsettled jobs, oldest first. */
export async function listOpenJobIds(tx: Tx, accountId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('job')
    .select('id')
    .where('account_id', '=', accountId)
    .where('state', 'in', ['queued', 'running', 'cancelling'])
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Newest first, with the number of all; both of one instant. */
export async function listJobs(
  db: Db,
  { accountId, offset, limit }: { accountId: string; offset: number; limit: number },
): Promise<{ total: number; jobs: JobRecord[] }> {
  const { rows } = await sql<{ total: number } & (JobRow | { id: null })>`
    select a.jobs as total, j.* from account a left join lateral (
      select ${COLUMNS} from job where account_id = a.id
      order by created_at desc, id desc limit ${limit} offset ${offset}
    ) j on true where a.id = ${accountId}
    order by j."createdAt" desc, j.id desc
  `.execute(db)
  const jobs = rows.flatMap((row) => (row.id === null ? [] : [toJob(row)]))
  return { total: rows[0]?.total ?? 0, jobs }
}

/** A new attempt takes the job: whoever held it before can write no more. */
export async function setAttempt(
  tx: Tx,
  jobId: string,
  next: { attempt: number; lostAttempts: number; state: JobState },
): Promise<void> {
  await sql`${prepared('set-attempt')}
    update job set attempt = ${next.attempt}, is_held = true, has_progress = false, lost_attempts = ${next.lostAttempts},
      state = ${next.state}, started_at = coalesce(started_at, now())
    where id = ${jobId}
  `.execute(tx)
}

/**
 * A part of beginning a job that nobody has begun yet: its first attempt, with all of its columns. Undone by a crash of
 * the server, it is a job that nobody has begun.
 */
export function setFirstAttempt(jobId: string): RawBuilder<unknown> {
  return sql`update job set attempt = 1, is_held = true, state = 'running', started_at = now()
      from ${sql.raw(UNFLUSHED)}
      where id = ${jobId} and state = 'queued' and attempt = 0 and not is_held and flushed.is_on = 'off' returning *`
}

/** Gives a job back unharmed: the next attempt costs none of its budget, and suspects none of its videos. */
export async function clearHold(
  db: Db,
  { jobId, number }: { jobId: string; number: number },
): Promise<void> {
  await sql`
    with released as (
      update job set is_held = false where id = ${jobId} and attempt = ${number} returning id
    )
    ${clearSuspects()}
  `.execute(db)
}

export async function setCancelling(tx: Tx, jobId: string): Promise<void> {
  await tx
    .updateTable('job')
    .set({ state: 'cancelling' })
    .where('id', '=', jobId)
    .where('state', '=', 'running')
    .execute()
}

export type JobEnd = {
  state: FinalState
  error: string | null
  chargedMicros: bigint
  finishedAt: Date
}

/** A part of ending a job: final state, charge and finishing time at once; the constraint allows no other order. */
export function makeFinal(jobId: string, end: JobEnd): RawBuilder<unknown> {
  return sql`update job set state = ${end.state}, error = ${end.error}, is_held = false,
        charged_micros = ${end.chargedMicros.toString()}::bigint, finished_at = ${end.finishedAt}
      where id = ${jobId} and charged_micros is null returning id, account_id, state`
}

/** How far a job is planned; `counts` are rows that are finished at once. */
export type PlanProgress = { plan: Plan; isPlanned: boolean; counts: Partial<Counts> }

/** A part of planning: what it changes on the job in `held`. Its text depends on the statuses that are counted. */
export function movePlan({ plan, isPlanned, counts }: PlanProgress): RawBuilder<unknown> {
  const counted = Object.entries(counts) as [RowStatus, number][]
  const processed = counted.reduce((sum, [, count]) => sum + count, 0)
  const counters = counted.map(
    ([status, count]) => sql`, ${sql.ref(status)} = job.${sql.ref(status)} + ${count}`,
  )
  return sql`update job set plan = ${isPlanned ? null : JSON.stringify(plan)}::jsonb, is_planned = ${isPlanned},
      slots_used = ${plan.slotsTaken}, discovered = ${plan.discovered},
      has_progress = true, processed = job.processed + ${processed} ${sql.join(counters, sql` `)}
    from held where job.id = held.id`
}

/** A part of recording rows, `held`: counts those in `ready` on their job. `before`: rows that were processed before them. */
export function countReady(jobId: string): RawBuilder<unknown> {
  return sql`update job set has_progress = true, processed = job.processed + n.rows, ${READY_ADDED}
      from (select count(*)::int as rows, ${READY_COUNTS} from ready) n
      where job.id = ${jobId} and n.rows > 0
      returning job.account_id, job.url_set_hash, job.processed - n.rows as before`
}

const READY_ADDED = sql.raw(ROW_STATUSES.map((one) => `${one} = job.${one} + n.${one}`).join(', '))
const READY_COUNTS = sql.raw(
  ROW_STATUSES.map((one) => `count(*) filter (where status = '${one}')::int as ${one}`).join(', '),
)

/** A part of deleting old texts, over `due`. */
export function markTextsDeleted(): RawBuilder<unknown> {
  return sql`update job set texts_deleted_at = now() from due where job.id = due.id returning job.id`
}

/** The job of a deleted account: what it moved and when stays, what was asked for does not. Safe to repeat. */
export async function stripJob(tx: Tx, jobId: string, receiptSha256: string): Promise<void> {
  await sql`
    update job set urls = '{}', url_set_hash = '', language = '', formats = '{}', notices = '{}', error = null,
      published_after = null, published_before = null, after_at = null, before_at = null, plan = null,
      idempotency_key = null, body_hash = null, connection_id = null, key_id = null, receipt_sha256 = coalesce(receipt_sha256, ${receiptSha256}),
      texts_deleted_at = coalesce(texts_deleted_at, now())
    where id = ${jobId} and charged_micros is not null
  `.execute(tx)
}

/** No row of these jobs is left. */
export async function setErased(db: Db, jobIds: string[]): Promise<void> {
  await sql`update job set erased_at = now() where id = any(${jobIds})`.execute(db)
}
