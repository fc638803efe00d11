/**
 * Compares the counts that admission goes by with the jobs themselves, and corrects them. They change with
 * the jobs in one commit; a process of an earlier version, or a hand in the tables, counts nothing.
 */
import { transact } from '../../kit/postgres/database.ts'
import type { Db } from '../../store/database.ts'
import {
  findMiscounted,
  findShardDifferences,
  lockAccountsAtWork,
  setAccountsAtWork,
} from '../../store/admission.ts'
import { listOpenJobIds } from '../../store/jobs.ts'
import { lockBalance, setOpenJobs } from '../../store/ledger.ts'

/** Accounts whose count is corrected at a time. */
const RECOUNTED_AT_ONCE = 100

/** Returns how many counts were wrong. Many processes may run it at once. */
export async function recountOpenJobs(db: Db): Promise<number> {
  let corrected = 0
  for (const accountId of await findMiscounted(db, RECOUNTED_AT_ONCE)) {
    corrected += await transact(db, async (tx) => {
      const { openJobs: before } = await lockBalance(tx, accountId)
      const openJobs = (await listOpenJobIds(tx, accountId)).length
      if (openJobs !== before) await setOpenJobs(tx, accountId, openJobs)
      return openJobs === before ? 0 : 1
    })
  }
  if ((await findShardDifferences(db)).length === 0) return corrected

  return transact(db, async (tx) => {
    await lockAccountsAtWork(tx)
    const differences = await findShardDifferences(tx)
    for (const difference of differences) await setAccountsAtWork(tx, difference)
    return corrected + differences.length
  })
}
