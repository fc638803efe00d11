/** Deletes rows of sign-in that nobody can use any more, a bounded number at once. */
import { sql } from 'kysely'
import type { Db } from '../postgres/database.ts'

/** Each table with its key and with when its rows are void. */
const VOID = [
  { table: 'sign_in_session', key: 'id', since: 'expires_at' },
  { table: 'sign_in_verification', key: 'id', since: 'expires_at' },
  { table: 'sign_up', key: 'token_hash', since: 'expires_at' },
  { table: 'attempt_bucket', key: 'id', since: 'full_at' },
] as const

/** Deletes up to `rowsMax` of each table. Returns how many it were; processes may run it side by side. */
export async function deleteVoidRows(db: Db, rowsMax: number): Promise<number> {
  let deleted = 0n
  for (const { table, key, since } of VOID) {
    const [name, id, at] = [sql.table(table), sql.ref(key), sql.ref(since)]
    const { numAffectedRows = 0n } = await sql`
      delete from ${name} where ${id} in (
        select ${id} from ${name} where ${at} < now() order by ${at} limit ${rowsMax} for update skip locked)
    `.execute(db)
    deleted += numAffectedRows
  }
  return Number(deleted)
}
