/**
 * The tables `oauth_client` and `device_login`: apps that accounts connected, as they describe themselves, and programs
 * that wait until a person has typed their code.
 */
import { sql } from 'kysely'
import type { AppScope, Audience } from '../model/oauth/authorization.ts'
import type { Client } from '../model/oauth/client.ts'
import { type Db, query, type Tx } from './database.ts'

type ClientRow = Client & { ageSeconds: number }

/** Returns the client, or null; `ageSeconds` is the time since its description was read. */
export async function findClient(db: Db, id: string): Promise<ClientRow | null> {
  return query<ClientRow>`
    select id, kind, name, redirect_uris as "redirectUris", extract(epoch from now() - read_at)::double precision as "ageSeconds"
    from oauth_client where id = ${id}
  `.firstRow(db)
}

/** Keeps a client with its first connection; one that is known stays as it is, and is not swept. */
export async function upsertConnectedClient(
  tx: Tx,
  { id, kind, name, redirectUris }: Client,
): Promise<void> {
  await sql`
    insert into oauth_client (id, kind, name, redirect_uris, connected_at) values (${id}, ${kind}, ${name}, ${redirectUris}, now())
    on conflict (id) do update set connected_at = now() where oauth_client.connected_at is null
  `.execute(tx)
}

/** Notes what a client's document says now; does nothing for a client that is not kept. */
export async function updateClient(db: Db, { id, name, redirectUris }: Client): Promise<void> {
  await sql`
    update oauth_client set name = ${name}, redirect_uris = ${redirectUris}, read_at = now() where id = ${id}
  `.execute(db)
}

/** Pattern of ids of releases before: their rows alone know the app. */
const UNSEALED = '^client_[0-9a-f]{32}$'

/**
 * Gives those of the clients to the sweep that no account connects any more. One that another transaction holds is
 * passed over, since it may just be connected.
 */
export async function releaseClients(tx: Tx, ids: string[]): Promise<void> {
  await sql`
    update oauth_client set connected_at = null where id in (
      select c.id from oauth_client c where c.id = any(${ids}) and c.id !~ ${UNSEALED}
        and not exists (select from app_connection a where a.client_id = c.id)
      for update skip locked)
  `.execute(tx)
}

/**
 * Deletes up to `rowsMax` clients that no account connects, which are older than `seconds`. Returns how many. Only the
 * release before made clients that nobody had connected yet.
 */
export async function sweepClients(
  db: Db,
  { seconds, rowsMax }: { seconds: number; rowsMax: number },
): Promise<number> {
  return query`
    delete from oauth_client where id in (
      select c.id from oauth_client c where c.connected_at is null
        and c.created_at < now() - ${seconds}::double precision * interval '1 second'
        and not exists (select from app_connection a where a.client_id = c.id)
      order by c.created_at limit ${rowsMax} for update skip locked)
  `.rowCount(db)
}

type NewDeviceLogin = {
  deviceHash: Buffer
  userCode: string
  clientId: string
  scopes: AppScope[]
  audience: Audience[]
  lifetimeSeconds: number
}

/** Returns false where the user code is taken: the caller tries another one. */
export async function insertDeviceLogin(db: Db, login: NewDeviceLogin): Promise<boolean> {
  return query`
    insert into device_login (device_hash, user_code, client_id, scopes, audience, expires_at)
    values (${login.deviceHash}, ${login.userCode}, ${login.clientId}, ${login.scopes}, ${login.audience},
      now() + make_interval(secs => ${login.lifetimeSeconds}))
    on conflict (user_code) do nothing
  `.anyRow(db)
}

type WaitingLogin = { clientId: string; scopes: AppScope[]; audience: Audience[] }

/** Returns an undecided, unexpired login, or null. `isLocked` locks it, so that it is decided once. */
export async function findWaitingLogin(
  db: Db,
  { userCode, isLocked }: { userCode: string; isLocked: boolean },
): Promise<WaitingLogin | null> {
  return query<WaitingLogin>`
    select client_id as "clientId", scopes, audience from device_login
    where user_code = ${userCode} and expires_at > now() and not is_denied and grant_id is null ${isLocked ? sql`for update` : sql``}
  `.firstRow(db)
}

/** Records the person's decision; a null `grantId` denies. */
export async function decideDeviceLogin(
  tx: Tx,
  { userCode, grantId }: { userCode: string; grantId: string | null },
): Promise<void> {
  await sql`
    update device_login set grant_id = ${grantId}, is_denied = ${grantId === null} where user_code = ${userCode}
  `.execute(tx)
}

type PolledLogin = {
  clientId: string
  grantId: string | null
  isDenied: boolean
  isExpired: boolean
  isTooSoon: boolean
}

/**
 * Returns what was decided, and notes the time of this poll; null where the login is unknown. `isTooSoon`: the poll
 * before was less than `intervalSeconds` ago.
 */
export async function pollDeviceLogin(
  db: Db,
  { deviceHash, intervalSeconds }: { deviceHash: Buffer; intervalSeconds: number },
): Promise<PolledLogin | null> {
  return query<PolledLogin>`
    with before as (select * from device_login where device_hash = ${deviceHash} for update)
    update device_login d set polled_at = now() from before b where d.device_hash = b.device_hash
    returning b.client_id as "clientId", b.grant_id as "grantId", b.is_denied as "isDenied", b.expires_at < now() as "isExpired",
      coalesce(b.polled_at > now() - make_interval(secs => ${intervalSeconds}), false) as "isTooSoon"
  `.firstRow(db)
}

/** Returns false where the login is gone: another request has taken its tokens. */
export async function deleteDeviceLogin(tx: Tx, deviceHash: Buffer): Promise<boolean> {
  return query`delete from device_login where device_hash = ${deviceHash}`.anyRow(tx)
}
