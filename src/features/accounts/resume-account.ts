/** Resumes a suspended account: its keys work again, and its owner may sign in. */
import { setSuspended } from '../../store/accounts.ts'
import { transact } from '../../kit/postgres/database.ts'
import type { Db } from '../../store/database.ts'
import { insertAct } from '../../store/operator-acts.ts'

/** False where the account is not suspended. Jobs that the suspension ended stay ended. */
export function resumeAccount(
  db: Db,
  { accountId, ...word }: { accountId: string; actor: string; reason: string | null },
): Promise<boolean> {
  return transact(db, async (tx) => {
    if (!(await setSuspended(tx, accountId, false))) return false
    await insertAct(tx, { act: 'resume_account', accountId, jobId: null, ...word })
    return true
  })
}
