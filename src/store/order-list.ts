/** Orders of an account, from the tables `job` and `batch`: a batch stands for its jobs while it is kept. */
import { type RawBuilder, sql } from 'kysely'
import { type Db, query } from './database.ts'
import { TITLED_LINES } from './job-titles.ts'
import type { PageOfAccount } from './jobs.ts'

/** Returns how many jobs and batches the list has. The jobs of batches are counted: as many as kept batches have. */
export async function countOrders(db: Db, accountId: string): Promise<number> {
  return query<{ orders: number }>`
    select (a.jobs + (select count(*) from batch where account_id = a.id) - (
      select count(*) from batch b
      join job j on j.starter_id = b.id and j.account_id = b.account_id where b.account_id = a.id
    ))::int as orders from account a where a.id = ${accountId}
  `.value(db)
}

/** An order of a list: a job, or a batch with its jobs. */
type OrderPlace = { id: string; isBatch: boolean }

/**
 * SQL for the newest orders: of either table only so many are looked at. The batch of a job is looked up by its id: for
 * "not exists" the database would rather read the batches of all accounts.
 */
function newestOrders(accountId: string, most: number): RawBuilder<unknown> {
  const newest = sql`order by created_at desc, id desc limit ${most}`
  return sql`(
    (select created_at, id, true as "isBatch", state, name, null::text as note, urls from batch
      where account_id = ${accountId} ${newest})
    union all
    (select created_at, id, false, state, given_name, note, urls from job j
      where account_id = ${accountId} and (started_by is distinct from 'batch'
        or (select b.id from batch b where b.id = j.starter_id and b.account_id = j.account_id) is null) ${newest})
  ) one`
}

/** Returns the page's orders, newest first. */
export async function listOrders(
  db: Db,
  { accountId, offset, limit }: PageOfAccount,
): Promise<OrderPlace[]> {
  return query<OrderPlace>`
    select id, "isBatch" from ${newestOrders(accountId, offset + limit)}
    order by created_at desc, id desc limit ${limit} offset ${offset}
  `.rows(db)
}

/** States of jobs and batches, and a text that stands in a name, note, line or title; null is any. */
export type OrderFilter = { states: readonly string[] | null; words: string | null }

/** Returns the page of those among the account's newest `most` orders that match, and how many do. */
export async function searchOrders(
  db: Db,
  { accountId, offset, limit, most }: PageOfAccount & { most: number },
  { states, words }: OrderFilter,
): Promise<{ total: number; places: OrderPlace[] }> {
  // A batch is called by the lines of its first job.
  const ofOrder = sql`case when "isBatch" then (select j.id from job j where j.account_id = ${accountId}
    and j.starter_id = one.id order by j.created_at, j.id limit 1) else one.id end`
  const has = (text: RawBuilder<unknown>) => sql`strpos(lower(${text}), lower(${words}::text)) > 0`
  return query<{ total: number; places: OrderPlace[] }>`
    with newest as materialized (
      select * from ${newestOrders(accountId, most)} order by created_at desc, id desc limit ${most}
    ), matching as materialized (
      select created_at, id, "isBatch" from newest one
      where (${states}::text[] is null or state = any(${states}::text[])) and (${words}::text is null
        or ${has(sql`concat_ws(chr(10), name, note, array_to_string(urls, chr(10)))`)}
        or exists (select from ${sql.raw(TITLED_LINES)} = ${ofOrder} and ${has(sql`named.title`)}))
    )
    select (select count(*)::int from matching) as total, coalesce((
      select json_agg(json_build_object('id', id, 'isBatch', "isBatch") order by created_at desc, id desc)
      from (select * from matching order by created_at desc, id desc limit ${limit} offset ${offset}) page
    ), '[]') as places
  `.onlyRow(db)
}
