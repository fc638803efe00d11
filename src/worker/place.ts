/**
 * A job's place in a worker: held until the job ends or is parked. A job leaves its place after its next commit, and
 * never before its first.
 */

/** What a run has just committed: a `page` of planning, a `row` without a transcript, or a `delivery`. */
export type Step = 'page' | 'row' | 'delivery'

export type Place = {
  /** Aborted when the place is given up: work in flight may end, nothing new begins. */
  readonly over: AbortSignal
  /** True where the place is to be given up; `over` is aborted as soon as something was committed. */
  readonly isParking: boolean
  /** True where a page was recorded and nothing delivered since. */
  readonly isListing: boolean
  /** Returns the milliseconds since the last delivery, or since the start. */
  undeliveredMs(): number
  committed(step: Step): void
  park(): void
}

/** Opens a place. `clock` counts milliseconds. */
export function openPlace(clock: () => number): Place {
  const over = new AbortController()
  let sinceMs = clock()
  let [isParking, isListing, hasCommitted] = [false, false, false]
  const endIfDue = (): void => {
    if (isParking && hasCommitted) over.abort(new Error('the job is parked'))
  }
  return {
    over: over.signal,
    get isParking() {
      return isParking
    },
    get isListing() {
      return isListing
    },
    undeliveredMs: () => clock() - sinceMs,
    committed(step) {
      hasCommitted = true
      if (step === 'page') isListing = true
      if (step === 'delivery') [sinceMs, isListing] = [clock(), false]
      endIfDue()
    },
    park() {
      isParking = true
      endIfDue()
    },
  }
}
