/**
 * Starts a job: the job with its sources, the count of its account's jobs, and the entry that reserves its cost, in one
 * statement, so that none exists without the others.
 */
import { sql } from 'kysely'
import { asJson, run, statement } from '../kit/postgres/statement.ts'
import type { OrderLine } from '../model/jobs/order.ts'
import type { Starter } from '../model/jobs/starter.ts'
import { subjectOf } from '../model/platform/source.ts'
import { type Db, query, toColumns, type Tx } from './database.ts'
import { JOB_COLUMNS, type JobRecord, type JobRow, type NewJob, toJob } from './jobs.ts'
import {
  type LockedBalance,
  type NewEntry,
  POSTED,
  type Posted,
  postedBy,
  postEntries,
} from './ledger.ts'
import { ORDER_NAMES, orderRow } from './orders.ts'

/** `owners` is 1, or 0 where the account is suspended. */
type StartedRow = JobRow & Posted & { owners: number }

const COLUMNS = `id, account_id, state, created_at, ${ORDER_NAMES}, requested_max_videos, idempotency_key, body_hash,
      started_by, starter_id, start_slot, reserved_micros, connection_id, key_id, traceparent`

/**
 * $1: the job, $2: whether it was previewed, $3: ledger entries, $4: the balance after them, $5: the balance's number
 * of entries before, $6: its lines, with what each names.
 */
const INSERT_STARTED = statement<StartedRow>(
  'insert-started',
  `
  with created as (
    insert into job (${COLUMNS}) select ${COLUMNS} from json_populate_record(null::job, $1::json)
    returning *
  ), sources as (
    insert into job_source (job_id, position, line, subject, source, is_previewed)
    select c.id, line.position, line.text, line.subject, line.source, $2
    from created c, json_to_recordset($6::json) as line (position int, text text, subject text, source jsonb)
  ), counted as (
    update account a set jobs = a.jobs + 1 from created c
    where a.id = c.account_id and a.suspended_at is null returning a.id
  ), ${postedBy(3, 4, 5)}
  select ${JOB_COLUMNS}, ${POSTED}, (select count(*)::int from counted) as owners
  from created`,
)

/**
 * Inserts a job; the caller has locked the balance in `before`. Returns null where the account is suspended: then the
 * caller must not commit.
 */
export async function insertStarted(
  tx: Tx,
  job: NewJob,
  { before, entry }: { before: LockedBalance; entry: NewEntry },
): Promise<JobRecord | null> {
  const lines = asJson(job.order.lines.map(sourceRow))
  const { row } = await postEntries(tx, { before, entries: [entry] }, (...given) =>
    run(tx, INSERT_STARTED, [asJson(jobRow(job)), job.isPreviewed, ...given, lines]),
  )
  const { posted: _posted, books: _books, owners, ...inserted } = row
  return owners === 0 ? null : toJob(inserted)
}

/** Returns the job that was started for a slot; null where none was. */
export async function findStarted(
  db: Db,
  accountId: string,
  { id, slot }: Starter,
): Promise<JobRecord | null> {
  const row = await query<JobRow>`
    select ${sql.raw(JOB_COLUMNS)} from job
    where account_id = ${accountId} and starter_id = ${id} and start_slot = ${slot}
  `.firstRow(db)
  return row === null ? null : toJob(row)
}

function sourceRow({ text, source }: OrderLine, at: number): object {
  return { position: at + 1, text, source, subject: source === null ? null : subjectOf(source) }
}

/** Returns the job's columns for its row. */
function jobRow({ order, idempotency, startedBy, ...job }: NewJob): object {
  const key = { idempotencyKey: idempotency?.key, bodyHash: idempotency?.bodyHash }
  const start = { startedBy: startedBy?.kind, starterId: startedBy?.id, startSlot: startedBy?.slot }
  return { ...orderRow(order), ...toColumns({ ...job, ...key, ...start, state: 'queued' }) }
}
