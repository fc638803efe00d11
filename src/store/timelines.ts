/**
 * The tables `database_timeline` and `lost_entry`: the timelines on which the database server was seen, and what was
 * told as committed before one of them and is not in it: what a failover lost.
 */
import { sql } from 'kysely'
import type { Known } from '../kit/postgres/servers.ts'
import { type Db, query, type Tx } from './database.ts'
import type { ToldEntry } from './told.ts'

/** The highest timeline of this system that any process saw; null where none did. */
export async function findTimeline(db: Db, systemId: string): Promise<Known | null> {
  return query<Known>`
    select system_id as "systemId", timeline from database_timeline where system_id = ${systemId}
    order by timeline desc limit 1
  `.firstRow(db)
}

/**
 * Notes that a timeline is used, where it began, and the highest position that was confirmed before. Processes may
 * repeat it, in any order. Returns 0 where all of it was noted already; then no row is locked, since a commit behind
 * that would wait for a standby, though its command only reads.
 */
export async function recordTimeline(
  tx: Tx,
  { systemId, timeline }: Known,
  { beganAt, position }: { beganAt: string | null; position: string | null },
): Promise<number> {
  return query`
    insert into database_timeline as t (system_id, timeline, began_at, told_position, is_lossy)
    select i.*, coalesce(told_position >= began_at, false)
    from (select ${systemId}::text, ${timeline}::int, ${beganAt}::pg_lsn, ${position}::pg_lsn)
      i (system_id, timeline, began_at, told_position)
    where not exists (select from database_timeline k
      where k.system_id = i.system_id and k.timeline = i.timeline
        and (i.began_at is null or k.began_at is not null)
        and (i.told_position is null or k.told_position >= i.told_position))
    on conflict (system_id, timeline) do update set began_at = coalesce(t.began_at, excluded.began_at),
      told_position = greatest(t.told_position, excluded.told_position), is_lossy = t.is_lossy or coalesce(
        greatest(t.told_position, excluded.told_position) >= coalesce(t.began_at, excluded.began_at), false)
  `.rowCount(tx)
}

/**
 * Notes those of the entries that the ledger has not: they are lost on this timeline, unless an earlier one is known to
 * have lost them. What was accepted before is open again. Returns how many are new.
 */
export async function recordLost(
  tx: Tx,
  { systemId, timeline }: Known,
  told: readonly ToldEntry[],
): Promise<number> {
  return query<{ count: number }>`
    with lost as (
      insert into lost_entry (account_id, number, hash, reference, system_id, timeline)
      select t.*, ${systemId}, ${timeline}::int from unnest(${told.map((one) => one.accountId)}::text[],
        ${told.map((one) => one.number)}::bigint[], ${told.map((one) => one.hash)}::text[],
        ${told.map((one) => one.reference)}::text[]) t (account_id, number, hash, reference)
      where not exists (select from ledger_entry e
        where e.account_id = t.account_id and e.number = t.number and e.hash = t.hash)
      on conflict do nothing returning number
    ), marked as (
      update database_timeline set is_lossy = true, accepted_at = null
      where system_id = ${systemId} and timeline = ${timeline} and exists (select from lost)
    )
    select count(*)::int as count from lost
  `.value(tx) as Promise<number>
}

/** Returns the epoch: how many timelines lost something, and so how often ids of events began anew. */
export async function readEpoch(db: Db): Promise<number> {
  return query<{ epoch: number }>`select ${EPOCH} as epoch`.value(db)
}

const EPOCH = sql.raw('(select count(*)::int from database_timeline where is_lossy)')

/** SQL for a new delivery's id. One that is made after a lossy failover says so: it may tell anew what was told. */
export const NEW_DELIVERY_ID = `'dlv_' || replace(gen_random_uuid()::text, '-', '') ||
      coalesce((select '-e' || nullif(count(*), 0) from database_timeline where is_lossy), '')`

/** A timeline that lacks what was told, which no person accepted. */
export type Gap = Known & {
  seenAt: Date
  /** Positions of the log: where it began, and up to where commits were confirmed before; null: not known. */
  beganAt: string | null
  toldPosition: string | null
  entries: number
  accounts: number
  /** The first of the entries, by account and number. */
  listed: { accountId: string; number: string; reference: string }[]
}

export async function listGaps(db: Db, limit: number): Promise<Gap[]> {
  return query<Gap>`
    select t.system_id as "systemId", t.timeline, t.seen_at as "seenAt", t.began_at::text as "beganAt",
      t.told_position::text as "toldPosition", l.entries, l.accounts, f.listed
    from database_timeline t cross join lateral (
      select count(*)::int as entries, count(distinct account_id)::int as accounts from lost_entry e
      where e.system_id = t.system_id and e.timeline = t.timeline
    ) l cross join lateral (
      select coalesce(json_agg(json_build_object('accountId', account_id, 'number', number::text, 'reference', reference)
        order by account_id, number), '[]') as listed
      from (select * from lost_entry e where e.system_id = t.system_id and e.timeline = t.timeline
        order by account_id, number limit ${limit}) first
    ) f
    where t.is_lossy and t.accepted_at is null order by t.seen_at
  `.rows(db)
}

/** Accepts every gap. Returns how many there were. */
export async function acceptGaps(
  tx: Tx,
  { actor, reason }: { actor: string; reason: string },
): Promise<number> {
  return query`
    update database_timeline set accepted_at = now(), accepted_by = ${actor}, accept_reason = ${reason}
    where is_lossy and accepted_at is null
  `.rowCount(tx)
}
