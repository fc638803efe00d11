/** Begins attempts of deliveries that are due: at most so many of each webhook, over all processes. */
import { LIMITS } from '../../kit/config/config.ts'
import { transact } from '../../kit/postgres/database.ts'
import type { Db } from '../../store/database.ts'
import {
  type ClaimedDelivery,
  clampDue,
  claimDeliveries,
  findDue,
  sweepOldDeliveries,
} from '../../store/webhook-deliveries.ts'
import { lockActive } from '../../store/webhooks.ts'
import { RETRY_SECONDS } from '../../model/webhooks/webhook.ts'

/** Above deliveryMs: an attempt without an end after it was lost with its process. */
export const DELIVERY_LEASE_SECONDS = 45

/** Up to `max`. Looks without a lock first: mostly nothing is due. */
export async function claimDue(db: Db, max: number): Promise<ClaimedDelivery[]> {
  const perWebhook = LIMITS.deliveriesPerWebhook
  const due = await findDue(db, { perWebhook, max })
  if (due.length === 0) return []
  return transact(db, async (tx) => {
    const webhookIds = await lockActive(tx, due)
    if (webhookIds.length === 0) return []
    const leaseSeconds = DELIVERY_LEASE_SECONDS
    return claimDeliveries(tx, { webhookIds, perWebhook, max, leaseSeconds })
  })
}

/** Deletes deliveries that are older than the log, and shortens waits that a step of the clock made longer. */
export async function sweepDeliveries(db: Db): Promise<void> {
  await clampDue(db, { retrySeconds: RETRY_SECONDS, leaseSeconds: DELIVERY_LEASE_SECONDS })
  const [keptDays, rowsMax] = [LIMITS.deliveriesKeptDays, LIMITS.sweepRows]
  for (let round = 0; round < LIMITS.sweepRounds; round += 1)
    if ((await sweepOldDeliveries(db, { keptDays, rowsMax })) < rowsMax) return
}
