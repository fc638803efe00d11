/** Subscriptions as the API shows our records of them. */
import type { Static } from 'typebox'
import { formatUsd } from '../../model/money/money.ts'
import type { SpentSubscription } from '../../features/follow/subscriptions.ts'
import { Subscription } from './schema.ts'

export function presentSubscription(subscription: SpentSubscription): Static<typeof Subscription> {
  const { id, line, title, state, createdAt, lastLookedAt, nextLookAt, notice } = subscription
  return {
    id,
    url: line,
    title,
    state,
    createdAt: createdAt.toISOString(),
    lastLookedAt: lastLookedAt?.toISOString() ?? null,
    nextLookAt: nextLookAt?.toISOString() ?? null,
    ...(subscription.isNeverFound ? { neverFound: true } : {}),
    monthlyCap: formatUsd(subscription.capMicros),
    ...(subscription.everyHours === null ? {} : { everyHours: subscription.everyHours }),
    ...(subscription.skipsOwned ? {} : { owned: 'again' as const }),
    spentThisMonth: formatUsd(subscription.spentMicros),
    jobs: subscription.jobIds,
    notice,
  }
}
