/** The table `list_bookmark`: where the same URLs go on in a list that an account could not read to its end. */
import { sql } from 'kysely'
import type { DateBounds } from '../jobs/date-bounds.ts'
import type { Db, Tx } from '../postgres/database.ts'

/** Whose list, and seen with which bounds: other bounds let other videos in. */
export type BookmarkPlace = {
  accountId: string
  urlSetHash: string
  line: string
  bounds: DateBounds
}

export type Bookmark = {
  /** The list's first videos when it was begun: from one of them on, everything up to `cursor` was read. */
  heads: string[]
  cursor: string
  /** Videos before the cursor. */
  listed: number
}

export async function findBookmark(
  db: Db,
  { accountId, urlSetHash, line, bounds }: BookmarkPlace,
): Promise<Bookmark | null> {
  const { rows } = await sql<Bookmark>`
    select heads, cursor, listed from list_bookmark
    where account_id = ${accountId} and url_set_hash = ${urlSetHash} and line_hash = ${hashOf(line)}
      and after_at is not distinct from ${bounds.afterAt}::timestamptz
      and before_at is not distinct from ${bounds.beforeAt}::timestamptz
  `.execute(db)
  return rows[0] ?? null
}

export async function keepBookmark(
  tx: Tx,
  { accountId, urlSetHash, line, bounds }: BookmarkPlace,
  { heads, cursor, listed }: Bookmark,
): Promise<void> {
  await sql`
    insert into list_bookmark (account_id, url_set_hash, line_hash, after_at, before_at, heads, cursor, listed)
    values (${accountId}, ${urlSetHash}, ${hashOf(line)}, ${bounds.afterAt}, ${bounds.beforeAt}, ${heads}, ${cursor}, ${listed})
    on conflict (account_id, url_set_hash, line_hash) do update
    set after_at = excluded.after_at, before_at = excluded.before_at, heads = excluded.heads,
      cursor = excluded.cursor, listed = excluded.listed, kept_at = excluded.kept_at
  `.execute(tx)
}

export async function dropBookmark(
  tx: Tx,
  { accountId, urlSetHash, line }: BookmarkPlace,
): Promise<void> {
  await sql`
    delete from list_bookmark
    where account_id = ${accountId} and url_set_hash = ${urlSetHash} and line_hash = ${hashOf(line)}
  `.execute(tx)
}

export async function sweepBookmarks(
  db: Db,
  { keptDays, rowsMax }: { keptDays: number; rowsMax: number },
): Promise<void> {
  await sql`
    delete from list_bookmark where (account_id, url_set_hash, line_hash) in (
      select account_id, url_set_hash, line_hash from list_bookmark
      where kept_at < now() - make_interval(days => ${keptDays}) order by kept_at limit ${rowsMax})
  `.execute(db)
}

function hashOf(line: string) {
  return sql`sha256(convert_to(${line}, 'UTF8'))`
}
