/** Reads what opens an account: API keys and, for its user at the website, password, passkeys and sessions. */
import type { Db } from '../../store/database.ts'
import { type ApiKeyRow, listApiKeys } from '../../store/accounts.ts'
import { type AddressChange, listAddressChanges } from '../../store/address-changes.ts'
import { listKeySpendings } from '../../store/key-spending.ts'
import {
  type Access,
  countAccess,
  findPasswordOf,
  listSessions,
  readSignInMethods,
  type SessionRow,
  type SignInMethods,
} from '../../store/sign-in.ts'
import { deviceName } from '../../model/accounts/device-name.ts'

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
