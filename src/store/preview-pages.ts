/** The table `preview_page`: pages of lists that an account's previews listed within the hour. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from './database.ts'

/** `listKey`: the list as its line names it. `cursor` null: the first page. */
export type PreviewPlace = { accountId: string; listKey: string; cursor: string | null }

/** Null where no preview listed that page, or too long ago. */
export async function findPreviewPage(
  db: Db,
  { accountId, listKey, cursor }: PreviewPlace,
  maxSeconds: number,
): Promise<Buffer | null> {
  const { rows } = await sql<{ body: Buffer }>`
    select body from preview_page
    where account_id = ${accountId} and list_key = ${listKey} and place = ${placeOf(cursor)}
      and asked_at > now() - make_interval(secs => ${maxSeconds}::double precision)
  `.execute(db)
  return rows[0]?.body ?? null
}

/** Adds a page, or replaces it. */
export async function insertPreviewPage(
  db: Db,
  { accountId, listKey, cursor }: PreviewPlace,
  body: Buffer,
): Promise<void> {
  await sql`
    insert into preview_page (account_id, list_key, place, body)
    values (${accountId}, ${listKey}, ${placeOf(cursor)}, ${body})
    on conflict (account_id, list_key, place) do update set asked_at = now(), body = excluded.body
  `.execute(db)
}

/** Forgets pages that are too old. */
export async function sweepPreviewPages(
  db: Db,
  { maxSeconds, rowsMax }: { maxSeconds: number; rowsMax: number },
): Promise<void> {
  await sql`
    delete from preview_page where (account_id, list_key, place) in (
      select account_id, list_key, place from preview_page
      where asked_at <= now() - make_interval(secs => ${maxSeconds}::double precision)
      order by asked_at limit ${rowsMax})
  `.execute(db)
}

/** Cursors are long; the first page has none. */
function placeOf(cursor: string | null): Buffer {
  return cursor === null ? Buffer.alloc(0) : createHash('sha256').update(cursor).digest()
}
