/**
 * Recording what a page of planning decided: fence, rows, how far its sources are listed, plan and counters in one
 * statement, which for a page of named videos is all of its commit.
 */
import { sql } from 'kysely'
import type { RowStatus } from '../jobs/video-row.ts'
import { type Db, prepared } from '../postgres/database.ts'
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

/** Null where nothing was recorded: another attempt holds the job, or it is in another state. */
export async function recordPage(
  db: Db,
  job: PlanningJob,
  { rows, sources, ...progress }: RecordedPage,
): Promise<LookingJob | null> {
  const counts = countFinished(rows)
  const name = ['plan-page', ...Object.keys(counts)].join('-')
  const { rows: recorded } = await sql<LookingJob>`${prepared(name)}
    with held as materialized (
      select id, account_id, url_set_hash, processed from job
      where id = ${job.jobId} and attempt = ${job.attempt} and state = ${job.state} for no key update
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
