/** Access to an account: sessions, keys, passkeys and apps, read, taken away, and deleted when they have expired. */
import { LIMITS } from '../../kit/config/config.ts'
import { transact } from '../../kit/postgres/database.ts'
import { deviceName } from '../../model/accounts/sign-in.ts'
import {
  type ApiKeyRow,
  listApiKeys,
  revokeKeysOfUser,
  revokeSessionBearers,
} from '../../store/accounts.ts'
import {
  type AddressChange,
  listAddressChanges,
  sweepAddressChanges,
  sweepSignUps,
} from '../../store/address-changes.ts'
import { revokeAppsOfUser } from '../../store/app-connections.ts'
import type { Db, Tx } from '../../store/database.ts'
import { deleteGrantsOf, deleteGrantsSince } from '../../store/oauth-grants.ts'
import { sweepBuckets } from '../../store/rate-buckets.ts'
import {
  type Access,
  countAccess,
  deletePasskeys,
  deleteSession,
  findPasswordOf,
  listSessions,
  readSignInMethods,
  type SessionRow,
  type SignInMethods,
  sweepSignIns,
} from '../../store/sign-in.ts'
import { listKeySpendings } from '../../store/spending.ts'

// Access to an account: sessions, keys, passkeys and apps, read and taken away.

// Reads what opens an account: API keys and, for its user at the website, password, passkeys and sessions.

/** Number of a user's sessions that are listed, those used last. */
const SESSIONS_LISTED = 100

export type OpenSessionRow = Omit<SessionRow, 'userAgent'> & { device: string }

/** Returns the account's keys, newest first, revoked ones included; never the website's own bearers. */
export function readKeys(db: Db, accountId: string): Promise<ApiKeyRow[]> {
  return listApiKeys(db, accountId)
}

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

export function readMethods(db: Db, userId: string): Promise<SignInMethods> {
  return readSignInMethods(db, userId)
}

/** Returns a user's password, hashed; null where they have none. */
export function readPassword(db: Db, userId: string): Promise<string | null> {
  return findPasswordOf(db, userId)
}

/** Returns a user's sessions, with their devices in plain words, the last used first. */
export async function readSessions(db: Db, userId: string): Promise<OpenSessionRow[]> {
  const sessions = await listSessions(db, { userId, limit: SESSIONS_LISTED })
  return sessions.map(({ userAgent, ...session }) => ({
    ...session,
    device: deviceName(userAgent),
  }))
}

/** Returns the changes of the account's address that wait for their link, or may still be undone; oldest first. */
export function readAddressChanges(db: Db, accountId: string): Promise<AddressChange[]> {
  return listAddressChanges(db, accountId)
}

/**
 * Returns what opens the user's account besides the password. A reset shows it, since a break-in may have led to the
 * reset.
 */
export function readAccess(db: Db, userId: string): Promise<Access> {
  return countAccess(db, userId)
}

// Revokes everything besides the password that opens a user's account: after a reset, or a change of address that was
// not theirs.

const EVER = new Date(0)

/** Revokes every key, bearer, app and passkey in one commit. Returns how many of each there were. */
export function revokeAllAccess(db: Db, userId: string): Promise<Access> {
  return transact(db, (tx) => revokeAccess(tx, { userId, since: EVER }))
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

// Ends one of a user's sessions: its browser is not signed in with its next request.

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

// Deletes expired sessions, links, challenges, sign-ups and changes of address, and rate limits that are full
// again.

/** Number of buckets that one statement deletes. */
const SWEPT_BUCKETS_MAX = 10_000

/** Deletes in batches, so that no statement takes long; the rest is left for the next time. Returns how many rows. */
export async function sweepSignIn(db: Db): Promise<number> {
  let swept = 0
  for (let round = 0; round < LIMITS.sweepRounds; round += 1) {
    const deleted = await deleteVoidRows(db, LIMITS.sweepRows)
    swept += deleted
    if (deleted < LIMITS.sweepRows) break
  }
  return swept
}

/** Deletes up to `rowsMax` rows of each kind. Returns how many; processes may run it side by side. */
export async function deleteVoidRows(db: Db, rowsMax: number): Promise<number> {
  const signIns = await sweepSignIns(db, rowsMax)
  const changes = await sweepAddressChanges(db, rowsMax)
  return signIns + changes + (await sweepSignUps(db, rowsMax))
}

/** Deletes rate limits that are long full again, in batches: some may have been made by a flood. */
export async function sweepRateLimits(db: Db): Promise<void> {
  while ((await sweepBuckets(db, SWEPT_BUCKETS_MAX)) === SWEPT_BUCKETS_MAX);
}
