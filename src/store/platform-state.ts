/**
 * The platform as operators see it: the state of the egress routes, and the table `retired_client`, versions of the
 * platform's apps that it no longer accepts.
 */
import { sql } from 'kysely'
import { type Db, query } from './database.ts'
import { came, roomAt } from './egress-captions.ts'

/** SQL for when a route has room again; all that came is counted. */
const ROOM_AT = roomAt('0')

export type RouteState = {
  name: string
  ratePerMinute: number
  /** Null while the route may be used. */
  restsUntil: Date | null
  /** Blocks in a row, which lengthen the next rest. */
  blocks: number
  deliveredAt: Date | null
  /** Captions a day that it may fetch, as set or learned; null where there is no bound. */
  captionsPerDay: number | null
  /** Captions that came within a day. */
  captionsCame: number
  /** When it may fetch captions again; null where its day has room. */
  roomAt: Date | null
}

/** Returns the state of up to 500 routes by name, of all that were ever used, also by processes that are gone. */
export async function listRouteStates(db: Db): Promise<RouteState[]> {
  return query<RouteState>`
    select name, rate_per_minute as "ratePerMinute", case when rest_until > now() then rest_until end as "restsUntil",
      blocks, delivered_at as "deliveredAt", coalesce(captions_set, floor(captions_per_day))::int as "captionsPerDay",
      ${sql.raw(came())} as "captionsCame", ${sql.raw(ROOM_AT)} as "roomAt"
    from egress_route, (select now() as asked) t order by name limit 500
  `.rows(db)
}

/**
 * Returns when the first of the routes that were used within a day has room for captions again; null where one has room
 * now.
 */
export async function findRoom(db: Db): Promise<Date | null> {
  return query<{ roomAt: Date | null }>`
    select case when bool_and(r.room is not null) then min(r.room) end as "roomAt" from (
      select ${sql.raw(ROOM_AT)} as room from egress_route, (select now() as asked) t
      where free_at > t.asked - interval '1 day'
    ) r
  `.value(db)
}

type ClientVersion = { name: string; version: string }

/** Notes that a version is retired; repeating it keeps the first time. */
export async function keepRetired(db: Db, { name, version }: ClientVersion): Promise<void> {
  await sql`
    insert into retired_client (name, version) values (${name}, ${version}) on conflict (name, version) do nothing
  `.execute(db)
}

/** Removes a version that the platform answers again. */
export async function forgetRetired(db: Db, { name, version }: ClientVersion): Promise<void> {
  await sql`delete from retired_client where name = ${name} and version = ${version}`.execute(db)
}

export async function listRetired(db: Db) {
  return query<ClientVersion & { retiredAt: Date }>`
    select name, version, retired_at as "retiredAt" from retired_client order by retired_at
  `.rows(db)
}
