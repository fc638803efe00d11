/** Projects: made, named, filled from what was delivered, and deleted. Nothing here costs anything. */
import { randomUUID } from 'node:crypto'
import { LIMITS } from '../../config/config.ts'
import { transact } from '../../kit/postgres/database.ts'
import type { PageRequest } from '../../kit/page.ts'
import { Problem } from '../../kit/problem.ts'
import { visibleLine } from '../../kit/text/invisible.ts'
import { jobNoteFrom } from '../../model/jobs/job-name.ts'
import type { RowKey } from '../../model/library/row-key.ts'
import {
  type Project,
  type ProjectWords,
  refusalOfRow,
  tagsFrom,
} from '../../model/library/project.ts'
import { meetsWish, ORIGINAL, type TextWish } from '../../model/transcripts/caption-track.ts'
import { lockAccount } from '../../store/accounts.ts'
import { findBatch, listBatchJobs } from '../../store/batches.ts'
import { findCollection } from '../../store/collections.ts'
import type { Db, Tx } from '../../store/database.ts'
import { findJob } from '../../store/jobs.ts'
import {
  deleteProjectVideo,
  deleteProjectVideos,
  insertProjectVideos,
  listLanguagesBehind,
  type Offer,
  type RefusedOffer,
} from '../../store/project-videos.ts'
import {
  countProjects,
  deleteProjectRow,
  findProject,
  insertProject,
  listProjects,
  type ProjectKey,
  recountProject,
  setProjectWords,
} from '../../store/projects.ts'

import { deleteTexts, type Deletion, NOTHING_GOES, planDeletion } from './delete-texts.ts'

export { findProject }

/** A caller's words for a project; what is left out stays, and a note that is null or blank goes. */
export type ProjectChange = { name?: string; note?: string | null; tags?: string[] }

/** Makes an empty project. Throws a Problem where its name is blank, or the account has too many. */
export function createProject(
  db: Db,
  accountId: string,
  { name = '', note = null, tags = [] }: ProjectChange,
): Promise<Project> {
  const projectId = `prj_${randomUUID().replaceAll('-', '')}`
  const words = { name: nameFrom(name), note: jobNoteFrom(note), tags: tagsFrom(tags) }
  return transact(db, async (tx) => {
    if (!(await lockAccount(tx, accountId))) throw new Problem('unauthorized')
    if ((await countProjects(tx, accountId)) >= LIMITS.projectsMax)
      throw new Problem('invalid_request', {
        message: `An account can have at most ${LIMITS.projectsMax} projects; delete one that is no longer used.`,
      })
    return insertProject(tx, { accountId, projectId }, words)
  })
}

function nameFrom(text: string): string {
  const name = visibleLine(text)
  if (name !== '') return name
  throw new Problem('invalid_request', { message: 'A project needs a name.', field: 'name' })
}

/** Returns a page of the account's projects, the last changed first. */
export async function readProjects(
  db: Db,
  ask: PageRequest & { accountId: string },
): Promise<{ total: number; projects: Project[] }> {
  const [total, projects] = await Promise.all([
    countProjects(db, ask.accountId),
    listProjects(db, ask),
  ])
  return { total, projects }
}

/** Changes a project's name, note or tags; null where the account has none such. */
export function changeProject(
  db: Db,
  owned: ProjectKey,
  change: ProjectChange,
): Promise<Project | null> {
  return transact(db, async (tx) => {
    const project = await findProject(tx, owned, 'locked')
    if (project === null) return null
    const words: ProjectWords = {
      name: change.name === undefined ? project.name : nameFrom(change.name),
      note: change.note === undefined ? project.note : jobNoteFrom(change.note),
      tags: change.tags === undefined ? project.tags : tagsFrom(change.tags),
    }
    return setProjectWords(tx, project.id, words)
  })
}

/** `deletedMs` is how long texts are deleted at once. */
type Removal = { withTexts: boolean; isDryRun: boolean; deletedMs: number }

/**
 * Deletes a project; its transcripts stay in the library, or go first. Returns what would go, or what is left to go
 * before the project can; null where the account has none such.
 */
export async function removeProject(
  db: Db,
  owned: ProjectKey,
  { withTexts, isDryRun, deletedMs }: Removal,
): Promise<Deletion | 'removed' | null> {
  const { accountId, projectId: collectionId } = owned
  if ((await findProject(db, owned)) === null) return null
  if (isDryRun) return withTexts ? planDeletion(db, accountId, { collectionId }) : NOTHING_GOES
  const gone = withTexts ? await deleteTexts(db, accountId, { collectionId }, deletedMs) : null
  if (gone?.left != null) return gone.left
  return transact(db, async (tx) => {
    if ((await findProject(tx, owned, 'locked')) === null) return null
    await deleteProjectVideos(tx, owned.projectId)
    await deleteProjectRow(tx, owned.projectId)
    return 'removed'
  })
}

/** Videos to add: by their rows, all that a job or batch brought, or all of a collection that match. */
export type ProjectAddition =
  | { videos: RowKey[] }
  | { jobId: string }
  | { batchId: string }
  | { collectionId: string; title: string | null; language: string | null }

/** `refused` has the first of them only; `refusals` counts all. */
type AddedVideos = {
  added: number
  present: number
  refusals: number
  refused: (RowKey & { reason: string })[]
}

/**
 * Adds what is delivered; the others are refused, each with the reason, and what is there already counts as present.
 * Returns null where the account has no such project, job, batch or collection. Throws a Problem where the project
 * would hold too many. The database finds the texts and takes them up: what comes here is what the caller is told.
 */
export function addToProject(
  db: Db,
  owned: ProjectKey,
  addition: ProjectAddition,
): Promise<AddedVideos | null> {
  return transact(db, async (tx) => {
    if ((await findProject(tx, owned, 'locked')) === null) return null
    const offer = await offerOf(tx, owned.accountId, addition)
    if (offer === null) return null
    const found = await insertProjectVideos(tx, owned, offer)
    // A collection's rows are cut at one more than a project holds, those that cannot be taken included.
    const most = 'collection' in offer ? found.offered : found.taken
    if (most > LIMITS.projectVideosMax) throw tooManyVideos()
    if (found.added > 0 && (await recountProject(tx, owned.projectId)) > LIMITS.projectVideosMax)
      throw tooManyVideos()
    const { added, taken, refusals } = found
    return { added, present: taken - added, refusals, refused: found.refused.map(withReason) }
  })
}

function tooManyVideos(): Problem {
  return new Problem('invalid_request', {
    message: `A project holds at most ${LIMITS.projectVideosMax.toLocaleString('en')} videos; nothing was added.`,
    field: 'videos',
  })
}

/** Returns where the database finds what is to be added; null where the account has no such thing. */
async function offerOf(
  tx: Tx,
  accountId: string,
  addition: ProjectAddition,
): Promise<Offer | null> {
  if ('videos' in addition) return addition
  if ('collectionId' in addition) {
    const { collectionId: id, title, language } = addition
    const collection = await findCollection(tx, { accountId, id })
    return collection === null ? null : { collection, title, language }
  }
  if ('jobId' in addition) {
    const job = await findJob(tx, { accountId, jobId: addition.jobId })
    return job === null ? null : offerOfJobs(tx, accountId, { wish: job, jobIds: [job.id] })
  }
  const batch = await findBatch(tx, { accountId, batchId: addition.batchId })
  if (batch === null) return null
  const jobIds = (await listBatchJobs(tx, accountId, [batch])).map(({ id }) => id)
  return offerOfJobs(tx, accountId, { wish: batch, jobIds })
}

/** Offers the texts of jobs' rows, also those that other orders delivered. */
async function offerOfJobs(
  tx: Tx,
  accountId: string,
  { wish, jobIds }: { wish: TextWish; jobIds: string[] },
): Promise<Offer> {
  if (wish.language.toLowerCase() === ORIGINAL) return { jobIds, meeting: { wish, codes: null } }
  const known = await listLanguagesBehind(tx, { accountId, jobIds })
  return {
    jobIds,
    meeting: { wish, codes: known.filter((code) => meetsWish(code, wish.language)) },
  }
}

function withReason({ jobId, index, textsDeletedAt, ...row }: RefusedOffer) {
  const deletedAt = textsDeletedAt === null ? null : new Date(textsDeletedAt)
  return { jobId, index, reason: refusalOfRow({ ...row, textsDeletedAt: deletedAt }) }
}

/** Takes a video out, in all of its languages; false where there is no such project, or the video is not in it. */
export function takeFromProject(db: Db, owned: ProjectKey, videoId: string): Promise<boolean> {
  return transact(db, async (tx) => {
    if ((await findProject(tx, owned, 'locked')) === null) return false
    if ((await deleteProjectVideo(tx, owned, videoId)) === 0) return false
    await recountProject(tx, owned.projectId)
    return true
  })
}
