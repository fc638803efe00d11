/** Changes what an app may spend in a month; it holds for the next job. */
import type { Db } from '../../store/database.ts'
import { updateCap } from '../../store/app-connections.ts'

/** False where the account has no such app. */
export function changeCap(
  db: Db,
  change: { id: string; accountId: string; monthlyCapMicros: bigint },
): Promise<boolean> {
  return updateCap(db, change)
}
