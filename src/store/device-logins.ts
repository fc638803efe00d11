/** The table `device_login`: programs that wait until a person has typed their code. */
import { sql } from 'kysely'
import type { AppScope, Audience } from '../model/oauth/authorization.ts'
import { overdue } from './overdue.ts'
import { isUniqueViolation } from '../kit/postgres/database.ts'
import type { Db, Tx } from './database.ts'

export type NewDeviceLogin = {
  deviceHash: Buffer
  userCode: string
  clientId: string
  scopes: AppScope[]
  audience: Audience[]
  lifetimeSeconds: number
}

/** Returns false where the user code is taken: the caller tries another one. */
export async function insertDeviceLogin(db: Db, login: NewDeviceLogin): Promise<boolean> {
  try {
    await sql`
      insert into device_login (device_hash, user_code, client_id, scopes, audience, expires_at)
      values (${login.deviceHash}, ${login.userCode}, ${login.clientId}, ${login.scopes}, ${login.audience},
        now() + make_interval(secs => ${login.lifetimeSeconds}))
    `.execute(db)
    return true
  } catch (error) {
    if (isUniqueViolation(error, 'device_login_user_code_key')) return false
    throw error
  }
}

export type WaitingLogin = { clientId: string; scopes: AppScope[]; audience: Audience[] }

/** Returns an undecided, unexpired login, or null. `isLocked` locks it, so that it is decided once. */
export async function findWaitingLogin(
  db: Db,
  { userCode, isLocked }: { userCode: string; isLocked: boolean },
): Promise<WaitingLogin | null> {
  const { rows } = await sql<{ clientId: string; scopes: string[]; audience: string[] }>`
    select client_id as "clientId", scopes, audience from device_login
    where user_code = ${userCode} and expires_at > now() and not is_denied and grant_id is null ${isLocked ? sql`for update` : sql``}
  `.execute(db)
  const [row] = rows
  return row === undefined
    ? null
    : { ...row, scopes: row.scopes as AppScope[], audience: row.audience as Audience[] }
}

/** Records the person's decision; a null `grantId` denies. */
export async function decideDeviceLogin(
  tx: Tx,
  { userCode, grantId }: { userCode: string; grantId: string | null },
): Promise<void> {
  await tx
    .updateTable('device_login')
    .set({ grant_id: grantId, is_denied: grantId === null })
    .where('user_code', '=', userCode)
    .execute()
}

export type PolledLogin = {
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
  const { rows } = await sql<PolledLogin>`
    with before as (select * from device_login where device_hash = ${deviceHash} for update)
    update device_login d set polled_at = now() from before b where d.device_hash = b.device_hash
    returning b.client_id as "clientId", b.grant_id as "grantId", b.is_denied as "isDenied", b.expires_at < now() as "isExpired",
      coalesce(b.polled_at > now() - make_interval(secs => ${intervalSeconds}), false) as "isTooSoon"
  `.execute(db)
  return rows[0] ?? null
}

/** Returns false where the login is gone: another request has taken its tokens. */
export async function deleteDeviceLogin(tx: Tx, deviceHash: Buffer): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('device_login')
    .where('device_hash', '=', deviceHash)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Deletes up to `rowsMax` expired logins. Returns how many. */
export async function sweepDeviceLogins(db: Db, rowsMax: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('device_login')
    .where(
      'device_hash',
      'in',
      overdue({ table: 'device_login', key: 'device_hash', endsAt: 'expires_at' }, rowsMax),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}
