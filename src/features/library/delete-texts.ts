/** Deletes texts of an account: of one row, a job, a project, a channel or playlist, or a selection of these. */
import { transact } from '../../kit/postgres/database.ts'
import { Problem } from '../../kit/problem.ts'
import { LIMITS } from '../../config/config.ts'
import { isFinal, textDeletedByOwner } from '../../model/jobs/job.ts'
import { inTurns } from '../../kit/concurrency.ts'
import type { Collection } from '../../model/library/collection.ts'
import { eachInSteps } from '../../model/transcripts/steps.ts'
import { type ChosenParts, tooManyTexts } from '../../model/library/selection.ts'
import { findCollection } from '../../store/collections.ts'
import type { Db } from '../../store/database.ts'
import {
  deleteGoingTexts,
  type DeletingCollection,
  type GoingPage,
  listDeletingCollections,
  listNamedTexts,
  readGoingTexts,
  setCollectionDeleted,
  setCollectionDeleting,
  type TextsToGo,
  type TextToGo,
} from '../../store/deleted-texts.ts'
import { findJob } from '../../store/jobs.ts'
import { findRowWithText } from './read-library.ts'
import { findChosen } from './selections.ts'

/** Number of videos whose texts one transaction deletes, so that none takes long. */
const DELETED_AT_ONCE = 500
/** Time after which workers take up what a request left to them. */
const LEFT_TO_WORKERS_SECONDS = 60
const COLLECTIONS_AT_ONCE = 5

/** The texts of one row, of a job, of a collection or project, or of a selection. */
export type DeletionAsked =
  { jobId: string; index?: number } | { collectionId: string } | { selection: ChosenParts }

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

/** `named` are the jobs that were named; null where a collection was, which names none. */
type Owned = { accountId: string; of: TextsToGo; named: readonly string[] | null }

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
 * Deletes the texts, wherever orders of the account brought them. Returns what is left to go of a channel or playlist,
 * which workers finish (null: nothing); null where the account has no such thing. Throws where a job that is not final
 * has it. `deletedMs` is how long it deletes a channel's or playlist's.
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
  // Only a channel or playlist has no bound, and workers finish it: what else is named goes whole in this request.
  const until =
    collection === null ? null : await setCollectionDeleting(db, { accountId, id: collection.id })
  const untilMs = until === null ? Infinity : performance.now() + deletedMs
  const isDone = await deletePages(db, { ...owned, until }, untilMs)
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
  if (collection !== null)
    await deletePages(db, { accountId, of: { collection }, named: null, until })
  await setCollectionDeleted(db, deleting)
}

/** Finds what is named; an `unchanged` row leads to the row that holds its text. */
async function findOwned(db: Db, accountId: string, asked: DeletionAsked): Promise<Owned | null> {
  if ('collectionId' in asked) {
    const collection = await findCollection(db, { accountId, id: asked.collectionId })
    return collection === null ? null : { accountId, of: { collection }, named: null }
  }
  if ('selection' in asked) return ownedOf(db, accountId, asked.selection)
  const { jobId, index } = asked
  const job = await findJob(db, { accountId, jobId })
  if (job === null) return null
  if (!isFinal(job.state)) throw notFinal([jobId])
  if (index === undefined) return { accountId, of: { jobId }, named: [jobId] }
  const row = await findRowWithText(db, { accountId, jobId, index })
  const text = row?.text ?? { jobId, index }
  return row === null ? null : { accountId, of: text, named: [text.jobId] }
}

const ANY_TEXT = `${null} ${null}`

/** Reads the texts that a selection names, each once, those of a video together. */
async function ownedOf(db: Db, accountId: string, selection: ChosenParts): Promise<Owned> {
  const { orders, collections, rows } = await findChosen(db, accountId, selection)
  const jobs = orders.flat()
  const running = jobs.filter(({ state }) => !isFinal(state)).map(({ id }) => id)
  if (running.length > 0) throw notFinal(running)
  // All texts of a video, as channels and playlists name them, stand for each of them.
  const isWhole = (collection: Collection): boolean => collection.kind !== 'project'
  const parts = [
    ...collections.toSorted((a, b) => Number(isWhole(b)) - Number(isWhole(a))),
    ...jobs.map(({ id: jobId }) => ({ jobId })),
    ...rows,
  ].map((part) => ('kind' in part ? { collection: part } : part))
  const found = new Map<string, Map<string, TextToGo>>()
  const limit = LIMITS.selectionTextsMax + 1
  let count = 0
  for (const of of parts) {
    const listed = await listNamedTexts(db, { accountId, of, limit })
    const add = (text: TextToGo): void => {
      const ofVideo = found.get(text.videoId) ?? new Map<string, TextToGo>()
      const key = `${text.languageCode} ${text.trackKind}`
      if (ofVideo.has(key) || ofVideo.has(ANY_TEXT)) return
      found.set(text.videoId, ofVideo.set(key, text))
      count += 1
    }
    await inTurns(eachInSteps(listed, add))
    if (count >= limit) throw tooManyTexts()
  }
  const texts = [...found.values()].flatMap((ofVideo) => [...ofVideo.values()])
  const named = [...jobs.map(({ id }) => id), ...rows.map(({ jobId }) => jobId)]
  return { accountId, of: { texts }, named: collections.length > 0 ? null : named }
}

/** Reads what goes, page by page. Throws where one of the texts is a running job's. */
async function goingOf(db: Db, { accountId, of, named }: Owned): Promise<Deletion> {
  const sum = { videos: 0, texts: 0, bytes: 0, otherTexts: 0 }
  const jobs = new Set<string>()
  const projects = new Map<string, Deletion['projects'][number]>()
  for await (const page of pagesOf(db, { accountId, of, named, until: null })) {
    sum.videos += page.videos
    sum.texts += page.texts
    sum.bytes += page.bytes
    sum.otherTexts += page.otherTexts
    for (const { id, isFinal: isOver } of page.jobs) {
      if (!isOver) throw notFinal([id])
      jobs.add(id)
    }
    for (const { id, name, texts } of page.projects)
      projects.set(id, { id, name, texts: texts + (projects.get(id)?.texts ?? 0) })
  }
  const jobCount = jobs.size
  for (const jobId of named ?? []) jobs.delete(jobId)
  const otherJobs = named === null ? 0 : jobs.size
  return { ...sum, jobs: jobCount, otherJobs, projects: [...projects.values()] }
}

type Pages = Owned & { until: Date | null }

async function* pagesOf(db: Db, { accountId, of, until }: Pages) {
  for (const part of partsOf(of))
    for (let afterVideoId: string | null = ''; afterVideoId !== null;) {
      const limit = 'texts' in part ? part.texts.length : DELETED_AT_ONCE
      const ask: GoingPage = { accountId, of: part, until, afterVideoId, limit }
      const page = await readGoingTexts(db, ask)
      yield { ...page, ask }
      // A part of texts that are named by themselves is one page.
      afterVideoId = 'texts' in part ? null : page.lastVideoId
    }
}

/** Yields texts that are named by themselves a few at a time, and all texts of a video together. */
function* partsOf(of: TextsToGo): Generator<TextsToGo, void> {
  if (!('texts' in of)) return yield of
  for (let [at, end] = [0, 0]; at < of.texts.length; at = end) {
    end = at + DELETED_AT_ONCE
    while (end < of.texts.length && of.texts[end]?.videoId === of.texts[end - 1]?.videoId) end++
    yield { texts: of.texts.slice(at, end) }
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

function notFinal([jobId = '', ...others]: readonly string[]): Problem {
  const [named, more] = [others.slice(0, RUNNING_NAMED - 1), others.slice(RUNNING_NAMED - 1)]
  const words =
    others.length === 0
      ? `Job ${jobId} is still running`
      : `Jobs ${[jobId, ...named].join(', ')}${more.length > 0 ? ` and ${more.length} more` : ''} are still running`
  const message = `${words} with texts of these; wait for its end or cancel it, then delete them.`
  return new Problem('job_in_progress', { message, jobId })
}

/** Running jobs that a refusal names. */
const RUNNING_NAMED = 5
