/** Records what webhooks are to be told of a subscription, in the transaction that changes it. */
import type { Tx } from '../../store/database.ts'
import { signal } from '../../store/signals.ts'
import { insertSubscriptionDeliveries } from '../../store/webhook-deliveries.ts'
import { receiversOfEvents } from '../../store/webhooks.ts'
import { readSubscription, type SpentSubscription } from './read-subscriptions.ts'
import type { SubscriptionEventType } from '../../model/follow/subscription.ts'

/** A subscription as the API shows it. */
export type PresentSubscription = (subscription: SpentSubscription) => object

/** After the change: it is told as it is then. Nothing is read where nobody asked for these events. */
export async function recordEvents(
  tx: Tx,
  present: PresentSubscription,
  told: { accountId: string; subscriptionId: string; types: SubscriptionEventType[] },
): Promise<void> {
  const { types, ...owned } = told
  if (types.length === 0) return
  const receivers = await receiversOfEvents(tx, { accountId: told.accountId, types })
  if (receivers.length === 0) return
  const subscription = await readSubscription(tx, owned)
  if (subscription === null) return
  await insertSubscriptionDeliveries(tx, receivers, present(subscription))
  await signal(tx, 'scriptorium_delivery', '')
}
