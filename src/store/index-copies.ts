/** Copies of search indexes in the object store of texts: what each has, and which are due. */
import type pg from 'pg'
import { run, statement } from '../kit/postgres/statement.ts'

/** A copy: objects of its name and their number, with the CRC-32 of each; `format`: which processes can use it. */
type IndexCopy = { object: string; format: string; bytes: number; parts: number[] }

const FIND_INDEX_COPY = statement<IndexCopy & { folder: string }>(
  'find-index-copy',
  `select c.object, c.format, c.bytes::float8 as bytes, c.parts, s.folder
  from index_copy c join account a on a.id = c.account_id and a.lost_texts = c.lost_texts cross join text_store s
  where c.account_id = $1 and c.format = $2`,
)

/** Returns the account's copy, unless it has words of deleted texts or is of another format. */
export async function findIndexCopy(pool: pg.Pool, accountId: string, format: string) {
  const [found] = await run(pool, FIND_INDEX_COPY, [accountId, format])
  return found ?? null
}

const LIST_COPIES_DUE = statement<{ id: string }>(
  'list-index-copies-due',
  `select a.id from account a left join index_copy c
    on c.account_id = a.id and c.format = $2 and c.lost_texts = a.lost_texts
  where a.id = any($1::text[]) and a.texts >= $3 and a.texts >= coalesce(1.5 * c.texts, 0) order by a.id limit $4`,
)

/** Returns those of the accounts that have at least `texts`, and half as many more than when they were copied. */
export function listCopiesDue(
  pool: pg.Pool,
  asked: { accountIds: readonly string[]; format: string; texts: number; limit: number },
): Promise<{ id: string }[]> {
  return run(pool, LIST_COPIES_DUE, [asked.accountIds, asked.format, asked.texts, asked.limit])
}

const RECORD_INDEX_COPY = statement<{ object: string }>(
  'record-index-copy',
  `insert into index_copy as c (account_id, object, format, bytes, parts, texts, lost_texts)
  select id, $2::uuid, $3, $4::bigint, $5::float8[], texts, lost_texts from account where id = $1 and lost_texts = $6::int
  on conflict (account_id) do update set object = excluded.object, format = excluded.format, bytes = excluded.bytes,
    parts = excluded.parts, texts = excluded.texts, lost_texts = excluded.lost_texts
  returning object`,
)

/** Notes a copy, in the place of the one before, unless texts were deleted since `lostTexts` were. */
export async function recordIndexCopy(
  pool: pg.Pool,
  accountId: string,
  { object, format, bytes, parts, lostTexts }: IndexCopy & { lostTexts: number },
): Promise<void> {
  await run(pool, RECORD_INDEX_COPY, [accountId, object, format, bytes, parts, lostTexts])
}

const DELETE_INDEX_COPY = statement<{ object: string }>(
  'delete-index-copy',
  `delete from index_copy where account_id = $1 returning object`,
)

/** Forgets a copy that led to a wrong index. */
export async function deleteIndexCopy(pool: pg.Pool, accountId: string): Promise<void> {
  await run(pool, DELETE_INDEX_COPY, [accountId])
}

const DELETE_STALE_COPIES = statement<{ object: string }>(
  'delete-stale-index-copies',
  `delete from index_copy c using account a where a.id = c.account_id and a.lost_texts <> c.lost_texts returning c.object`,
)

/** Forgets copies with words of deleted texts; the sweep of packs removes their objects. */
export async function deleteStaleCopies(pool: pg.Pool): Promise<void> {
  await run(pool, DELETE_STALE_COPIES, [])
}
