/**
 * The table `accounts_at_work`, and what else a new job meets: how long jobs take, and duplicates.
 *
 * An account is at work while it has open jobs; ledger.ts counts those beside its balance. The accounts at
 * work are counted in shards, by their ids. Whoever makes an account come or leave holds the row of its shard until the
 * commit, so of each shard at most one change is not visible yet.
 */
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { run, statement } from '../kit/postgres/statement.ts'
import type { Db, Tx } from './database.ts'

/** As many as accounts may come at the same moment without waiting for one another; 0031 and 0043 repeat it. */
export const SHARDS = 16

/** Counts the account $1 in its shard, which is the same in every process and version. */
export const COME_TO_WORK = statement<{ accounts: number }>(
  'come-to-work',
  `insert into accounts_at_work as a (shard, accounts)
  values (get_byte(sha256(convert_to($1, 'UTF8')), 0) % ${SHARDS}, 1)
  on conflict (shard) do update set accounts = a.accounts + 1
  returning count_accounts_at_work() as accounts`,
)

/** Counts the account as at work; its balance is locked. Gives how many are, of the moment its shard's row was had. */
export async function comeToWork(tx: Tx, accountId: string): Promise<number> {
  const [row] = await run(tx, COME_TO_WORK, [accountId])
  assert(row !== undefined, 'an account that comes to work is counted')
  return row.accounts
}

/** From here to the end of the transaction no other account comes to work or leaves, and all that did is visible. */
export async function lockAccountsAtWork(tx: Tx): Promise<void> {
  await sql`lock table accounts_at_work in exclusive mode`.execute(tx)
}

/** Accounts whose balance counts another number of open jobs than they have, also where they have none. */
export async function findMiscounted(db: Db, limit: number): Promise<string[]> {
  const { rows } = await sql<{ accountId: string }>`
    select b.account_id as "accountId" from balance b left join (
      select account_id, count(*)::int as jobs from job
      where state in ('queued', 'running', 'cancelling') group by account_id
    ) o on o.account_id = b.account_id
    where b.open_jobs <> coalesce(o.jobs, 0) limit ${limit}
  `.execute(db)
  return rows.map(({ accountId }) => accountId)
}

/** Shards that count other than there are accounts with open jobs: how many there really are in each. */
export async function findShardDifferences(db: Db): Promise<{ shard: number; accounts: number }[]> {
  const { rows } = await sql<{ shard: number; accounts: number }>`
    select s.shard, count(o.account_id)::int as accounts
    from generate_series(0, ${sql.raw(String(SHARDS - 1))}) as s (shard)
    left join accounts_at_work a on a.shard = s.shard
    left join (
      select distinct account_id from job where state in ('queued', 'running', 'cancelling')
    ) o on get_byte(sha256(convert_to(o.account_id, 'UTF8')), 0) % ${sql.raw(String(SHARDS))} = s.shard
    group by s.shard, a.accounts having count(o.account_id) <> coalesce(a.accounts, 0)
  `.execute(db)
  return rows
}

export async function setAccountsAtWork(
  tx: Tx,
  { shard, accounts }: { shard: number; accounts: number },
): Promise<void> {
  await tx
    .insertInto('accounts_at_work')
    .values({ shard, accounts })
    .onConflict((oc) => oc.column('shard').doUpdateSet({ accounts }))
    .execute()
}

/** Median duration of the latest jobs in seconds, null while there were none. */
export async function recentJobSeconds(db: Db): Promise<number | null> {
  const { rows } = await sql<{ seconds: number | null }>`
    select percentile_cont(0.5) within group (order by extract(epoch from finished_at - created_at))
      ::double precision as seconds
    from (select finished_at, created_at from job where finished_at is not null
      order by finished_at desc limit 50) recent
  `.execute(db)
  return rows[0]?.seconds ?? null
}

/** Of the videos that the latest jobs of all accounts tried, the share that was delivered; null while there were none. */
export async function readRecentShare(db: Db): Promise<number | null> {
  const { rows } = await sql<{ share: number | null }>`
    select (sum(success)::double precision / nullif(sum(success + no_captions + language_not_available + private
      + unavailable), 0))::double precision as share
    from (select success, no_captions, language_not_available, private, unavailable from job
      where finished_at is not null order by finished_at desc limit 200) recent
  `.execute(db)
  return rows[0]?.share ?? null
}

export type Duplicates = {
  openJobId: string | null
  deliveredLanguages: string[]
  isSuspended: boolean
  /** All accounts that have open jobs, as committed. */
  accountsAtWork: number
}

/** The columns of Duplicates over an account's jobs with a URL set, but for the suspension. */
export const DUPLICATES = `min(id) filter (where state in ('queued', 'running', 'cancelling')) as "openJobId",
      array_agg(distinct language) filter (where success > 0) as "deliveredLanguages",
      (select coalesce(sum(accounts), 0)::int from accounts_at_work) as "accountsAtWork"`

type DuplicatesRow = Omit<Duplicates, 'deliveredLanguages'> & {
  deliveredLanguages: string[] | null
}

/** No languages are null in SQL. */
export function withLanguages(row: DuplicatesRow): Duplicates {
  return { ...row, deliveredLanguages: row.deliveredLanguages ?? [] }
}

const FIND_DUPLICATES = statement<DuplicatesRow>(
  'find-duplicates',
  `select ${DUPLICATES}, exists (select from account where id = $1 and suspended_at is not null) as "isSuspended"
  from job where account_id = $1 and url_set_hash = $2`,
)

/**
 * What stands in the way of a new job with a URL set: the duplicate job, languages delivered before,
 * whether the account was suspended since its key was looked at, and how many are at work.
 */
export async function findDuplicates(
  db: Db,
  { accountId, urlSetHash }: { accountId: string; urlSetHash: string },
): Promise<Duplicates> {
  const [row] = await run(db, FIND_DUPLICATES, [accountId, urlSetHash])
  assert(row !== undefined, 'an aggregate has one row')
  return withLanguages(row)
}
