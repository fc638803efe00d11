/** Rows of deleted accounts in any table, as model/accounts/erasure-plan.ts names them: the one file that deletes what others own. */
import { sql } from 'kysely'
import type { Db } from './database.ts'

/** Deletes up to `rowsMax` rows of these jobs from a table with a `job_id`. Returns how many. */
export async function eraseRowsOfJobs(
  db: Db,
  table: string,
  { jobIds, rowsMax }: { jobIds: string[]; rowsMax: number },
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where ctid = any(array(
      select ctid from ${sql.table(table)} where job_id = any(${jobIds}) limit ${rowsMax}))
  `.execute(db)
  return Number(numAffectedRows ?? 0n)
}

/** Deletes up to `rowsMax` rows of the account; `condition` says which, with `$1` for the account. */
export async function eraseRowsOfAccount(
  db: Db,
  { table, condition }: { table: string; condition: string },
  { accountId, rowsMax }: { accountId: string; rowsMax: number },
): Promise<number> {
  const [before = '', after = ''] = condition.split('$1')
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where ctid = any(array(
      select ctid from ${sql.table(table)} where ${sql.raw(before)}${accountId}${sql.raw(after)} limit ${rowsMax}))
  `.execute(db)
  return Number(numAffectedRows ?? 0n)
}
