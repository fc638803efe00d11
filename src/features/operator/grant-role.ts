/** Gives and takes the operator role: only by the command, and never at the website. */
import { transact } from '../../kit/postgres/database.ts'
import type { Db } from '../../store/database.ts'
import { insertAct } from '../../store/operator-acts.ts'
import {
  deleteOperator,
  findOperator,
  insertOperator,
  type KnownOperator,
  listOperators,
} from '../../store/operators.ts'

type Word = { accountId: string; actor: string; reason: string | null }

/** The second factor is set up at their first visit. False where the account has the role already. */
export function grantOperator(db: Db, word: Word): Promise<boolean> {
  return transact(db, async (tx) => {
    if (!(await insertOperator(tx, word.accountId))) return false
    await insertAct(tx, { act: 'grant_operator', jobId: null, ...word })
    return true
  })
}

/** At once, also for sessions that are open; the second factor is forgotten. False where there is no such role. */
export function revokeOperator(db: Db, word: Word): Promise<boolean> {
  return transact(db, async (tx) => {
    if (!(await deleteOperator(tx, word.accountId))) return false
    await insertAct(tx, { act: 'revoke_operator', jobId: null, ...word })
    return true
  })
}

export function readOperators(db: Db): Promise<(KnownOperator & { accountId: string })[]> {
  return listOperators(db)
}

export async function readIsOperator(db: Db, accountId: string): Promise<boolean> {
  return (await findOperator(db, accountId)) !== null
}
