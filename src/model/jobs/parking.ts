/** Parking: which job gives its place to the next in line. A parked job waits with its cursor, and goes on later. */

/** A job without a delivery for this long counts as one that only waits. */
export const WAITING_MS = 20_000

/** A job that holds a place in this worker. */
export type Holder = {
  accountId: string
  /** True where it is giving up its place already. */
  isParking: boolean
  /** True where it recorded a page of a list, and delivered nothing since. */
  isListing: boolean
  /** Milliseconds since its last delivery, or since it got its place. */
  undeliveredMs: number
}

export type Next = {
  accountId: string
  /** True where the account has as many places here as one may have: only a job of its own can make room. */
  isFull: boolean
  /** Number of places of each account over all workers. */
  places: Readonly<Record<string, number>>
}

/**
 * Returns the job that makes room for the next in line, or null where all go on. It is one of an account that holds at
 * least two places more; else one that only lists or waits, where its account holds more places than that of the next,
 * or is the same account. Among several it is the one whose account holds most, then the one that has delivered nothing
 * for the longest.
 */
export function chooseParked<H extends Holder>(holders: readonly H[], next: Next): H | null {
  const placesOf = (accountId: string): number => next.places[accountId] ?? 0
  const own = placesOf(next.accountId)
  const staying = holders.filter(
    ({ accountId, isParking }) => !isParking && (!next.isFull || accountId === next.accountId),
  )
  const richer = staying.filter(({ accountId }) => placesOf(accountId) >= own + 2)
  const idle = staying.filter(
    ({ accountId, isListing, undeliveredMs }) =>
      (isListing || undeliveredMs >= WAITING_MS) &&
      (placesOf(accountId) > own || accountId === next.accountId),
  )
  const [parked] = (richer.length > 0 ? richer : idle).toSorted(
    (a, b) => placesOf(b.accountId) - placesOf(a.accountId) || b.undeliveredMs - a.undeliveredMs,
  )
  return parked ?? null
}
