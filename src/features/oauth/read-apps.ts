/** Reads what an account lets apps do. */
import type { Db } from '../../store/database.ts'
import { findWaitingLogin, type WaitingLogin } from '../../store/device-logins.ts'
import { type AppRow, findConnection, listApps } from '../../store/app-connections.ts'

/** Those that are connected now, the latest first. */
export function readApps(db: Db, accountId: string): Promise<AppRow[]> {
  return listApps(db, accountId)
}

/** Null where the account does not know the client yet. */
export function readConnection(
  db: Db,
  asked: { accountId: string; clientId: string },
): ReturnType<typeof findConnection> {
  return findConnection(db, asked)
}

/** The login that waits for this code to be typed, or null. */
export function readWaitingLogin(db: Db, userCode: string): Promise<WaitingLogin | null> {
  return findWaitingLogin(db, { userCode, isLocked: false })
}
