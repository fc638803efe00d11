/** Begins looks that are due, and gives back those that are not made after all. */
import { affordable } from '../../model/money/money.ts'
import type { Db } from '../../store/database.ts'
import { type ClaimedLook, claimLooks, postponeLook } from '../../store/subscriptions.ts'
import { MONEY_MS, spreadMs } from '../../model/follow/look-schedule.ts'

/** Looks under way: of one account over all processes, and of a process. */
const LOOKS_PER_ACCOUNT = 4
/** Of those that are due, so many are divided among their accounts at once. */
const LOOKS_WINDOW = 128
/** Above that, and what it takes to record it: a look without an end after it was lost. */
export const LOOK_LEASE_SECONDS = 300

/** Up to `max`. A subscription whose account still has no money is asked about again later, without a look. */
export async function claimDueLooks(db: Db, max: number): Promise<ClaimedLook[]> {
  const claimed = await claimLooks(db, {
    max,
    perAccount: LOOKS_PER_ACCOUNT,
    window: LOOKS_WINDOW,
    leaseSeconds: LOOK_LEASE_SECONDS,
  })
  const isPoor = ({ state, availableMicros }: ClaimedLook): boolean =>
    state === 'out_of_money' && affordable(availableMicros) === 0
  for (const look of claimed.filter(isPoor))
    await postponeLook(db, look, spreadMs(MONEY_MS, `${look.id} ${look.look}`) / 1000)
  return claimed.filter((look) => !isPoor(look))
}

/** The process stops: another one makes it. */
export function releaseLook(db: Db, look: ClaimedLook): Promise<void> {
  return postponeLook(db, look, 0)
}
