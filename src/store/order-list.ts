/** Orders of an account, from the tables `job` and `batch`: a batch stands for its jobs while it is kept. */
import { sql } from 'kysely'
import { type Db, query } from './database.ts'
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

/** Returns the page's orders, newest first. Of either table only what stands before the page's end is looked at. */
export async function listOrders(
  db: Db,
  { accountId, offset, limit }: PageOfAccount,
): Promise<OrderPlace[]> {
  const newest = sql`order by created_at desc, id desc limit ${offset + limit}`
  return query<OrderPlace>`
    select id, "isBatch" from (
      (select created_at, id, true as "isBatch" from batch where account_id = ${accountId} ${newest})
      union all
      (select created_at, id, false from job j where account_id = ${accountId} and (started_by is distinct from 'batch'
        or not exists (select from batch b where b.id = j.starter_id and b.account_id = j.account_id)) ${newest})
    ) one order by created_at desc, id desc limit ${limit} offset ${offset}
  `.rows(db)
}
