/** Reads what opens an account: API keys and, for its user at the website, password, passkeys and sessions. */
import type { Db } from '../postgres/database.ts'
import { type ApiKeyRow, listApiKeys } from '../store/accounts.ts'
import {
  type Access,
  countAccess,
  readSignInMethods,
  type SignInMethods,
} from '../store/sign-in.ts'

/** Newest first, revoked ones included; never the website's own bearers. */
export function readKeys(db: Db, accountId: string): Promise<ApiKeyRow[]> {
  return listApiKeys(db, accountId)
}

export function readMethods(db: Db, userId: string): Promise<SignInMethods> {
  return readSignInMethods(db, userId)
}

/** What opens it besides the password: told after a reset, which may follow a break-in. */
export function readAccess(db: Db, userId: string): Promise<Access> {
  return countAccess(db, userId)
}
