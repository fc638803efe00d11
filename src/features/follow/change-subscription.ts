/** Changes a subscription's cap or how often it is looked at, pauses or resumes it, or deletes it. */
import { transact } from '../../kit/postgres/database.ts'
import type { Db } from '../../store/database.ts'
import { signal } from '../../store/signals.ts'
import {
  changeSubscriptionTerms,
  changeSubscriptionRow,
  deleteSubscriptionRow,
  findSubscription,
  lockSubscription,
  type SubscriptionRow,
} from '../../store/subscriptions.ts'
import { forgetGoneMail } from '../../store/subscription-mails.ts'
import { capOf } from './create-subscription.ts'
import { type PresentSubscription, recordEvents } from './record-events.ts'
import { subscriptionEvents } from '../../model/follow/subscription.ts'

type OwnedSubscription = { accountId: string; subscriptionId: string }

export type SubscriptionChange = {
  monthlyCap: string | null
  /** Null: as often as its source publishes; undefined stays. */
  everyHours: number | null | undefined
  state: 'active' | 'paused' | null
}

/**
 * What is null stays. After a pause only what is published from then on is new. A look that is under way is
 * fenced off, and the next one is due at once. Null where the account has none of this id.
 */
export function changeSubscription(
  { db, present }: { db: Db; present: PresentSubscription },
  { change, ...owned }: OwnedSubscription & { change: SubscriptionChange },
): Promise<SubscriptionRow | null> {
  const given = change.monthlyCap === null ? null : capOf(change.monthlyCap)
  return transact(db, async (tx) => {
    const before = await lockSubscription(tx, owned)
    if (before === null) return null
    const { everyHours = before.everyHours } = change
    const terms = { capMicros: given ?? before.capMicros, everyHours }
    const rests = before.state === 'paused' || before.state === 'gone'
    if (rests && change.state !== 'active') {
      await changeSubscriptionTerms(tx, owned.subscriptionId, terms) // all that changes at rest
      return findSubscription(tx, owned)
    }
    if (before.state === 'gone') await forgetGoneMail(tx, owned.subscriptionId)
    const state = change.state ?? 'active'
    await changeSubscriptionRow(tx, owned.subscriptionId, { ...terms, state, isResumed: rests })
    const types = subscriptionEvents(before.state, { state, found: 0 })
    await recordEvents(tx, present, { ...owned, types })
    await signal(tx, 'scriptorium_look', '')
    return findSubscription(tx, owned)
  })
}

/** Its jobs, and what they delivered, stay. False where the account has none of this id. */
export function removeSubscription(db: Db, owned: OwnedSubscription): Promise<boolean> {
  return transact(db, (tx) => deleteSubscriptionRow(tx, owned))
}
