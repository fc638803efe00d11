/** The table `project`: collections of an account's own, of the rows in `project_video`. */
import { sql } from 'kysely'
import type { Project, ProjectWords } from '../model/library/project.ts'
import { type Db, lockedIf, query, type Tx } from './database.ts'
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

/** Returns null where the account has no such project. */
export async function findProject(
  db: Db,
  { accountId, projectId }: ProjectKey,
  lock?: 'locked',
): Promise<Project | null> {
  return query<Project>`
    select ${COLUMNS} from project where id = ${projectId} and account_id = ${accountId} ${lockedIf(lock)}
  `.firstRow(db)
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

/** Deletes a locked project that holds no texts any more. */
export async function deleteProjectRow(tx: Tx, projectId: string): Promise<void> {
  await query`delete from project where id = ${projectId}`.rowCount(tx)
}

/** Counts the texts of a locked project anew, and notes that it changed. Returns how many there are. */
export async function recountProject(tx: Tx, projectId: string): Promise<number> {
  return query<{ videos: number }>`
    update project set changed_at = now(),
      videos = (select count(*)::int from project_video v where v.project_id = project.id)
    where id = ${projectId} returning videos
  `.value(tx)
}
