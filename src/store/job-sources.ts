/**
 * The tables `job_source` and `list_bookmark`: how far each line of a job has been listed, and where a job with the
 * same URLs continues.
 */
import { sql } from 'kysely'
import { run, statement } from '../kit/postgres/statement.ts'
import type { DateInstants } from '../model/jobs/date-bounds.ts'
import type { Source } from '../model/platform/source.ts'
import { type Db, hashedKey, query, type Tx } from './database.ts'

/** The progress of a source's listing. */
export type SourceMove = {
  /** The line's place in the request, from 1. */
  position: number
  state: 'waiting' | 'listing' | 'listed'
  /** The cursor of the next page while listing; null before the first page. */
  cursor: string | null
  /** The copy of the list that planning reads and adds to; null where there is none. */
  copyId: string | null
  /** The list's first videos; null before the first page. */
  heads: string[] | null
  /** Videos seen so far, duplicates included. */
  listed: number
}

export type SourceProgress = SourceMove & {
  line: string
  /** The line as it was read when it came in; null where the release before took it. */
  source: Source | null
  /** Whether the job was started from a preview, so that the pages the preview read may be read again. */
  isPreviewed: boolean
}

/** The columns of a SourceProgress. */
export const PROGRESS_COLUMNS = `position, line, source, state, cursor, copy_id as "copyId", heads, listed,
  is_previewed as "isPreviewed"`

const LIST_SOURCES = statement<SourceProgress>(
  'list-sources',
  `select ${PROGRESS_COLUMNS} from job_source where job_id = $1 order by position`,
)

export async function listSources(db: Db, jobId: string): Promise<SourceProgress[]> {
  return run(db, LIST_SOURCES, [jobId])
}

/** Notes which collection a source's list is, once its first page was read. */
export async function setCollection(
  tx: Tx,
  { jobId, position, collectionId }: { jobId: string; position: number; collectionId: string },
): Promise<void> {
  await sql`
    update job_source set collection_id = ${collectionId} where job_id = ${jobId} and position = ${position}
  `.execute(tx)
}

/** A list of an account's URL set, read with these date bounds: other bounds let other videos in. */
export type BookmarkPlace = {
  accountId: string
  urlSetHash: string
  line: string
  bounds: DateInstants
  /** The wish whose owned videos the job passed over; null where it leaves out none, so that it buys them later. */
  skippedWish: string | null
}

export type Bookmark = {
  /** The list's first videos when reading began: everything from one of them up to `cursor` was read. */
  heads: string[]
  cursor: string
  /** How many videos come before the cursor. */
  listed: number
}

export async function findBookmark(db: Db, place: BookmarkPlace): Promise<Bookmark | null> {
  const { afterAt, beforeAt } = place.bounds
  return query<Bookmark>`
    select heads, cursor, listed from list_bookmark where ${isAt(place)}
      and after_at is not distinct from ${afterAt} and before_at is not distinct from ${beforeAt}
  `.firstRow(db)
}

/** SQL for a condition that only the bookmark of a list meets, whatever its date bounds are. */
function isAt(place: BookmarkPlace) {
  const { accountId, urlSetHash } = place
  return sql`account_id = ${accountId} and url_set_hash = ${urlSetHash} and line_hash = ${lineHash(place)}`
}

/** A line holds no break, so that no two places have one key. */
function lineHash({ line, skippedWish }: BookmarkPlace): Buffer {
  return hashedKey(skippedWish === null ? line : `${skippedWish}\n${line}`)
}

export async function keepBookmark(
  tx: Tx,
  place: BookmarkPlace,
  { heads, cursor, listed }: Bookmark,
): Promise<void> {
  const { accountId, urlSetHash, bounds } = place
  await sql`
    insert into list_bookmark (account_id, url_set_hash, line_hash, after_at, before_at, heads, cursor, listed)
    values (${accountId}, ${urlSetHash}, ${lineHash(place)}, ${bounds.afterAt}, ${bounds.beforeAt}, ${heads}, ${cursor}, ${listed})
    on conflict (account_id, url_set_hash, line_hash) do update
    set after_at = excluded.after_at, before_at = excluded.before_at, heads = excluded.heads, cursor = excluded.cursor,
      listed = excluded.listed, kept_at = excluded.kept_at
  `.execute(tx)
}

export async function dropBookmark(tx: Tx, place: BookmarkPlace): Promise<void> {
  await sql`delete from list_bookmark where ${isAt(place)}`.execute(tx)
}
