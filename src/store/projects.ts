/** The tables `project` and `project_video`: collections of an account's own, and the rows that hold their texts. */
import { sql } from 'kysely'
import { type Executor, run, statement } from '../kit/postgres/statement.ts'
import type { Collection } from '../model/library/collection.ts'
import {
  collectionOfProject,
  type OfferedRow,
  type Project,
  type ProjectSums,
  type ProjectWords,
} from '../model/library/project.ts'
import { type Db, query, type Tx } from './database.ts'
import type { PageOfAccount } from './jobs.ts'

export type ProjectKey = { accountId: string; projectId: string }

const COLUMNS = sql`id, name, note, tags, videos, created_at as "createdAt", changed_at as "changedAt"`

export async function insertProject(
  tx: Tx,
  { accountId, projectId }: ProjectKey,
  { name, note, tags }: ProjectWords,
): Promise<Project> {
  return query<Project>`
    insert into project (id, account_id, name, note, tags)
    values (${projectId}, ${accountId}, ${name}, ${note}, ${tags}) returning ${COLUMNS}
  `.onlyRow(tx)
}

export async function countProjects(db: Db, accountId: string): Promise<number> {
  return query<{ count: number }>`
    select count(*)::int as count from project where account_id = ${accountId}
  `.value(db)
}

/** Returns a page of the account's projects, the last changed first. */
export async function listProjects(
  db: Db,
  { accountId, offset, limit }: PageOfAccount,
): Promise<Project[]> {
  return query<Project>`
    select ${COLUMNS} from project where account_id = ${accountId}
    order by changed_at desc, id limit ${limit} offset ${offset}
  `.rows(db)
}

export async function findProject(
  db: Db,
  { accountId, projectId }: ProjectKey,
): Promise<Project | null> {
  return query<Project>`
    select ${COLUMNS} from project where id = ${projectId} and account_id = ${accountId}
  `.firstRow(db)
}

/** Returns the project as a collection; null where the account has none such. */
export async function findProjectCollection(db: Db, owned: ProjectKey): Promise<Collection | null> {
  const [project, sums] = await Promise.all([
    findProject(db, owned),
    query<ProjectSums>`
      select coalesce(array_agg(distinct language_code order by language_code), '{}') as languages,
        max(published_at) as "newestAt", min(published_at) as "oldestAt"
      from project_video where project_id = ${owned.projectId} and account_id = ${owned.accountId}
    `.onlyRow(db),
  ])
  return project === null ? null : collectionOfProject(project, sums)
}

/** Locks a project; returns null where the account has none such. */
export async function lockProject(
  tx: Tx,
  { accountId, projectId }: ProjectKey,
): Promise<Project | null> {
  return query<Project>`
    select ${COLUMNS} from project where id = ${projectId} and account_id = ${accountId} for no key update
  `.firstRow(tx)
}

/** Changes what a locked project is called and what is noted about it. */
export async function setProjectWords(
  tx: Tx,
  projectId: string,
  { name, note, tags }: ProjectWords,
): Promise<Project> {
  return query<Project>`
    update project set name = ${name}, note = ${note}, tags = ${tags}, changed_at = now()
    where id = ${projectId} returning ${COLUMNS}
  `.onlyRow(tx)
}

export async function deleteProjectRow(tx: Tx, projectId: string): Promise<void> {
  await query`delete from project_video where project_id = ${projectId}`.rowCount(tx)
  await query`delete from project where id = ${projectId}`.rowCount(tx)
}

/** Returns the rows of these that the account has, in no order. */
export async function listOfferedRows(
  db: Db,
  accountId: string,
  wanted: readonly { jobId: string; index: number }[],
): Promise<OfferedRow[]> {
  const jobIds = wanted.map(({ jobId }) => jobId)
  const indexes = wanted.map(({ index }) => index)
  return query<OfferedRow>`
    select r.job_id as "jobId", r.index, r.status, r.video_id as "videoId", r.language_code as "languageCode",
      r.track_kind as "trackKind", r.published_at as "publishedAt", j.texts_deleted_at as "textsDeletedAt"
    from unnest(${jobIds}::text[], ${indexes}::int[]) as wanted (job_id, index)
    join job j on j.id = wanted.job_id and j.account_id = ${accountId}
    join video_row r on r.job_id = wanted.job_id and r.index = wanted.index
  `.rows(db)
}

/** A row that goes into a project; `publishedAt` is an instant in ISO 8601. */
export type TakenRow = {
  jobId: string
  index: number
  videoId: string
  languageCode: string
  trackKind: string
  publishedAt: string | null
}

/**
 * Adds rows to a locked project. A text that stands in it already stays, unless it was removed since. Returns how many
 * came to it.
 */
export async function insertProjectVideos(
  tx: Tx,
  { accountId, projectId }: ProjectKey,
  rows: readonly TakenRow[],
): Promise<number> {
  return query`
    insert into project_video as v
      (account_id, project_id, video_id, language_code, track_kind, job_id, index, published_at)
    select distinct on (t.video_id, t.language_code, t.track_kind) ${accountId}, ${projectId}, t.*
    from unnest(${rows.map((row) => row.videoId)}::text[], ${rows.map((row) => row.languageCode)}::text[],
      ${rows.map((row) => row.trackKind)}::text[], ${rows.map((row) => row.jobId)}::text[],
      ${rows.map((row) => row.index)}::int[], ${rows.map((row) => row.publishedAt)}::timestamptz[])
      as t (video_id, language_code, track_kind, job_id, index, published_at)
    order by t.video_id, t.language_code, t.track_kind, t.job_id
    on conflict (project_id, video_id, language_code, track_kind) do update
    set job_id = excluded.job_id, index = excluded.index, published_at = excluded.published_at
    where exists (select from job j where j.id = v.job_id and j.texts_deleted_at is not null)
  `.rowCount(tx)
}

/** Takes a video out of a locked project, in all of its languages. Returns how many texts left. */
export async function deleteProjectVideo(
  tx: Tx,
  { accountId, projectId }: ProjectKey,
  videoId: string,
): Promise<number> {
  return query`
    delete from project_video
    where project_id = ${projectId} and account_id = ${accountId} and video_id = ${videoId}
  `.rowCount(tx)
}

/** Counts the texts of a locked project anew, and notes that it changed. Returns how many there are. */
export async function recountProject(tx: Tx, projectId: string): Promise<number> {
  return query<{ videos: number }>`
    update project set changed_at = now(),
      videos = (select count(*)::int from project_video v where v.project_id = project.id)
    where id = ${projectId} returning videos
  `.value(tx)
}

/** $1: the account, $2: the project. */
const LIST_PROJECT_TEXTS = statement<{ videoId: string; textHash: string | null }>(
  'list-project-texts',
  `select v.video_id as "videoId", t.text_hash as "textHash" from project_video v
  left join transcript t on t.job_id = v.job_id and t.index = v.index
  where v.account_id = $1 and v.project_id = $2`,
)

/** Returns what tells a project's texts from all others of the account: the video and the hash of its words. */
export function listProjectTexts(
  db: Executor,
  { accountId, projectId }: ProjectKey,
): Promise<{ videoId: string; textHash: string | null }[]> {
  return run(db, LIST_PROJECT_TEXTS, [accountId, projectId])
}
