/**
 * Erases what a deleted account leaves behind, as erasure-plan.ts says: in small batches, each a statement
 * of its own, so that an account of any size holds nobody up and a crash costs one batch.
 */
import assert from 'node:assert/strict'
import { transact } from '../../kit/postgres/database.ts'
import type { Db } from '../../store/database.ts'
import { readReceiptDigest } from '../money/read-receipt.ts'
import { listUnerased, setAccountErased } from '../../store/accounts.ts'
import { type ErasurePlace, listUnerasedJobs } from '../../store/erased-jobs.ts'
import { eraseRowsOfAccount, eraseRowsOfJobs } from '../../store/erasure.ts'
import { setErased, stripJob } from '../../store/jobs.ts'
import { ERASURE_PLAN, type ErasurePlan } from '../../model/accounts/erasure-plan.ts'

/** Rows of a deleted account that one statement deletes, and jobs whose rows it looks among. */
const ERASED_ROWS = 2_000
const ERASED_JOBS_AT_ONCE = 20
const ERASED_ACCOUNTS_AT_ONCE = 5
/** By then whatever was under way when an account was deleted has ended: what that left is deleted, too. */
const ERASURE_LOOKS_AGAIN_SECONDS = 600

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
      limit: ERASED_JOBS_AT_ONCE,
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
  for (let rows: number = ERASED_ROWS; rows === ERASED_ROWS;) {
    rows = await erase(ERASED_ROWS)
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
  minSeconds: number = ERASURE_LOOKS_AGAIN_SECONDS,
): Promise<number> {
  const accounts = await listUnerased(db, { minSeconds, limit: ERASED_ACCOUNTS_AT_ONCE })
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
