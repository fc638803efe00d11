/**
 * Reads what admits a new job: its duplicates, how many jobs are open, how long recent jobs took, and, in the
 * statement that locks it, the balance that pays.
 */
import assert from 'node:assert/strict'
import { run, statement } from '../kit/postgres/statement.ts'
import type { OpenJobs } from '../model/jobs/allowance.ts'
import { type Db, query, type Tx } from './database.ts'
import type { UrlSetKey } from './jobs.ts'
import type { FreeCallsOfDay } from './free-calls.ts'
import { LOCKED_BALANCE, type LockedBalance } from './ledger.ts'

/** The median duration of the latest jobs, in seconds; null where no job has ended yet. */
export async function recentJobSeconds(db: Db): Promise<number | null> {
  return query<{ seconds: number | null }>`
    select percentile_cont(0.5) within group (order by extract(epoch from finished_at - created_at))
      ::double precision as seconds
    from (select finished_at, created_at from job where finished_at is not null
      order by finished_at desc limit 50) recent
  `.value(db)
}

/**
 * The time in which the last `count` jobs of all accounts ended, in seconds: about as long as the next ones take. Null
 * where fewer have ended.
 */
export async function secondsOfEnds(db: Db, count: number): Promise<number | null> {
  return query<{ seconds: number }>`
    select extract(epoch from clock_timestamp() - finished_at)::double precision as seconds
    from job where finished_at is not null order by finished_at desc limit 1 offset ${count - 1}
  `.firstValue(db)
}

/**
 * How many other accounts at work stand in the way of an account: those whose standing is at least the power of ten at
 * or below its own. An account's standing is what it brought (top-ups and adjustments) and ten times what it spent on
 * transcripts, in micros.
 */
export async function countRivals(db: Db, accountId: string): Promise<number> {
  return query<{ rivals: number }>`
    with standing as (
      select b.account_id, 11 * coalesce(d.brought, 0) - 10 * b.posted_micros as micros
      from balance b left join lateral (
        select sum(posted_micros) as brought from ledger_entry
        where account_id = b.account_id and kind in ('top_up', 'adjust')
      ) d on true
      where b.account_id = ${accountId}
        or b.account_id in (select account_id from job where state in ('queued', 'running', 'cancelling'))
    )
    select count(*)::int as rivals from standing s, standing own
    where own.account_id = ${accountId} and s.account_id <> ${accountId}
      and s.micros >= 10 ^ floor(log(greatest(own.micros, 1)))
  `.value(db)
}

/**
 * The delivered share of the videos that the latest jobs of all accounts tried, from 0 to 1; null where they tried
 * none.
 */
export async function readRecentShare(db: Db): Promise<number | null> {
  return query<{ share: number | null }>`
    select (sum(success)::double precision / nullif(sum(success + no_captions + language_not_available + private
      + unavailable), 0))::double precision as share
    from (select success, no_captions, language_not_available, private, unavailable from job
      where finished_at is not null order by finished_at desc limit 200) recent
  `.value(db)
}

type Duplicates = OpenJobs & {
  openJobId: string | null
  /** Each a language and, where one was wished, a kind of track: `en`, `original asr`. */
  deliveredWishes: string[]
  isSuspended: boolean
}

/** Number of accounts at work up to which each is found by a step of an index; more are counted from all open jobs. */
const ACCOUNTS_BY_STEPS = 1_000
const OPEN = `state in ('queued', 'running', 'cancelling')`
/**
 * SQL for the number of other accounts than $1 with open jobs: found by a step of the index each, however many jobs
 * they have; where they are many, all of these are counted, which takes less.
 */
const OTHER_ACCOUNTS = `(with recursive at_work as (
        (select account_id from job where ${OPEN} order by account_id limit 1)
        union all
        select next.* from at_work w cross join lateral (
          select account_id from job where ${OPEN} and account_id > w.account_id order by account_id limit 1) next
      ), few as materialized (select * from at_work limit ${ACCOUNTS_BY_STEPS} + 1)
      select case when count(*) <= ${ACCOUNTS_BY_STEPS} then (count(*) filter (where account_id <> $1))::int
        else (select count(distinct account_id)::int from job where account_id <> $1 and ${OPEN}) end from few)`

/** The columns of Duplicates, without `isSuspended`, over the jobs of account $1 with one URL set. */
const DUPLICATES = `min(id) filter (where ${OPEN}) as "openJobId",
      coalesce(array_agg(distinct concat_ws(' ', language, wished_track)) filter (where success > 0), '{}') as "deliveredWishes",
      (select count(*)::int from job where account_id = $1 and ${OPEN}) as "ofAccount",
      ${OTHER_ACCOUNTS} as "otherAccounts"`

const FIND_DUPLICATES = statement<Duplicates>(
  'find-duplicates',
  `select ${DUPLICATES}, exists (select from account where id = $1 and suspended_at is not null) as "isSuspended"
  from job where account_id = $1 and url_set_hash = $2`,
)

/**
 * What may keep an account from starting a job with a URL set: its open duplicate, the languages that were delivered
 * before, how many jobs are open, and whether the account was suspended since its key was checked.
 */
export async function findDuplicates(
  db: Db,
  { accountId, urlSetHash }: UrlSetKey,
): Promise<Duplicates> {
  const [row] = await run(db, FIND_DUPLICATES, [accountId, urlSetHash])
  assert(row !== undefined, 'an aggregate has one row')
  return row
}

/** Facts that admit a new job; `today` is the work that the account caused today without paying. */
type StartFacts = { balance: LockedBalance; duplicates: Duplicates; today: FreeCallsOfDay }

const LOCK_FOR_START = statement<
  LockedBalance & Duplicates & FreeCallsOfDay & { isCurrent: boolean }
>(
  'lock-for-start',
  `
  with locked as materialized (
    select account_id as "accountId", ${LOCKED_BALANCE} from balance where account_id = $1 for update
  ), seen as materialized (
    select b.entries as seen_entries, d.*,
      exists (select from account where id = $1 and suspended_at is not null) as "isSuspended",
      coalesce(f.listing, 0) as listing, coalesce(f.refused, 0) as refused, coalesce(f.jobs, 0) as jobs
    from balance b left join free_calls f
      on f.account_id = (select coalesce(beneficiary, id) from account where id = $1) and f.day = (now() at time zone 'utc')::date, lateral (
      select ${DUPLICATES} from job where account_id = b.account_id and url_set_hash = $2
    ) d where b.account_id = $1
  )
  select locked.*, seen."openJobId", seen."deliveredWishes", seen."ofAccount", seen."otherAccounts", seen."isSuspended",
    seen.listing, seen.refused, seen.jobs, seen.seen_entries = locked.entries as "isCurrent"
  from locked, seen`,
)

/**
 * Locks the account's balance and reads what its new job meets. Every transaction that starts or ends a job holds this
 * lock and posts an entry: where the balance has as many entries as when the statement began, the jobs that it saw are
 * all there are. A transaction that suspends the account may post none, so the statement that inserts the job checks
 * for suspension again.
 */
export async function lockForStart(tx: Tx, asked: UrlSetKey): Promise<StartFacts> {
  const [row] = await run(tx, LOCK_FOR_START, [asked.accountId, asked.urlSetHash])
  assert(row !== undefined, `account ${asked.accountId} has a balance`)
  const { accountId, postedMicros, heldMicros, entries, head, now, ...rest } = row
  const { isCurrent, listing, refused, jobs, ...seen } = rest
  return {
    balance: { accountId, postedMicros, heldMicros, entries, head, now },
    duplicates: isCurrent ? seen : await findDuplicates(tx, asked),
    today: { listing, refused, jobs },
  }
}
