/** Who gives a place up when all are taken and others wait: decided from who holds how many. */

/**
 * A task that waits: `slots` is what its account holds, over all workers, when its turn comes. `isNew`: its
 * account has nothing else at work.
 */
export type Waiting = { accountId: string; slots: number; isNew: boolean }

/** A job that holds a place here. */
export type Holder = {
  accountId: string
  /** Its place is wanted already. */
  isYielding: boolean
  hasHadEnough: boolean
  /** It had a page and delivered nothing since. */
  hasHadPage: boolean
  undeliveredMs: number
}

export type Crowding<H extends Holder> = {
  holders: readonly H[]
  /** Places of accounts over all workers. */
  slots: ReadonlyMap<string, number>
  /** In the order in which they will be served. */
  waiting: readonly Waiting[]
  /** Accounts that get no further place here: theirs can only change hands among their own jobs. */
  full: readonly string[]
}

/**
 * The jobs that are to give up their slots, one for each that waits and has a better claim: the account
 * that has at least two more gives one up at once; else a job that had its turn goes, if its account has
 * more, or to let another of its own on. For an account that is new a page without a delivery is turn enough:
 * most who come bring little. Of several it is the one without a delivery for the longest.
 */
export function chooseYields<H extends Holder>({
  holders,
  slots,
  waiting,
  full,
}: Crowding<H>): H[] {
  const left = new Map(slots)
  const slotsOf = ({ accountId }: Holder): number => left.get(accountId) ?? 0
  const leave = ({ accountId }: Holder): void =>
    void left.set(accountId, (left.get(accountId) ?? 1) - 1)
  const leaving = holders.filter(({ isYielding }) => isYielding)
  leaving.forEach(leave)

  const chosen: H[] = []
  // Those on their way out make room for the first who wait.
  for (const waiter of waiting.slice(leaving.length)) {
    const isFull = full.includes(waiter.accountId)
    const staying = holders.filter(
      (holder) =>
        !holder.isYielding &&
        !chosen.includes(holder) &&
        (!isFull || holder.accountId === waiter.accountId),
    )
    const most = staying.filter((holder) => slotsOf(holder) >= waiter.slots + 2)
    const done = staying.filter(
      (holder) =>
        (holder.hasHadEnough || (waiter.isNew && holder.hasHadPage)) &&
        (slotsOf(holder) > waiter.slots || holder.accountId === waiter.accountId),
    )
    const [victim] = (most.length > 0 ? most : done).sort(
      (a, b) => slotsOf(b) - slotsOf(a) || b.undeliveredMs - a.undeliveredMs,
    )
    if (victim === undefined) continue
    leave(victim)
    chosen.push(victim)
  }
  return chosen
}
