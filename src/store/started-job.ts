/**
 * Starting a job: the job with its sources and its task, the count of its account's jobs, and the entries that reserve
 * its cost in one statement, since none is ever there without the others.
 */
import assert from 'node:assert/strict'
import { type RawBuilder, sql } from 'kysely'
import { prepared } from '../kit/postgres/database.ts'
import type { Tx } from './database.ts'
import { countStartedJob } from './accounts.ts'
import { insertSources } from './job-sources.ts'
import { insertJob, JOB_COLUMNS, type JobRecord, type JobRow, type NewJob, toJob } from './jobs.ts'
import { appending, assertPosted, type LockedBalance, type NewEntry } from './ledger.ts'

/** `task`: a part that adds one. */
export type Starting = {
  before: LockedBalance
  entry: NewEntry
  task: RawBuilder<unknown>
}

/** The balance in `before` is locked. Null where the account is suspended: then nothing of it may be committed. */
export async function insertStarted(
  tx: Tx,
  job: NewJob,
  { before, entry, task }: Starting,
): Promise<JobRecord | null> {
  const { part } = appending(before, [entry])
  const { rows } = await sql<
    JobRow & { posted: number; tasks: number; owners: number }
  >`${prepared('insert-started')}
    with created as (
      ${insertJob(job)}
    ), sources as (
      ${insertSources(job.isPreviewed)}
    ), counted as (
      ${countStartedJob(job.accountId)}
    ), task as (
      ${task}
    ), ${part}
    select ${sql.raw(JOB_COLUMNS)}, (select count(*)::int from posted) as posted, (select count(*)::int from task) as tasks,
      (select count(*)::int from counted) as owners
    from created
  `.execute(tx)
  const [row] = rows
  assert(row !== undefined, 'an inserted job is returned')
  const { posted, tasks, owners, ...inserted } = row
  assertPosted({ posted })
  assert(tasks === 1, 'a job has a task')
  return owners === 0 ? null : toJob(inserted)
}
