/** Holds what starts a job to its monthly cap: an app's, or that of a key. */
import { affordable, dollars, PRICE_MICROS } from '../../model/money/money.ts'
import type { Db, Tx } from '../../store/database.ts'
import { Problem } from '../../kit/problem.ts'
import { findSpending } from '../../store/app-connections.ts'
import type { OwnKey } from '../../store/authentication.ts'
import { readKeySpending } from '../../store/spending.ts'

export type CapLeft = { of: 'app' | 'key'; leftMicros: bigint }

/** Advice for the owner where a cap does not cover what is asked. */
export const WAY_OUT: Record<CapLeft['of'], string> = {
  app: 'Its owner can raise the limit on the account page',
  key: 'Its owner can create another key on the account page',
}

/** The app, or the owner's key, that spends; both are null for the website. */
type Spending = { connectionId: string | null; ownKey: OwnKey | null }

/**
 * Returns what the app or the key may still spend this month; null where nothing caps it. Throws where it was revoked.
 */
export async function leftOfCap(
  tx: Tx,
  { connectionId, ownKey }: Spending,
): Promise<CapLeft | null> {
  if (connectionId !== null) {
    const spending = await findSpending(tx, { connectionId, isLocked: true })
    if (spending === null) throw new Problem('unauthorized')
    return { of: 'app', leftMicros: leftOf(spending) }
  }
  if (ownKey?.isCapped !== true) return null
  const spending = await readKeySpending(tx, ownKey.id)
  if (spending === null) throw new Problem('unauthorized')
  return { of: 'key', leftMicros: leftOf(spending) }
}

/** Returns what may still be spent, for information only: nothing is locked, and for a revoked app or key it is 0. */
export async function findLeftOfCap(
  db: Db,
  { connectionId, ownKey }: Spending,
): Promise<CapLeft | null> {
  if (connectionId !== null)
    return {
      of: 'app',
      leftMicros: leftOf(await findSpending(db, { connectionId, isLocked: false })),
    }
  if (ownKey?.isCapped !== true) return null
  return { of: 'key', leftMicros: leftOf(await readKeySpending(db, ownKey.id)) }
}

/** Returns what is left of a cap; nothing where its owner lowered it below what was spent. */
function leftOf(spending: { capMicros: bigint; spentMicros: bigint } | null): bigint {
  if (spending === null || spending.capMicros < spending.spentMicros) return 0n
  return spending.capMicros - spending.spentMicros
}

/** Returns how many of the videos the cap pays for; throws where it pays for none. */
export function admittedByCap(cap: CapLeft | null, maxVideos: number): number {
  const admitted = cap === null ? maxVideos : Math.min(maxVideos, affordable(cap.leftMicros))
  if (cap === null || admitted > 0) return admitted
  throw new Problem('insufficient_balance', {
    message:
      `This ${cap.of} has ${dollars(cap.leftMicros)} of its monthly limit left, and one transcript costs ` +
      `${dollars(PRICE_MICROS)}. ${WAY_OUT[cap.of]}; the limit resets each month.`,
  })
}
