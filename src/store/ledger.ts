/** The tables `balance` and `ledger_entry`: what accounts own and have set aside, and the entries that led there. */
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { OrderedLines } from '../model/jobs/job-name.ts'
import { type Balance, chain, type Entry, type LedgerEntry, post } from '../model/money/ledger.ts'
import { asJson, run, statement } from '../kit/postgres/statement.ts'
import { type Db, query, toColumns, type Tx } from './database.ts'
import type { JobKey } from './jobs.ts'
import type { ChainedEntry } from './told.ts'

/** A balance that no other transaction can change until this one ends, and the instant at which it was locked. */
export type LockedBalance = Balance & {
  accountId: string
  entries: bigint
  head: string
  /** The database's time in whole milliseconds; entries posted under this lock bear it. */
  now: Date
}

/** Why an entry is posted: `reference` is unique over all accounts, so that none lands twice. */
type Posting = { reference: string; jobId: string | null; reason: string | null }

export async function insertBalance(tx: Tx, accountId: string): Promise<void> {
  await query`insert into balance (account_id) values (${accountId})`.rowCount(tx)
}

/** The columns of a LockedBalance, without its account. */
export const LOCKED_BALANCE = `posted_micros as "postedMicros", held_micros as "heldMicros",
      entries, head, date_trunc('milliseconds', clock_timestamp()) as now`

const LOCK_BALANCE = statement<LockedBalance>(
  'lock-balance',
  `select account_id as "accountId", ${LOCKED_BALANCE} from balance where account_id = $1 for update`,
)

/** Locks the account's balance. Every transaction that moves money locks it first, so that none deadlocks. */
export async function lockBalance(tx: Tx, accountId: string): Promise<LockedBalance> {
  const [row] = await run(tx, LOCK_BALANCE, [accountId])
  assert(row !== undefined, `account ${accountId} has a balance`)
  return row
}

/**
 * Locks the balance of an account that is to be given money. Returns null where there is no such account, or it is
 * deleted. Deletions hold this lock, too, so that the account is looked at only when the lock is held.
 */
export async function lockLivingBalance(tx: Tx, accountId: string): Promise<LockedBalance | null> {
  const [row] = await run(tx, LOCK_BALANCE, [accountId])
  const isLiving =
    await query`select from account where id = ${accountId} and deleted_at is null`.anyRow(tx)
  return isLiving ? (row ?? null) : null
}

export type NewEntry = { entry: Entry; posting: Posting }

const ENTRY_NAMES = `account_id, number, kind, posted_micros, held_micros, reference, job_id, reason, created_at,
      previous_hash, hash`

/**
 * SQL that posts: ledger entries, the balance after them and its number of entries before are the parameters of the
 * three numbers; `more` also sets what only one statement does. It says whether it did in `posted`.
 */
export const postedBy = (entries: number, balance: number, before: number, more = ''): string =>
  `written as (
    insert into ledger_entry (${ENTRY_NAMES})
    select ${ENTRY_NAMES} from json_populate_recordset(null::ledger_entry, $${entries}::json)
  ), posted as (
    update balance b set posted_micros = n.posted_micros, held_micros = n.held_micros, entries = n.entries,
      head = n.head${more}
    from json_populate_record(null::balance, $${balance}::json) n
    where b.account_id = n.account_id and b.entries = $${before} returning 1
  )`

/** SQL of the columns of `Posted`, behind `postedBy`. */
export const POSTED = `(select count(*)::int from posted) as posted, 'ledger_entry'::regclass::oid::text as books`
/** The row of a statement that posts: whether it did, and in which ledger (see `ToldEntry`). */
export type Posted = { posted: number; books: string }

/** $1: ledger entries, $2: the balance after them, $3: the balance's number of entries before. */
const APPEND_ENTRIES = statement<Posted>(
  'append-entries',
  `with ${postedBy(1, 2, 3)} select ${POSTED}`,
)

/**
 * Appends entries to the account's chain and writes the balance that they lead to, in one statement. Returns the
 * balance after them. A reference that exists already throws the unique index's violation, and nothing is posted.
 */
export async function appendEntries(
  tx: Tx,
  before: LockedBalance,
  entries: NewEntry[],
): Promise<LockedBalance> {
  if (entries.length === 0) return before
  const write: WriteEntries<Posted> = (...given) => run(tx, APPEND_ENTRIES, given)
  const { after } = await postEntries(tx, { before, entries }, write)
  return after
}

/** Runs a statement that has `postedBy`, with its three parameters. */
type WriteEntries<Row> = (entries: string, balance: string, before: bigint) => Promise<Row[]>

/**
 * Posts entries by the statement that `write` runs; whatever posts goes through it, so that what was told as committed
 * is remembered (told.ts) once the transaction is. Throws where they were not posted exactly once, under the lock of
 * their balance.
 */
export async function postEntries<Row extends Posted>(
  tx: Tx,
  { before, entries }: { before: LockedBalance; entries: readonly NewEntry[] },
  write: WriteEntries<Row>,
): Promise<{ row: Row; after: LockedBalance }> {
  const { lines, balance, after, told } = chainEntries(before, entries)
  const [row] = await write(asJson(lines), asJson(balance), before.entries)
  assert(row?.posted === 1, 'entries are appended under the lock of their balance')
  const { books } = row
  tx.send({ told: told.map((one) => ({ ...one, books })) })
  return { row, after }
}

/** Rows of `ledger_entry` to be inserted, and the row of `balance` that they lead to. */
type Chained = { lines: object[]; balance: object; after: LockedBalance; told: ChainedEntry[] }

/**
 * Numbers, dates and hashes entries after those that the locked balance has, and adds them to it by `post`. The
 * statement that writes them does so only while the balance has as many entries as `before`, and says whether it did.
 */
function chainEntries(before: LockedBalance, entries: readonly NewEntry[]): Chained {
  let after = before
  const { accountId, now: createdAt } = before
  const told: ChainedEntry[] = []
  const lines = entries.map(({ entry, posting }) => {
    const previousHash = after.head
    const hash = chain(previousHash, { ...entry, ...posting, accountId, createdAt })
    after = { ...after, ...post(after, entry), entries: after.entries + 1n, head: hash }
    const place = { accountId, number: after.entries, createdAt, previousHash, hash }
    told.push({ accountId, number: String(after.entries), hash, reference: posting.reference })
    return toColumns({ ...entry, ...posting, ...place })
  })
  return { lines, balance: toColumns(after), after, told }
}

const LINE = sql`number, kind, posted_micros as "postedMicros", held_micros as "heldMicros", reference,
  job_id as "jobId", reason, created_at as "createdAt", previous_hash as "previousHash", hash`

/** The entries of a job by number: its reserve and, once it is final, its settlement. */
export async function listEntriesOfJob(
  db: Db,
  { accountId, jobId }: JobKey,
): Promise<LedgerEntry[]> {
  return query<LedgerEntry>`
    select ${LINE} from ledger_entry where job_id = ${jobId} and account_id = ${accountId} order by number
  `.rows(db)
}

/** The account's entries from `fromNumber` downwards, newest first. */
export async function listEntriesDown(
  db: Db,
  { accountId, fromNumber, limit }: { accountId: string; fromNumber: bigint; limit: number },
): Promise<LedgerEntry[]> {
  return query<LedgerEntry>`
    select ${LINE} from ledger_entry
    where account_id = ${accountId} and number <= ${fromNumber.toString()}::bigint
    order by number desc limit ${limit}
  `.rows(db)
}

/**
 * What the account owned and had set aside before its latest `newerEntries` entries; `entries` is how many it has now.
 * Null where there is no such account.
 */
export async function readBalanceAfter(db: Db, accountId: string, newerEntries = 0) {
  return query<Balance & { entries: bigint }>`
    select b.entries, b.posted_micros - coalesce(n.posted, 0)::bigint as "postedMicros",
      b.held_micros - coalesce(n.held, 0)::bigint as "heldMicros"
    from balance b cross join lateral (
      select sum(posted_micros) as posted, sum(held_micros) as held from ledger_entry e
      where e.account_id = b.account_id and e.number > b.entries - ${newerEntries}::bigint
    ) n
    where b.account_id = ${accountId}
  `.firstRow(db)
}

// Movements: an entry that belongs to no job, or all entries of one job. Each stands where it ended so far: what a job
// cost is posted with its last entries, so that what the account owns adds up from one movement to the next, however
// many jobs run beside each other.

const BEGINS = sql`kind in ('top_up', 'adjust', 'reserve')`

/** Returns how many movements an account has. */
export async function countMovements(db: Db, accountId: string): Promise<number> {
  return query<{ count: number }>`
    select count(*)::int as count from ledger_entry where account_id = ${accountId} and ${BEGINS}
  `.value(db)
}

/**
 * An entry, with the last number of its movement and the balance after that one; its first has the words of its job.
 */
type MovementLine = LedgerEntry &
  OrderedLines & { movement: bigint; owned: bigint; setAside: bigint; givenName: string | null }

/** Returns the entries of a page of movements: those that ended last first, the entries of each in their order. */
export async function listMovementLines(
  db: Db,
  { accountId, offset, limit }: { accountId: string; offset: number; limit: number },
): Promise<MovementLine[]> {
  return query<MovementLine>`
    with ending as (
      select number, job_id from ledger_entry e where account_id = ${accountId} and not exists (
        select from ledger_entry l where l.job_id = e.job_id and l.number > e.number and l.account_id = ${accountId})
      order by number desc limit ${limit} offset ${offset}
    ), line as (
      select e.*, b.number as movement from ending b join ledger_entry e
        on e.account_id = ${accountId} and (e.number = b.number or e.job_id = b.job_id)
    ), newer as (
      select number, sum(posted_micros) over newest - posted_micros as posted,
        sum(held_micros) over newest - held_micros as held
      from ledger_entry where account_id = ${accountId} and number >= (select min(number) from ending)
      window newest as (order by number desc)
    )
    select l.number, l.kind, l.posted_micros as "postedMicros", l.held_micros as "heldMicros", l.reference,
      l.job_id as "jobId", l.reason, l.created_at as "createdAt", l.previous_hash as "previousHash", l.hash,
      l.movement, (b.posted_now - n.posted)::bigint as owned, (b.held_now - n.held)::bigint as "setAside",
      j.given_name as "givenName", j.urls[1] as "firstLine", coalesce(cardinality(j.urls), 0) as lines
    from line l join newer n on n.number = l.movement
      cross join (
        select posted_micros as posted_now, held_micros as held_now from balance where account_id = ${accountId}
      ) b
      left join (select id, given_name, urls from job) j on j.id = l.job_id and l.kind = 'reserve'
    order by l.movement desc, l.number
  `.rows(db)
}
