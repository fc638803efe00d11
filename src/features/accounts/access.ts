/** Access to an account: sessions, keys, passkeys and apps, read and taken away. */
import { transact } from '../../kit/postgres/database.ts'
import { deviceName } from '../../model/accounts/device-name.ts'
import {
  type ApiKeyRow,
  listApiKeys,
  revokeKeysOfUser,
  revokeSessionBearers,
} from '../../store/accounts.ts'
import { type AddressChange, listAddressChanges } from '../../store/address-changes.ts'
import { revokeAppsOfUser } from '../../store/app-connections.ts'
import type { Db, Tx } from '../../store/database.ts'
import { listKeySpendings } from '../../store/key-spending.ts'
import { deleteGrantsOf, deleteGrantsSince } from '../../store/oauth-grants.ts'
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
} from '../../store/sign-in.ts'

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
