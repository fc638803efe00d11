/** Records what a page of planning decided: rows, plan, counters and the source's cursor. */
import type { ListFacts } from '../../model/library/collection.ts'
import { transact } from '../../kit/postgres/database.ts'
import type { Db } from '../../store/database.ts'
import {
  addListed,
  type ListedRow,
  noteListFacts,
  noteWholeList,
  type PassedVideos,
} from '../../store/collections.ts'
import {
  type Bookmark,
  type BookmarkPlace,
  dropBookmark,
  keepBookmark,
  setCollection,
  type SourceMove,
} from '../../store/job-sources.ts'
import { recordPage } from '../../store/planned-page.ts'
import type { NewRow } from '../../store/video-rows.ts'
import type { Attempt } from '../../model/jobs/attempt.ts'
import type { Plan } from '../../model/jobs/selection.ts'

/** The source number of rows that are planned after all sources and belong to none. */
export const LATE_SOURCE = 0

/** Facts of a source's list from its first page; `isWhole` is true where all of it was read, to its end. */
export type ListedFacts = { position: number; facts: ListFacts | null; isWhole: boolean }

/** Records of one commit of planning. */
export type ListedPage = {
  rows: NewRow[]
  /** How far sources are listed after this page; sources that did not move are left out. */
  sources: SourceMove[]
  /** Set where the page's rows are of named videos, not of a list. */
  isNamed?: true
  /** Set where its sources go on behind these rows. */
  isPart?: true
  /** Where a list goes on in a later job; `bookmark` is null where it was read to its end. */
  marked?: { place: BookmarkPlace; bookmark: Bookmark | null }
  list?: ListedFacts
  /** Videos that a list holds and that got no row on this page: other lines have them, or they wait. */
  passed?: PassedVideos
  /** True for the last page: everything the job takes up is planned. */
  isPlanned: boolean
}

/** A page, and the plan that goes on behind it. */
type PlannedPage = ListedPage & { plan: Plan }

/**
 * Records a page. Returns false where nothing was recorded: another attempt holds the job, or it is not running. A page
 * of named videos is one statement; facts of lists go into their collections beside it.
 */
export async function planPage(
  db: Db,
  { jobId, number }: Attempt,
  page: PlannedPage,
): Promise<boolean> {
  const fence = { jobId, attempt: number, state: 'running' } as const
  if (page.isNamed === true) return (await recordPage(db, fence, page)) !== null
  return transact(db, async (tx) => {
    const job = await recordPage(tx, fence, page)
    if (job === null) return false

    const { position = 0, facts = null } = page.list ?? {}
    if (facts !== null)
      await setCollection(tx, { jobId, position, collectionId: facts.collection.id })
    if (page.marked !== undefined) {
      const { place, bookmark } = page.marked
      await (bookmark === null ? dropBookmark(tx, place) : keepBookmark(tx, place, bookmark))
    }
    // The collection comes last, since others that change it wait until the commit; videos come first, as everywhere.
    await addListed(tx, { jobId, rows: listedIn(page.rows), passed: page.passed ?? null })
    if (facts !== null) await noteListFacts(tx, job, facts)
    if (page.list?.isWhole === true) await noteWholeList(tx, { jobId, position })
    return true
  })
}

function listedIn(rows: NewRow[]): ListedRow[] {
  return rows.flatMap((row) => {
    const { videoId, publishedAt } = row.kind === 'finished' ? row.content : row
    return videoId === null || row.source === LATE_SOURCE ? [] : [{ index: row.index, publishedAt }]
  })
}
