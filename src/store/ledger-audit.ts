/** Reads all money of the database in pages of one snapshot, for the audit; writes nothing. */
import { sql } from 'kysely'
import { transact } from '../kit/postgres/database.ts'
import type { AuditedBalance, AuditedEntry, AuditedJob, Difference } from '../model/money/audit.ts'
import { type Db, query, type Tx } from './database.ts'

/** An entry's place among all entries: the key of the next page. */
type EntryPlace = { accountId: string; number: bigint }

/** Runs `work` in one snapshot of the database, however long it takes. */
export function inSnapshot<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  const snapshot = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
  const read = async (tx: Tx): Promise<T> => {
    // The pool's deadlines are for customers; an audit of millions of entries takes minutes.
    await sql`
      select set_config('statement_timeout', '0', true),
        set_config('idle_in_transaction_session_timeout', '0', true)
    `.execute(tx)
    return work(tx)
  }
  return transact(db, read, snapshot)
}

/** Returns the entries of all accounts that come after `after`, by account and number. */
export async function listAllEntries(
  tx: Tx,
  after: EntryPlace,
  limit: number,
): Promise<AuditedEntry[]> {
  return query<AuditedEntry>`
    select account_id as "accountId", number, kind, posted_micros as "postedMicros",
      held_micros as "heldMicros", reference, job_id as "jobId", reason, created_at as "createdAt",
      created_at <> date_trunc('milliseconds', created_at) as "isFiner",
      previous_hash as "previousHash", hash
    from ledger_entry where (account_id, number) > (${after.accountId}, ${after.number.toString()}::bigint)
    order by account_id, number limit ${limit}
  `.rows(tx)
}

export async function readBalances(
  tx: Tx,
  accountIds: string[],
): Promise<Map<string, AuditedBalance>> {
  const rows = await query<AuditedBalance & { accountId: string }>`
    select account_id as "accountId", posted_micros as "postedMicros", held_micros as "heldMicros", entries, head
    from balance where account_id = any(${accountIds})
  `.rows(tx)
  return new Map(rows.map((row) => [row.accountId, row]))
}

/** Returns accounts without a balance, and balances that hold money or count entries where no entry exists. */
export async function findBareBalances(tx: Tx, limit: number): Promise<Difference[]> {
  return query<Difference>`
    select a.id as "accountId", null as "jobId", case when b.account_id is null then 'it has no balance'
        else 'balance: it holds money or counts entries, but there is no entry' end as what
    from account a left join balance b on b.account_id = a.id
    where b.account_id is null
      or ((b.posted_micros, b.held_micros, b.entries, b.head) <> (0, 0, 0, repeat('0', 64))
      and not exists (select from ledger_entry e where e.account_id = a.id))
    order by a.id limit ${limit}
  `.rows(tx)
}

/** Returns deleted accounts that own money, which nobody can spend. */
export async function findDeletedOwners(tx: Tx, limit: number): Promise<Difference[]> {
  return query<Difference>`
    select a.id as "accountId", null as "jobId",
      format('balance: the account is deleted and owns %s micros; pay them back and delete it again',
        b.posted_micros) as what
    from account a join balance b on b.account_id = a.id
    where a.deleted_at is not null and (b.posted_micros, b.held_micros) <> (0, 0)
    order by a.id limit ${limit}
  `.rows(tx)
}

/** Jobs by id, each with the sums of its entries and the counts of its rows. */
export async function listJobMoney(tx: Tx, afterId: string, limit: number): Promise<AuditedJob[]> {
  return query<AuditedJob>`
    select j.id, j.account_id as "accountId",
      j.state in ('finished', 'cancelled', 'failed', 'interrupted') as "isFinal",
      j.reserved_micros as "reservedMicros", j.charged_micros as "chargedMicros", j.success, j.processed,
      j.receipt_sha256 is not null as "isErased",
      e.reserves, e.reserved as "reserveMicros", e.settlements, e.charged as "chargeMicros",
      e.released as "releaseMicros", e."isForeign", r.delivered, r.finished, r.transcripts
    from (select * from job where id > ${afterId} order by id limit ${limit}) j
    cross join lateral (
      select count(*) filter (where kind = 'reserve')::int as reserves,
        count(*) filter (where kind in ('charge', 'release'))::int as settlements,
        coalesce(sum(held_micros) filter (where kind = 'reserve'), 0)::bigint as reserved,
        coalesce(-sum(posted_micros) filter (where kind = 'charge'), 0)::bigint as charged,
        coalesce(-sum(held_micros) filter (where kind = 'release'), 0)::bigint as released,
        coalesce(bool_or(account_id <> j.account_id), false) as "isForeign"
      from ledger_entry where job_id = j.id
    ) e
    cross join lateral (
      select count(*) filter (where v.status = 'success')::int as delivered,
        count(v.status)::int as finished,
        count(t.index) filter (where v.status = 'success')::int as transcripts
      from video_row v left join transcript t on t.job_id = v.job_id and t.index = v.index
      where v.job_id = j.id
    ) r
    order by j.id
  `.rows(tx)
}

/** Entries of jobs that do not exist. */
export async function findOrphanEntries(tx: Tx, limit: number): Promise<Difference[]> {
  return query<Difference>`
    select e.account_id as "accountId", e.job_id as "jobId",
      format('entry %s: there is no job of its reference %s', e.number, e.reference) as what
    from ledger_entry e
    where e.job_id is not null and not exists (select from job j where j.id = e.job_id)
    limit ${limit}
  `.rows(tx)
}

/** Accounts whose held money is not the sum of their open jobs' reserves. */
export async function findHeldDifferences(tx: Tx, limit: number): Promise<Difference[]> {
  return query<Difference>`
    select b.account_id as "accountId", null as "jobId",
      format('balance: %s micros are set aside, its unsettled jobs reserve %s',
        b.held_micros, coalesce(o.reserved, 0)) as what
    from balance b left join (
      select account_id, sum(reserved_micros)::bigint as reserved from job
      where state in ('queued', 'running', 'cancelling') group by account_id
    ) o on o.account_id = b.account_id
    where b.held_micros <> coalesce(o.reserved, 0)
    limit ${limit}
  `.rows(tx)
}

/** Payments whose credit is not in the ledger, and payment claims whose takings are not. */
export async function findPaymentDifferences(tx: Tx, limit: number): Promise<Difference[]> {
  return query<Difference>`
    select p.account_id as "accountId", null as "jobId",
      format('payment %s: %s micros were credited, the ledger has %s',
        p.id, p.credited_micros, coalesce(e.posted_micros, 0)) as what
    from payment p
    left join ledger_entry e
      on e.reference = 'checkout:' || p.checkout_id and e.account_id = p.account_id
    where p.account_id is not null and p.credited_micros is distinct from e.posted_micros
    union all
    select p.account_id, null,
      format('%s %s: %s micros were taken, the ledger has %s',
        c.kind, c.id, c.taken_micros, coalesce(m.taken, 0))
    from payment_claim c join payment p on p.id = c.payment_id
    cross join lateral (
      select -sum(e.posted_micros) as taken from generate_series(1, c.moves) as n
      join ledger_entry e on e.reference = c.kind || ':' || c.id || ':' || n
    ) m
    where p.account_id is not null and c.taken_micros <> coalesce(m.taken, 0)
    limit ${limit}
  `.rows(tx)
}
