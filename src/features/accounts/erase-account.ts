/**
 * Erases what a deleted account leaves behind, as erasure-plan.ts says: in small batches, each a statement
 * of its own, so that an account of any size holds nobody up and a crash costs one batch.
 */
import assert from 'node:assert/strict'
import { LIMITS } from '../../kit/config/config.ts'
import { transact } from '../../kit/postgres/database.ts'
import type { Db } from '../../store/database.ts'
import { readReceiptDigest } from '../money/read-receipt.ts'
import { listUnerased, setAccountErased } from '../../store/accounts.ts'
import { type ErasurePlace, listUnerasedJobs } from '../../store/erased-jobs.ts'
import { eraseRowsOfAccount, eraseRowsOfJobs } from '../../store/erasure.ts'
import { setErased, stripJob } from '../../store/jobs.ts'
import { ERASURE_PLAN, type ErasurePlan } from '../../model/accounts/erasure-plan.ts'

/** How many rows of each table were deleted. */
export type ErasedRows = Record<string, number>

/** May be repeated, and run by several processes at once: each finds what is left. */
export async function eraseAccount(
  db: Db,
  accountId: string,
  plan: ErasurePlan = ERASURE_PLAN,
): Promise<ErasedRows> {
  const erased: ErasedRows = {}
  const eraseTables = async (tables: ErasurePlan['ofAccount']): Promise<void> => {
    for (const [table, condition] of Object.entries(tables)) {
      await inBatches(erased, table, (rowsMax) =>
        eraseRowsOfAccount(db, { table, condition }, { accountId, rowsMax }),
      )
    }
  }
  await eraseTables(plan.ofAccount)
  for (let after: ErasurePlace | null = null; ;) {
    const jobs: ErasurePlace[] = await listUnerasedJobs(db, {
      accountId,
      after,
      limit: LIMITS.erasedJobsAtOnce,
    })
    if (jobs.length === 0) break
    const jobIds = jobs.map(({ id }) => id)
    for (const jobId of jobIds) await sealJob(db, { accountId, jobId })
    for (const table of plan.ofJobs)
      await inBatches(erased, table, (rowsMax) => eraseRowsOfJobs(db, table, { jobIds, rowsMax }))
    await setErased(db, jobIds)
    after = jobs.at(-1) ?? null
  }
  await eraseTables(plan.afterJobs)
  return erased
}

/** Before its first row goes: afterwards nobody could tell what its receipt said. */
function sealJob(db: Db, owned: { accountId: string; jobId: string }): Promise<void> {
  return transact(db, async (tx) => {
    const digest = await readReceiptDigest(tx, owned)
    assert(digest !== null, `job ${owned.jobId} of a deleted account is final`)
    await stripJob(tx, owned.jobId, digest)
  })
}

async function inBatches(
  erased: ErasedRows,
  table: string,
  erase: (rowsMax: number) => Promise<number>,
): Promise<void> {
  for (let rows: number = LIMITS.erasedRows; rows === LIMITS.erasedRows;) {
    rows = await erase(LIMITS.erasedRows)
    erased[table] = (erased[table] ?? 0) + rows
  }
}

/**
 * Erases accounts that were deleted some time ago once more: what a crash left, and what work that was
 * under way then wrote afterwards. Returns how many accounts. One that fails keeps no other waiting; the first
 * failure is thrown in the end.
 */
export async function eraseDeletedAccounts(
  db: Db,
  minSeconds: number = LIMITS.erasureLooksAgainSeconds,
): Promise<number> {
  const accounts = await listUnerased(db, { minSeconds, limit: LIMITS.erasedAccountsAtOnce })
  const outcomes = []
  for (const { id } of accounts) {
    const [outcome] = await Promise.allSettled([
      eraseAccount(db, id).then(() => setAccountErased(db, id)),
    ])
    outcomes.push(outcome)
  }
  const failed = outcomes.find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
  return accounts.length
}
