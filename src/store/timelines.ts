/**
 * The tables `database_timeline` and `lost_entry`: the timelines on which the database server was seen, and what was
 * told as committed before one of them and is not in it: what a failover lost.
 */
import type { Known } from '../kit/postgres/servers.ts'
import { asJson } from '../kit/postgres/statement.ts'
import { type Db, query, type Tx } from './database.ts'
import type { ToldMemory } from './told.ts'

/**
 * Notes that a timeline is used, where it began, and what was told before: the highest position that was confirmed, and
 * those of the entries that the ledger has not. They are lost on this timeline, unless an earlier one is known to have
 * lost them; what was accepted before is open again. Entries of a ledger that the system does not have any more, since
 * its database was made anew, are not lost. Processes may repeat it, in any order. Returns false where all of it was
 * noted already: then no row is locked, since a command that only reads would wait for a standby that is away.
 */
export async function recordTimeline(
  db: Db,
  { systemId, timeline }: Known,
  { beganAt, told }: { beganAt: string | null; told: ReturnType<ToldMemory['before']> },
): Promise<boolean> {
  return query`
    with lost as (
      insert into lost_entry (account_id, number, hash, reference, system_id, timeline)
      select "accountId", number, hash, reference, ${systemId}, ${timeline}::int
      from json_to_recordset(${asJson(told.entries)}::json)
        t ("accountId" text, number bigint, hash text, reference text, books oid, "systemId" text)
      where (books = 'ledger_entry'::regclass or "systemId" <> ${systemId}) and not exists (select from ledger_entry e
        where e.account_id = "accountId" and e.number = t.number and e.hash = t.hash)
      on conflict do nothing returning number
    )
    insert into database_timeline as t (system_id, timeline, began_at, told_position, entries_lost)
    select i.* from (
      select ${systemId}::text, ${timeline}::int, ${beganAt}::pg_lsn, ${told.position}::pg_lsn,
        (select count(*)::int from lost)
    ) i (system_id, timeline, began_at, told_position, entries_lost)
    where i.entries_lost > 0 or not exists (select from database_timeline k
      where k.system_id = i.system_id and k.timeline = i.timeline
        and (i.began_at is null or k.began_at is not null)
        and (i.told_position is null or k.told_position >= i.told_position))
    on conflict (system_id, timeline) do update set began_at = coalesce(t.began_at, excluded.began_at),
      told_position = greatest(t.told_position, excluded.told_position),
      entries_lost = t.entries_lost + excluded.entries_lost,
      accepted_at = case when excluded.entries_lost = 0 then t.accepted_at end
  `.anyRow(db)
}

/** SQL that forgets the timelines that lost nothing: what is known of a database without content. */
export const FORGET_TIMELINES = 'delete from database_timeline where not is_lossy'

/** Returns the epoch: how many timelines lost something, and so how often ids of events began anew. */
export async function readEpoch(db: Db): Promise<number> {
  return query<{ epoch: number }>`
    select count(*)::int as epoch from database_timeline where is_lossy
  `.value(db)
}

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
      t.told_position::text as "toldPosition", t.entries_lost as entries, l.accounts, l.listed
    from database_timeline t cross join lateral (
      select count(distinct account_id)::int as accounts, coalesce(to_json((array_agg(json_build_object(
        'accountId', account_id, 'number', number::text, 'reference', reference)
        order by account_id, number))[1:${limit}]), '[]') as listed
      from lost_entry e where e.system_id = t.system_id and e.timeline = t.timeline
    ) l
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
