/**
 * Starting a job: the job with its sources, the count of its account's jobs, and the entries that reserve its cost in
 * one statement, since none is ever there without the others.
 */
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { prepared, type Tx } from '../postgres/database.ts'
import { countStartedJob } from './accounts.ts'
import { insertSources } from './job-sources.ts'
import { insertJob, JOB_COLUMNS, type JobRecord, type JobRow, type NewJob, toJob } from './jobs.ts'
import { appending, assertPosted, type LockedBalance, type NewEntry } from './ledger.ts'

/** `before`: the account's balance, locked. */
export async function insertStarted(
  tx: Tx,
  job: NewJob,
  { before, entry }: { before: LockedBalance; entry: NewEntry },
): Promise<JobRecord> {
  const { part } = appending(before, [entry])
  const { rows } = await sql<JobRow & { posted: number }>`${prepared('insert-started')}
    with created as (
      ${insertJob(job)}
    ), sources as (
      ${insertSources(job.isPreviewed)}
    ), counted as (
      ${countStartedJob(job.accountId)}
    ), ${part}
    select ${sql.raw(JOB_COLUMNS)}, (select count(*)::int from posted) as posted from created
  `.execute(tx)
  const [row] = rows
  assert(row !== undefined, 'an inserted job is returned')
  const { posted, ...inserted } = row
  assertPosted({ posted })
  return toJob(inserted)
}
