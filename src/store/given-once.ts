/** The tables `given_once`, what mailboxes were given, and `mailbox_key`, by which they are recognised. */
import { sql } from 'kysely'
import { type Db, query, type Tx } from './database.ts'

const THIS_MONTH = sql`date_trunc('month', now() at time zone 'utc')::date`

/** Returns the key of the mailboxes' hashes; keeps `candidate` as the key where there is none yet. */
export async function ensureMailboxKey(tx: Tx, candidate: Buffer): Promise<Buffer> {
  const read = query<{ key: Buffer }>`select key from mailbox_key`
  const known = await read.firstRow(tx)
  if (known !== null) return known.key
  await sql`insert into mailbox_key (key) values (${candidate}) on conflict (id) do nothing`.execute(
    tx,
  )
  return read.value(tx)
}

/** A mailbox that an account has, and who receives what is given once, where nobody received anything at it. */
type RememberedMailbox = { mailboxHash: Buffer; beneficiary: string; accountId: string }

/**
 * Remembers a mailbox of an account, anew where it is known, and returns its beneficiary: the one before, or
 * `beneficiary` with what they and the account were given so far. Others who remember the same mailbox wait for this
 * transaction.
 */
export async function insertMailbox(
  tx: Tx,
  { mailboxHash, beneficiary, accountId }: RememberedMailbox,
): Promise<string> {
  return query<{ beneficiary: string }>`
    insert into given_once as g (mailbox_hash, beneficiary, kept_from, is_welcomed)
    values (${mailboxHash}, ${beneficiary}, ${THIS_MONTH},
      exists (select from given_once where beneficiary = ${beneficiary} and is_welcomed)
      or exists (select from ledger_entry where account_id = ${accountId} and reference = 'welcome:' || ${accountId}))
    on conflict (mailbox_hash) do update
    set kept_from = excluded.kept_from, is_welcomed = g.is_welcomed or excluded.is_welcomed
    returning beneficiary
  `.value(tx)
}

/** Marks the beneficiary as welcomed. Returns false where they were before: of two at once, one is told so. */
export async function setWelcomed(tx: Tx, beneficiary: string): Promise<boolean> {
  return query`
    update given_once set is_welcomed = true where beneficiary = ${beneficiary} and not is_welcomed
      and not exists (select from given_once g where g.beneficiary = ${beneficiary} and g.is_welcomed)
  `.anyRow(tx)
}

/** Begins the time anew for which all mailboxes of the beneficiary are remembered. */
export async function renewMailboxes(tx: Tx, beneficiary: string): Promise<void> {
  await sql`update given_once set kept_from = ${THIS_MONTH} where beneficiary = ${beneficiary}`.execute(
    tx,
  )
}

/** Forgets up to `rowsMax` mailboxes that no account has had for `keptDays`; the longest kept first. */
export async function sweepMailboxes(
  db: Db,
  { keptDays, rowsMax }: { keptDays: number; rowsMax: number },
): Promise<number> {
  return query`
    delete from given_once where mailbox_hash in (
      select mailbox_hash from given_once g where kept_from < (now() at time zone 'utc' - make_interval(days => ${keptDays}))::date
        and not exists (select from account a
          where a.beneficiary = g.beneficiary and a.beneficiary is not null and a.deleted_at is null)
      order by kept_from limit ${rowsMax} for update skip locked)
  `.rowCount(db)
}
