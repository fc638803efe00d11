/**
 * The table `free_calls`: work that no customer pays for, by day (UTC), shared by all processes. Its `account_id` is
 * the beneficiary of what is given once (store/given-once.ts), whose accounts share the day; an account without one
 * counts for itself.
 */
import { sql } from 'kysely'
import { run, statement } from '../kit/postgres/statement.ts'
import { type Db, query } from './database.ts'

export type FreeCallsOfDay = {
  /** Platform calls for lists, names and dates. */
  listing: number
  /** Videos that were asked for and refused. */
  refused: number
  /** Jobs that ended without a transcript, by `jobWeight`. */
  jobs: number
}

const TODAY = sql`(now() at time zone 'utc')::date`

const READ_FREE_CALLS = statement<FreeCallsOfDay>(
  'read-free-calls',
  `select listing, refused, jobs from free_calls where day = (now() at time zone 'utc')::date
    and account_id = (select coalesce(beneficiary, id) from account where id = $1)`,
)

export async function readFreeCalls(db: Db, accountId: string): Promise<FreeCallsOfDay> {
  const [row] = await run(db, READ_FREE_CALLS, [accountId])
  return row ?? { listing: 0, refused: 0, jobs: 0 }
}

/**
 * Takes calls before they are made. Returns false, and takes none, where they would exceed `allowance`. Nothing is
 * counted for a deleted account, whose beneficiary nobody knows any more.
 */
export async function takeFreeCalls(
  db: Db,
  { accountId, calls, allowance }: { accountId: string; calls: number; allowance: number },
): Promise<boolean> {
  return query`
    insert into free_calls as f (account_id, day, listing)
    select coalesce(beneficiary, id), ${TODAY}, ${calls}::int from account
    where id = ${accountId} and deleted_at is null and ${calls}::int <= ${allowance}::int
    on conflict (account_id, day) do update set listing = f.listing + excluded.listing
    where f.listing::bigint + excluded.listing <= ${allowance}::int
    returning listing
  `.anyRow(db)
}

/**
 * Corrects today's sums: by calls that were taken in advance and not made (below zero), and by what is only known
 * afterwards.
 */
export async function addFreeCalls(
  db: Db,
  accountId: string,
  { listing = 0, refused = 0, jobs = 0 }: Partial<FreeCallsOfDay>,
): Promise<void> {
  await sql`
    insert into free_calls as f (account_id, day, listing, refused, jobs)
    select coalesce(beneficiary, id), ${TODAY}, greatest(0, ${listing}::int), ${refused}::int, ${jobs}::int
    from account where id = ${accountId} and deleted_at is null
    on conflict (account_id, day) do update
    set listing = greatest(0, f.listing + ${listing}::int), refused = f.refused + excluded.refused,
      jobs = f.jobs + excluded.jobs
  `.execute(db)
}

/** Micros that the account ever brought: its top-ups and adjustments, whether or not they are spent. */
export async function readBrought(db: Db, accountId: string): Promise<bigint> {
  return query<{ micros: bigint }>`
    select coalesce(sum(posted_micros), 0)::bigint as micros from ledger_entry
    where account_id = ${accountId} and kind in ('top_up', 'adjust')
  `.value(db)
}

/** How many transcripts were delivered by jobs that were created today (UTC). */
export async function countDeliveredToday(db: Db, accountId: string): Promise<number> {
  return query<{ delivered: number }>`
    select coalesce(sum(success), 0)::int as delivered from job
    where account_id = ${accountId} and created_at >= ${TODAY}::timestamp at time zone 'utc'
  `.value(db)
}

/** Deletes the days that are more than `keptDays` ago. */
export async function sweepFreeCalls(db: Db, keptDays: number): Promise<void> {
  await sql`delete from free_calls where day < ${TODAY} - ${keptDays}::int`.execute(db)
}
