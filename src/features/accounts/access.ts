/** Access to an account: sessions, keys, passkeys and apps, read, taken away, and deleted when they have expired. */
import { sweepInBatches } from '../../kit/loop.ts'
import { transact } from '../../kit/postgres/database.ts'
import { deviceName } from '../../model/accounts/sign-in.ts'
import {
  type ApiKeyRow,
  listApiKeys,
  revokeKeysOfUser,
  revokeSessionBearers,
} from '../../store/accounts.ts'
import { revokeAppsOfUser } from '../../store/app-connections.ts'
import type { Db, Tx } from '../../store/database.ts'
import { sweepTable } from '../../store/erasure.ts'
import { deleteGrantsOf, deleteGrantsSince } from '../../store/oauth-grants.ts'
import { sweepBuckets } from '../../store/rate-buckets.ts'
import {
  type Access,
  deletePasskeys,
  deleteSession,
  listSessions,
  type SessionTimes,
} from '../../store/sign-in.ts'
import { listKeySpendings } from '../../store/spending.ts'

export { listAddressChanges } from '../../store/address-changes.ts'
export { countAccess, findPasswordOf, readSignInMethods } from '../../store/sign-in.ts'

/** Number of a user's sessions that are listed, those used last. */
const SESSIONS_LISTED = 100

type OpenSessionRow = SessionTimes & { device: string }

/** Returns the account's keys, and what each capped key spent this month, in micros. */
export async function readKeysWithSpending(
  db: Db,
  accountId: string,
): Promise<{ keys: ApiKeyRow[]; spentMicros: Map<string, bigint> }> {
  const [keys, spentMicros] = await Promise.all([
    listApiKeys(db, accountId),
    listKeySpendings(db, accountId),
  ])
  return { keys, spentMicros }
}

/** Returns a user's sessions, with their devices in plain words, the last used first. */
export async function readSessions(db: Db, userId: string): Promise<OpenSessionRow[]> {
  const sessions = await listSessions(db, { userId, limit: SESSIONS_LISTED })
  return sessions.map(({ userAgent, ...session }) => ({
    ...session,
    device: deviceName(userAgent),
  }))
}

/** Revokes every key, bearer, app and passkey in one commit. Returns how many of each there were. */
export function revokeAllAccess(db: Db, userId: string): Promise<Access> {
  return transact(db, (tx) => revokeAccess(tx, { userId, since: new Date(0) }))
}

/**
 * Revokes the access that was made since an instant; an older app loses what it was allowed since. Consents are locked
 * before their tokens, as by an app that asks for another token.
 */
export async function revokeAccess(tx: Tx, made: { userId: string; since: Date }): Promise<Access> {
  const apps = await revokeAppsOfUser(tx, made)
  await deleteGrantsOf(tx, apps)
  await deleteGrantsSince(tx, made)
  const keys = await revokeKeysOfUser(tx, made)
  return { keys, passkeys: await deletePasskeys(tx, made), apps: apps.length }
}

/**
 * Ends the session and all bearers of the account, since a bearer names no session; browsers that stay signed in get
 * another. Returns false where the user has no such session.
 */
export function endSession(
  db: Db,
  { accountId, ...session }: { accountId: string; userId: string; sessionId: string },
): Promise<boolean> {
  return transact(db, async (tx) => {
    if (!(await deleteSession(tx, session))) return false
    await revokeSessionBearers(tx, accountId)
    return true
  })
}

/** Number of buckets that one statement deletes. */
const SWEPT_BUCKETS_MAX = 10_000

/** Deletes expired sessions, links, challenges, sign-ups and changes of address. Returns how many rows. */
export function sweepSignIn(db: Db): Promise<number> {
  return sweepInBatches((rowsMax) => deleteVoidRows(db, rowsMax))
}

/** Deletes up to `rowsMax` rows of each kind. Returns how many; processes may run it side by side. */
export async function deleteVoidRows(db: Db, rowsMax: number): Promise<number> {
  const sessions = await sweepTable(db, 'sign_in_session', { rowsMax })
  const links = await sweepTable(db, 'sign_in_verification', { rowsMax })
  const changes = await sweepTable(db, 'address_change', { rowsMax })
  return sessions + links + changes + (await sweepTable(db, 'sign_up', { rowsMax }))
}

/** Deletes rate limits that are long full again, in batches: some may have been made by a flood. */
export async function sweepRateLimits(db: Db): Promise<void> {
  while ((await sweepBuckets(db, SWEPT_BUCKETS_MAX)) === SWEPT_BUCKETS_MAX);
}
