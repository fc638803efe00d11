/**
 * Starts a job: the job with its sources, the count of its account's jobs, and the entry that reserves its cost, in one
 * statement, so that none exists without the others.
 */
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { asJson, run, statement } from '../kit/postgres/statement.ts'
import type { Starter } from '../model/jobs/starter.ts'
import { readSource, subjectOf } from '../model/platform/source.ts'
import { type Db, query, toColumns, type Tx } from './database.ts'
import { JOB_COLUMNS, type JobRecord, type JobRow, type NewJob, toJob } from './jobs.ts'
import { assertPosted, chainEntries, type LockedBalance, type NewEntry } from './ledger.ts'

/** `owners` is 1, or 0 where the account is suspended. */
type StartedRow = JobRow & { posted: number; owners: number }

/**
 * $1: the job, $2: whether it was previewed, $3: ledger entries, $4: the balance after them, $5: the balance's number
 * of entries before, $6: what each line names.
 */
const INSERT_STARTED = statement<StartedRow>(
  'insert-started',
  `
  with created as (
    insert into job (id, account_id, state, created_at, urls, url_set_hash, language, formats,
      max_videos, requested_max_videos, published_after, published_before, after_at, before_at,
      skips_owned, notices, idempotency_key, body_hash, started_by, starter_id, start_slot,
      reserved_micros, connection_id, key_id, traceparent)
    select id, account_id, state, created_at, urls, url_set_hash, language, formats,
      max_videos, requested_max_videos, published_after, published_before, after_at, before_at,
      skips_owned, notices, idempotency_key, body_hash, started_by, starter_id, start_slot,
      reserved_micros, connection_id, key_id, traceparent
    from json_populate_record(null::job, $1::json)
    returning *
  ), sources as (
    insert into job_source (job_id, position, line, subject, is_previewed)
    select c.id, line.position, line.text, line.subject, $2
    from created c, unnest(c.urls, $6::text[]) with ordinality as line (text, subject, position)
  ), counted as (
    update account a set jobs = a.jobs + 1 from created c
    where a.id = c.account_id and a.suspended_at is null returning a.id
  ), written as (
    insert into ledger_entry (account_id, number, kind, posted_micros, held_micros, reference,
      job_id, reason, created_at, previous_hash, hash)
    select account_id, number, kind, posted_micros, held_micros, reference,
      job_id, reason, created_at, previous_hash, hash
    from json_populate_recordset(null::ledger_entry, $3::json)
  ), posted as (
    update balance b set posted_micros = n.posted_micros, held_micros = n.held_micros, entries = n.entries,
      head = n.head
    from json_populate_record(null::balance, $4::json) n
    where b.account_id = n.account_id and b.entries = $5 returning 1
  )
  select ${JOB_COLUMNS}, (select count(*)::int from posted) as posted, (select count(*)::int from counted) as owners
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
  const { lines, balance } = chainEntries(before, [entry])
  const [row] = await run(tx, INSERT_STARTED, [
    asJson(lineOf(job)),
    job.isPreviewed,
    asJson(lines),
    asJson(balance),
    before.entries,
    job.urls.map(subjectOfLine),
  ])
  assert(row !== undefined, 'an inserted job is returned')
  const { posted, owners, ...inserted } = row
  assertPosted({ posted })
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

/** Returns null for a line that an earlier release accepted. */
function subjectOfLine(line: string): string | null {
  const reading = readSource(line)
  return reading.kind === 'source' ? subjectOf(reading.source) : null
}

/** Returns the job's columns for its row. */
function lineOf({ idempotency, startedBy, ...job }: NewJob): object {
  const key = { idempotencyKey: idempotency?.key, bodyHash: idempotency?.bodyHash }
  const start = { startedBy: startedBy?.kind, starterId: startedBy?.id, startSlot: startedBy?.slot }
  return toColumns({ ...job, ...key, ...start, state: 'queued' })
}
