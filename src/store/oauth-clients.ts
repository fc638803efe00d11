/** The table `oauth_client`: apps, as they describe themselves. */
import { sql } from 'kysely'
import type { Client, ClientKind } from '../model/oauth/client.ts'
import type { Db, Tx } from './database.ts'

export type ClientRow = Client & { ageSeconds: number }
type Row = Omit<ClientRow, 'kind'> & { kind: string }

/** Returns the client, or null; `ageSeconds` is the time since its description was read. */
export async function findClient(db: Db, id: string): Promise<ClientRow | null> {
  const { rows } = await sql<Row>`
    select id, kind, name, redirect_uris as "redirectUris", extract(epoch from now() - read_at)::double precision as "ageSeconds"
    from oauth_client where id = ${id}
  `.execute(db)
  return rows[0] === undefined ? null : { ...rows[0], kind: rows[0].kind as ClientKind }
}

/** Keeps a client's description, replacing an earlier one, since its document may have changed. */
export async function upsertClient(
  db: Db,
  { id, kind, name, redirectUris }: Client,
): Promise<void> {
  await sql`
    insert into oauth_client (id, kind, name, redirect_uris) values (${id}, ${kind}, ${name}, ${redirectUris})
    on conflict (id) do update set name = excluded.name, redirect_uris = excluded.redirect_uris, read_at = now()
  `.execute(db)
}

/** Marks a client as connected, so that it is not swept. */
export async function markClientConnected(tx: Tx, id: string): Promise<void> {
  await sql`
    update oauth_client set connected_at = coalesce(connected_at, now()) where id = ${id}
  `.execute(tx)
}

/** Whether at least `max` clients were never connected. */
export async function hasUnconnectedClients(db: Db, max: number): Promise<boolean> {
  const { rows } = await sql<{ clients: number }>`
    select count(*)::int as clients from (select from oauth_client where connected_at is null limit ${max}) found
  `.execute(db)
  return (rows[0]?.clients ?? 0) >= max
}

/** Deletes up to `rowsMax` clients that nobody connected within `seconds`. Returns how many. */
export async function sweepClients(
  db: Db,
  { seconds, rowsMax }: { seconds: number; rowsMax: number },
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from oauth_client where id in (
      select id from oauth_client where connected_at is null
        and created_at < now() - ${seconds}::double precision * interval '1 second'
      order by created_at limit ${rowsMax} for update skip locked)
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}
