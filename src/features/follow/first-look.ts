/** Waits for the first look at what was just followed: it tells whether the platform has such a list. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../store/database.ts'
import { readSubscription, type SpentSubscription } from './subscriptions.ts'

const FIRST_LOOK_PAUSE_MS = 300

/**
 * Returns the subscription once it was looked at, or as it is when `waitMs` are over or the caller leaves; null where
 * the account has none of this id.
 */
export async function waitForFirstLook(
  db: Db,
  owned: { accountId: string; subscriptionId: string },
  { waitMs, departure }: { waitMs: number; departure: AbortSignal },
): Promise<SpentSubscription | null> {
  const untilMs = performance.now() + waitMs
  for (;;) {
    const one = await readSubscription(db, owned)
    const isDone = one === null || one.lastLookedAt !== null || one.notice !== null
    if (isDone || performance.now() >= untilMs || departure.aborted) return one
    await sleep(FIRST_LOOK_PAUSE_MS, undefined, { signal: departure }).catch(() => undefined)
  }
}
