/** Reads an account's subscriptions with what they spent this month and their latest jobs. */
import { LIMITS } from '../../kit/config/config.ts'
import type { Db } from '../../store/database.ts'
import { readSpendingOfMonth, type SubscriptionSpending } from '../../store/subscription-jobs.ts'
import {
  countSubscriptions,
  findSubscription,
  listSubscriptions,
  type SubscriptionRow,
} from '../../store/subscriptions.ts'

export type SpentSubscription = SubscriptionRow & Omit<SubscriptionSpending, 'id'>

/** Newest first. */
export async function readSubscriptions(
  db: Db,
  ask: { accountId: string; offset: number; limit: number },
): Promise<{ total: number; subscriptions: SpentSubscription[] }> {
  const total = await countSubscriptions(db, ask.accountId)
  const rows = await listSubscriptions(db, ask)
  return { total, subscriptions: await withSpending(db, rows) }
}

/** Null where the account has none of this id. */
export async function readSubscription(
  db: Db,
  owned: { accountId: string; subscriptionId: string },
): Promise<SpentSubscription | null> {
  const row = await findSubscription(db, owned)
  if (row === null) return null
  const [found] = await withSpending(db, [row])
  return found ?? null
}

export async function withSpending(db: Db, rows: SubscriptionRow[]): Promise<SpentSubscription[]> {
  const subscriptionIds = rows.map(({ id }) => id)
  const spending = await readSpendingOfMonth(db, {
    subscriptionIds,
    jobsMax: LIMITS.subscriptionJobsShown,
  })
  const byId = new Map(spending.map((one) => [one.id, one]))
  return rows.map((row) => {
    const { spentMicros = 0n, jobIds = [] } = byId.get(row.id) ?? {}
    return { ...row, spentMicros, jobIds }
  })
}
