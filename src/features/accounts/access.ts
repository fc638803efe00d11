/** Who has access to an account: sessions, keys, passkeys and apps, read and taken away. */
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

/** Sessions of a user that are listed, those used last. */
const SESSIONS_LISTED = 100

export type OpenSessionRow = Omit<SessionRow, 'userAgent'> & { device: string }

/** Newest first, revoked ones included; never the website's own bearers. */
export function readKeys(db: Db, accountId: string): Promise<ApiKeyRow[]> {
  return listApiKeys(db, accountId)
}

/** The same, with what each capped key spent this month, in micros. */
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

/** A user's password, hashed; null where they have none. */
export function readPassword(db: Db, userId: string): Promise<string | null> {
  return findPasswordOf(db, userId)
}

/** A user's sessions, with their devices in plain words, the last used first. */
export async function readSessions(db: Db, userId: string): Promise<OpenSessionRow[]> {
  const sessions = await listSessions(db, { userId, limit: SESSIONS_LISTED })
  return sessions.map(({ userAgent, ...session }) => ({
    ...session,
    device: deviceName(userAgent),
  }))
}

/** Changes of its address that wait for their link, or may still be undone; oldest first. */
export function readAddressChanges(db: Db, accountId: string): Promise<AddressChange[]> {
  return listAddressChanges(db, accountId)
}

/** What opens it besides the password: told after a reset, which may follow a break-in. */
export function readAccess(db: Db, userId: string): Promise<Access> {
  return countAccess(db, userId)
}

// Revokes whatever opens a user's account besides the password: after a reset, or a change of address that was not
// theirs.

const EVER = new Date(0)

/** Every key, bearer, app and passkey, in one commit. Returns how many of each there were. */
export function revokeAllAccess(db: Db, userId: string): Promise<Access> {
  return transact(db, (tx) => revokeAccess(tx, { userId, since: EVER }))
}

/**
 * The same of what was made since; an older app loses what it was allowed since. Consents are locked before their
 * tokens, as by an app that asks for another token.
 */
export async function revokeAccess(tx: Tx, made: { userId: string; since: Date }): Promise<Access> {
  const apps = await revokeAppsOfUser(tx, made)
  await deleteGrantsOf(tx, apps)
  await deleteGrantsSince(tx, made)
  const keys = await revokeKeysOfUser(tx, made)
  return { keys, passkeys: await deletePasskeys(tx, made), apps: apps.length }
}

// Ends one of a user's sessions: its browser is nobody with its next request.

/**
 * The bearers of the account's other sessions end, too, since none knows whose it is; those that go on get
 * another. False where the user has no such session.
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
