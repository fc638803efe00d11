/**
 * Records what planning a page decided: fence, rows, listing progress of its sources, plan and counters in one
 * statement. For a page of named videos that is its whole commit.
 */
import { asJson, run, statement, WITHOUT_FLUSH } from '../kit/postgres/statement.ts'
import type { Plan } from '../model/jobs/selection.ts'
import type { LookingJob } from './collections.ts'
import type { Db } from './database.ts'
import type { SourceMove } from './job-sources.ts'
import { ADDED_COUNTS, COUNTS_BY_STATUS } from './jobs.ts'
import { type NewRow, toLines } from './video-rows.ts'

/**
 * $1: the job, $2 and $3: the attempt and the state that it must have, $4: the page's rows, $5: its sources, $6: the
 * plan, $7: whether planning is over, $8: slots taken so far, $9: videos discovered. Slots that came back stay so.
 * Finished rows are numbered after those that the job finished before. The commit waits for the disk only while the
 * job is started (`queued`).
 */
const RECORD_PAGE = statement<LookingJob>(
  'record-page',
  `
  with held as materialized (
    select id, account_id, url_set_hash, processed from job
    where id = $1 and attempt = $2 and state = $3 and ($3 = 'queued' or ${WITHOUT_FLUSH})
    for no key update
  ), page as materialized (
    select * from json_to_recordset($4::json) as line (index int, source int, video_id text, title text, url text,
      channel_name text, published_at text, status text, label text, error_message text, done int)
  ), inserted as (
    insert into video_row (job_id, index, source, video_id, title, url, channel_name, published_at,
      status, label, error_message, done, finished_at)
    select held.id, page.index, page.source, page.video_id, page.title, page.url, page.channel_name, page.published_at,
      page.status, page.label, page.error_message, held.processed + page.done,
      case when page.done is not null then now() end
    from held, page
  ), moved as (
    update job_source s
    set state = progress.state, cursor = progress.cursor, copy_id = progress."copyId", heads = progress.heads, listed = progress.listed
    from held, json_to_recordset($5::json)
      as progress (position int, state text, cursor text, "copyId" uuid, heads text[], listed int)
    where s.job_id = held.id and s.position = progress.position
  ), planned as (
    update job set plan = $6::jsonb, is_planned = $7, discovered = $9, has_progress = true,
      slots_used = job.slots_used + $8 - coalesce((job.plan->>'slotsTaken')::int, 0),
      processed = job.processed + n.rows, ${ADDED_COUNTS}
    from held, (select count(status)::int as rows, ${COUNTS_BY_STATUS} from page) n
    where job.id = held.id
  )
  select id, account_id as "accountId", url_set_hash as "urlSetHash" from held`,
)

type RecordedPage = {
  plan: Plan
  /** Whether nothing is left to be planned. */
  isPlanned: boolean
  rows: readonly NewRow[]
  /** The progress of the sources; those without any are left out. */
  sources: readonly SourceMove[]
}

/** The job whose page is recorded; its state is `queued` while it is being started. */
type PlanningJob = { jobId: string; attempt: number; state: 'queued' | 'running' }

/**
 * Returns null where nothing was recorded: another attempt holds the job, or it is in another state. A running
 * attempt's page that a crash of the server undoes is planned again, since rows are recorded only after their page.
 */
export async function recordPage(
  db: Db,
  { jobId, attempt, state }: PlanningJob,
  { rows, sources, plan, isPlanned }: RecordedPage,
): Promise<LookingJob | null> {
  const [recorded] = await run(db, RECORD_PAGE, [
    jobId,
    attempt,
    state,
    asJson(toLines(rows)),
    asJson(sources),
    isPlanned ? null : JSON.stringify(plan),
    isPlanned,
    plan.slotsTaken,
    plan.discovered,
  ])
  return recorded ?? null
}
