/** Records what a page of planning decided: rows, plan, counters and the source's cursor. */
import type { Tx } from '../postgres/database.ts'
import { type SourceProgress, updateSources } from '../store/job-sources.ts'
import {
  type Bookmark,
  type BookmarkPlace,
  dropBookmark,
  keepBookmark,
} from '../store/list-bookmarks.ts'
import { type Counts, lockJob, updatePlan } from '../store/jobs.ts'
import { insertRows, type NewRow } from '../store/video-rows.ts'
import type { Attempt } from './attempt.ts'
import type { Plan } from './selection.ts'

export type PlannedPage = {
  rows: NewRow[]
  plan: Plan
  /** How far sources are listed after this page; those that did not move are left out. */
  sources: Omit<SourceProgress, 'line'>[]
  /** Where a list goes on in a later job: `bookmark` null is nowhere, it was read to its end. */
  marked?: { place: BookmarkPlace; bookmark: Bookmark | null }
  /** The last page: everything the job takes up is planned. */
  isPlanned: boolean
}

/** False where nothing was recorded: another attempt holds the job, or it is not running. */
export async function planRows(tx: Tx, attempt: Attempt, page: PlannedPage): Promise<boolean> {
  const job = await lockJob(tx, attempt.jobId)
  if (job.attempt !== attempt.number || job.state !== 'running') return false

  await insertRows(tx, { jobId: job.id, rows: page.rows, doneFrom: job.processed + 1 })
  await updateSources(tx, job.id, page.sources)
  if (page.marked !== undefined) {
    const { place, bookmark } = page.marked
    await (bookmark === null ? dropBookmark(tx, place) : keepBookmark(tx, place, bookmark))
  }
  await updatePlan(tx, job.id, {
    plan: page.plan,
    isPlanned: page.isPlanned,
    counts: countFinished(page.rows),
  })
  return true
}

function countFinished(rows: NewRow[]): Partial<Counts> {
  const counts: Partial<Counts> = {}
  for (const row of rows) {
    if (row.kind !== 'finished') continue
    counts[row.content.status] = (counts[row.content.status] ?? 0) + 1
  }
  return counts
}
