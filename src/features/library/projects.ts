/** Projects: made, named, filled from what was delivered, and deleted. Nothing here costs anything. */
import { randomUUID } from 'node:crypto'
import { LIMITS } from '../../kit/config/config.ts'
import { transact } from '../../kit/postgres/database.ts'
import type { PageRequest } from '../../kit/page.ts'
import { Problem } from '../../kit/problem.ts'
import { visibleLine } from '../../kit/text/invisible.ts'
import { jobNoteFrom } from '../../model/jobs/job-name.ts'
import {
  type OfferedRow,
  type Project,
  type ProjectWords,
  refusalOfRow,
  tagsFrom,
} from '../../model/library/project.ts'
import { lockAccount } from '../../store/accounts.ts'
import { type BatchKey, findBatch, listBatchJobs } from '../../store/batches.ts'
import { findCollection, instantOf } from '../../store/collections.ts'
import type { Db } from '../../store/database.ts'
import { findJob } from '../../store/jobs.ts'
import { listLibraryRows, listTextsOfJob, listUnchangedVideos } from '../../store/library-rows.ts'
import {
  countProjects,
  deleteProjectRow,
  deleteProjectVideo,
  findProject,
  insertProject,
  insertProjectVideos,
  listOfferedRows,
  listProjects,
  lockProject,
  type ProjectKey,
  recountProject,
  setProjectWords,
} from '../../store/projects.ts'
import { findOwned } from '../jobs/owned-videos.ts'

export { findProject }

/** What a caller says of a project; left out is what stays, null or a blank note what goes. */
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
    const project = await lockProject(tx, owned)
    if (project === null) return null
    const words: ProjectWords = {
      name: change.name === undefined ? project.name : nameFrom(change.name),
      note: change.note === undefined ? project.note : jobNoteFrom(change.note),
      tags: change.tags === undefined ? project.tags : tagsFrom(change.tags),
    }
    return setProjectWords(tx, project.id, words)
  })
}

/** Deletes a project; its transcripts stay in the library. Returns false where the account has none such. */
export function removeProject(db: Db, owned: ProjectKey): Promise<boolean> {
  return transact(db, async (tx) => {
    if ((await lockProject(tx, owned)) === null) return false
    await deleteProjectRow(tx, owned.projectId)
    return true
  })
}

type NamedVideo = { jobId: string; index: number }

/** What is to be added: videos by their rows, all that a job or batch brought, or all of a collection that match. */
export type ProjectAddition =
  | { videos: NamedVideo[] }
  | { jobId: string }
  | { batchId: string }
  | { collectionId: string; title: string | null; language: string | null }

/** `refused` has the first of them only; `refusals` counts all. */
export type AddedVideos = {
  added: number
  present: number
  refusals: number
  refused: (NamedVideo & { reason: string })[]
}

/** The largest index: the database's int. */
const INDEX_MAX = 2 ** 31 - 1

/**
 * Adds what is delivered; the others are refused, each with the reason, and what is there already counts as present.
 * Returns null where the account has no such project, job, batch or collection. Throws a Problem where the project
 * would hold too many.
 */
export async function addToProject(
  db: Db,
  owned: ProjectKey,
  addition: ProjectAddition,
): Promise<AddedVideos | null> {
  const wanted = await listWanted(db, owned.accountId, addition)
  if (wanted === null) return null
  const askable = wanted.filter(({ index }) => index <= INDEX_MAX)
  return transact(db, async (tx) => {
    if ((await lockProject(tx, owned)) === null) return null
    const offered = await listOfferedRows(tx, owned.accountId, askable)
    const { taken, refused } = sorted(wanted, offered)
    const added = await insertProjectVideos(tx, owned, taken)
    if (added > 0 && (await recountProject(tx, owned.projectId)) > LIMITS.projectVideosMax)
      throw tooManyVideos()
    const shown = refused.slice(0, LIMITS.projectVideosNamedMax)
    return { added, present: taken.length - added, refusals: refused.length, refused: shown }
  })
}

function tooManyVideos(): Problem {
  return new Problem('invalid_request', {
    message: `A project holds at most ${LIMITS.projectVideosMax.toLocaleString('en')} videos; nothing was added.`,
    field: 'videos',
  })
}

async function listWanted(
  db: Db,
  accountId: string,
  addition: ProjectAddition,
): Promise<NamedVideo[] | null> {
  if ('videos' in addition) return addition.videos
  if ('jobId' in addition) return listTextsBehind(db, { accountId, jobId: addition.jobId })
  if ('batchId' in addition) return listTextsOfBatch(db, { accountId, batchId: addition.batchId })
  const { collectionId, title, language } = addition
  if ((await findCollection(db, { accountId, id: collectionId })) === null) return null
  const filter = { statuses: ['success'], title, language }
  const page = { offset: 0, limit: LIMITS.projectVideosMax + 1 }
  const { rows } = await listLibraryRows(db, { accountId, collectionId }, filter, page)
  if (rows.length > LIMITS.projectVideosMax) throw tooManyVideos()
  return rows
}

async function listTextsOfBatch(
  db: Db,
  { accountId, batchId }: BatchKey,
): Promise<NamedVideo[] | null> {
  const batch = await findBatch(db, { accountId, batchId })
  if (batch === null) return null
  const texts: NamedVideo[] = []
  for (const { id: jobId } of await listBatchJobs(db, accountId, [batch]))
    texts.push(...((await listTextsBehind(db, { accountId, jobId })) ?? []))
  return texts
}

/** Returns the texts of a job's rows, also those that other orders delivered; null where there is no such job. */
async function listTextsBehind(
  db: Db,
  { accountId, jobId }: { accountId: string; jobId: string },
): Promise<NamedVideo[] | null> {
  const job = await findJob(db, { accountId, jobId })
  if (job === null) return null
  const own = await listTextsOfJob(db, { jobId, doneAfter: 0, doneMax: job.processed })
  const videoIds = await listUnchangedVideos(db, jobId)
  const owned = await findOwned(db, { accountId, language: job.language, videoIds })
  return [...own, ...owned.values()]
}

/** Tells rows that can be taken up, each text once, from those that cannot. */
function sorted(wanted: readonly NamedVideo[], offered: readonly OfferedRow[]) {
  const byKey = new Map(offered.map((row) => [keyOf(row), row]))
  const taken = new Map<string, TakenText>()
  const refused: AddedVideos['refused'] = []
  for (const [key, { jobId, index }] of new Map(wanted.map((row) => [keyOf(row), row]))) {
    const row = byKey.get(key)
    const reason = row === undefined ? 'Your account has no such row.' : refusalOfRow(row)
    if (reason !== null) refused.push({ jobId, index, reason })
    else if (row !== undefined) {
      const text = textOf(row)
      taken.set(`${text.videoId} ${text.languageCode} ${text.trackKind}`, text)
    }
  }
  return { taken: [...taken.values()], refused }
}

type TakenText = ReturnType<typeof textOf>

function textOf({ jobId, index, videoId, languageCode, trackKind, publishedAt }: OfferedRow) {
  return {
    jobId,
    index,
    videoId: videoId ?? '',
    languageCode: languageCode ?? '',
    trackKind: trackKind ?? '',
    publishedAt: instantOf(publishedAt),
  }
}

function keyOf({ jobId, index }: NamedVideo): string {
  return `${jobId} ${index}`
}

/** Takes a video out, in all of its languages; false where there is no such project, or the video is not in it. */
export function takeFromProject(db: Db, owned: ProjectKey, videoId: string): Promise<boolean> {
  return transact(db, async (tx) => {
    if ((await lockProject(tx, owned)) === null) return false
    if ((await deleteProjectVideo(tx, owned, videoId)) === 0) return false
    await recountProject(tx, owned.projectId)
    return true
  })
}
