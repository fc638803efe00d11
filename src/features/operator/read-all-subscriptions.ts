/** The operator's view of subscriptions: what accounts follow, and when each is looked at. */
import type { Db } from '../../store/database.ts'
import { listAllSubscriptions, type OwnedSubscription } from '../../store/subscriptions.ts'
import type { SubscriptionState } from '../../model/follow/subscription.ts'

export type { OwnedSubscription }

/** Those first whose look is due first; `nextOffset` is null on the last page. */
export async function findSubscriptions(
  db: Db,
  ask: { accountId: string | null; state: SubscriptionState | null; offset: number; limit: number },
): Promise<{ subscriptions: OwnedSubscription[]; nextOffset: number | null }> {
  const { offset, limit } = ask
  const found = await listAllSubscriptions(db, { ...ask, limit: limit + 1 })
  return {
    subscriptions: found.slice(0, limit),
    nextOffset: found.length > limit ? offset + limit : null,
  }
}
