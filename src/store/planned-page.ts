/**
 * Recording what a page of planning decided: fence, rows, how far its sources are listed, plan and counters in one
 * statement, which for a page of named videos is all of its commit.
 */
import { sql } from 'kysely'
import type { RowStatus } from '../model/jobs/video-row.ts'
import { prepared } from '../kit/postgres/database.ts'
import type { Db } from './database.ts'
import { UNFLUSHED } from '../kit/postgres/unflushed.ts'
import type { LookingJob } from './collections.ts'
import { moveSources, type SourceMove } from './job-sources.ts'
import { type Counts, movePlan, type PlanProgress } from './jobs.ts'
import { insertRows, type NewRow } from './video-rows.ts'

export type RecordedPage = Omit<PlanProgress, 'counts'> & {
  rows: readonly NewRow[]
  /** Those that did not move are left out. */
  sources: readonly SourceMove[]
}

/** Whose page: `queued` for a job that is only being started. */
export type PlanningJob = { jobId: string; attempt: number; state: 'queued' | 'running' }

/**
 * Null where nothing was recorded: another attempt holds the job, or it is in another state. An attempt's page is not
 * waited for on disk: undone by a crash of the server, it is planned again, as rows are only recorded after it.
 */
export async function recordPage(
  db: Db,
  job: PlanningJob,
  { rows, sources, ...progress }: RecordedPage,
): Promise<LookingJob | null> {
  const counts = countFinished(rows)
  const isOfStart = job.state === 'queued'
  const name = [isOfStart ? 'plan-start' : 'plan-page', ...Object.keys(counts)].join('-')
  const { rows: recorded } = await sql<LookingJob>`${prepared(name)}
    with held as materialized (
      select id, account_id, url_set_hash, processed from job ${isOfStart ? sql`` : sql`, ${sql.raw(UNFLUSHED)}`}
      where id = ${job.jobId} and attempt = ${job.attempt} and state = ${job.state}
        ${isOfStart ? sql`` : sql`and flushed.is_on = 'off'`} for no key update of job
    ), inserted as (
      ${insertRows(rows)}
    ), moved as (
      ${moveSources(sources)}
    ), planned as (
      ${movePlan({ ...progress, counts })}
    )
    select id, account_id as "accountId", url_set_hash as "urlSetHash" from held
  `.execute(db)
  return recorded[0] ?? null
}

function countFinished(rows: readonly NewRow[]): Partial<Counts> {
  const counts: Partial<Record<RowStatus, number>> = {}
  for (const row of rows) {
    if (row.kind !== 'finished') continue
    counts[row.content.status] = (counts[row.content.status] ?? 0) + 1
  }
  return counts
}
