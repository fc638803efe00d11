/** Ends one of a user's sessions: its browser is nobody with its next request. */
import { transact } from '../../kit/postgres/database.ts'
import type { Db } from '../../store/database.ts'
import { revokeSessionBearers } from '../../store/accounts.ts'
import { deleteSession } from '../../store/sign-in.ts'

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
