/** Deletes texts of an account: of one row, a job, a project, or a channel or playlist. */
import { transact } from '../../kit/postgres/database.ts'
import { Problem } from '../../kit/problem.ts'
import { isFinal, textDeletedByOwner } from '../../model/jobs/job.ts'
import { findCollection } from '../../store/collections.ts'
import type { Db } from '../../store/database.ts'
import {
  deleteGoingTexts,
  type DeletingCollection,
  type GoingPage,
  listDeletingCollections,
  readGoingTexts,
  setCollectionDeleted,
  setCollectionDeleting,
  type TextsToGo,
} from '../../store/deleted-texts.ts'
import { findJob } from '../../store/jobs.ts'
import { findRowWithText } from './read-library.ts'

/** Number of videos whose texts one transaction deletes, so that none takes long. */
const DELETED_AT_ONCE = 500
/** Time after which workers take up what a request left to them. */
const LEFT_TO_WORKERS_SECONDS = 60
const COLLECTIONS_AT_ONCE = 5

/** The texts of one row, of a job, or of a collection or project. */
export type DeletionAsked = { jobId: string; index?: number } | { collectionId: string }

/** Counts of all that goes with a deletion. */
export type Deletion = {
  videos: number
  texts: number
  bytes: number
  /** Texts of the same videos that stay: in another language, or of the other kind. */
  otherTexts: number
  jobs: number
  /** Number of those `jobs` that were not named: they brought the same texts. */
  otherJobs: number
  projects: { id: string; name: string; texts: number }[]
}

export const NOTHING_GOES: Deletion = {
  videos: 0,
  texts: 0,
  bytes: 0,
  otherTexts: 0,
  jobs: 0,
  otherJobs: 0,
  projects: [],
}

type Owned = { accountId: string; of: TextsToGo }

/** Returns what would go; null where the account has no such thing. Throws where a job that is not final has it. */
export async function planDeletion(
  db: Db,
  accountId: string,
  asked: DeletionAsked,
): Promise<Deletion | null> {
  const owned = await findOwned(db, accountId, asked)
  return owned === null ? null : goingOf(db, owned)
}

/**
 * Deletes the texts, wherever orders of the account brought them. Returns what is left to go, which workers
 * finish (null: nothing); null where the account has no such thing. Throws where a job that is not final has it.
 * `deletedMs` is how long it deletes.
 */
export async function deleteTexts(
  db: Db,
  accountId: string,
  asked: DeletionAsked,
  deletedMs: number,
): Promise<{ left: Deletion | null } | null> {
  const owned = await findOwned(db, accountId, asked)
  if (owned === null) return null
  await goingOf(db, owned) // which throws before anything is gone
  const collection = 'collection' in owned.of ? owned.of.collection : null
  // A row and a job take one transaction, and a project can be asked for again: a channel has no bound.
  const until =
    collection === null ? null : await setCollectionDeleting(db, { accountId, id: collection.id })
  const isDone = await deletePages(db, { ...owned, until }, performance.now() + deletedMs)
  if (!isDone) return { left: await goingOf(db, owned) }
  if (collection !== null && until !== null)
    await setCollectionDeleted(db, { accountId, id: collection.id, until })
  return { left: null }
}

/** Finishes deletions that a request left. Returns how many. */
export async function finishDeletions(
  db: Db,
  minSeconds: number = LEFT_TO_WORKERS_SECONDS,
): Promise<number> {
  const left = await listDeletingCollections(db, { minSeconds, limit: COLLECTIONS_AT_ONCE })
  for (const one of left) await finishDeletion(db, one)
  return left.length
}

async function finishDeletion(db: Db, deleting: DeletingCollection): Promise<void> {
  const { accountId, id, until } = deleting
  const collection = await findCollection(db, { accountId, id })
  if (collection !== null) await deletePages(db, { accountId, of: { collection }, until })
  await setCollectionDeleted(db, deleting)
}

/** Finds what is named; an `unchanged` row leads to the row that holds its text. */
async function findOwned(db: Db, accountId: string, asked: DeletionAsked): Promise<Owned | null> {
  if ('collectionId' in asked) {
    const collection = await findCollection(db, { accountId, id: asked.collectionId })
    return collection === null ? null : { accountId, of: { collection } }
  }
  const { jobId, index } = asked
  const job = await findJob(db, { accountId, jobId })
  if (job === null) return null
  if (!isFinal(job.state)) throw notFinal(jobId)
  if (index === undefined) return { accountId, of: { jobId } }
  const row = await findRowWithText(db, { accountId, jobId, index })
  return row === null ? null : { accountId, of: row.text ?? { jobId, index } }
}

/** Reads what goes, page by page. Throws where one of the texts is a running job's. */
async function goingOf(db: Db, { accountId, of }: Owned): Promise<Deletion> {
  const sum = { videos: 0, texts: 0, bytes: 0, otherTexts: 0 }
  const jobs = new Set<string>()
  const projects = new Map<string, Deletion['projects'][number]>()
  for await (const page of pagesOf(db, { accountId, of, until: null })) {
    sum.videos += page.videos
    sum.texts += page.texts
    sum.bytes += page.bytes
    sum.otherTexts += page.otherTexts
    for (const { id, isFinal: isOver } of page.jobs) {
      if (!isOver) throw notFinal(id)
      jobs.add(id)
    }
    for (const { id, name, texts } of page.projects)
      projects.set(id, { id, name, texts: texts + (projects.get(id)?.texts ?? 0) })
  }
  const named = 'jobId' in of && jobs.has(of.jobId) ? 1 : 0
  const otherJobs = 'jobId' in of ? jobs.size - named : 0
  return { ...sum, jobs: jobs.size, otherJobs, projects: [...projects.values()] }
}

type Pages = Owned & { until: Date | null }

async function* pagesOf(db: Db, pages: Pages) {
  for (let afterVideoId: string | null = ''; afterVideoId !== null;) {
    const ask: GoingPage = { ...pages, afterVideoId, limit: DELETED_AT_ONCE }
    const page = await readGoingTexts(db, ask)
    yield { ...page, ask }
    afterVideoId = page.lastVideoId
  }
}

/** Deletes page by page, each in a transaction; returns false where `untilMs` came first. */
async function deletePages(db: Db, pages: Pages, untilMs = Infinity): Promise<boolean> {
  for await (const { ask, texts, today } of pagesOf(db, pages)) {
    if (texts === 0) continue
    if (performance.now() > untilMs) return false
    await transact(db, (tx) => deleteGoingTexts(tx, ask, textDeletedByOwner(today)))
  }
  return true
}

function notFinal(jobId: string): Problem {
  return new Problem('job_in_progress', {
    message: `Job ${jobId} is still running and has texts of these; wait for its end or cancel it, then delete them.`,
    jobId,
  })
}
