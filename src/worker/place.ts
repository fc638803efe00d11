/** A job's place in a worker: held until the job ends or is parked, which it is after its next commit and never before its first. */

/** What a run has just committed. `page`: of planning. `row`: a video without a transcript. */
export type Step = 'page' | 'row' | 'delivery'

export type Place = {
  /** Aborted when the place is given up: what is in flight ends, nothing new begins. */
  readonly over: AbortSignal
  /** The place is to be given up; `over` follows as soon as something was committed. */
  readonly isParking: boolean
  /** A page was recorded, and nothing delivered since. */
  readonly isListing: boolean
  /** Since the last delivery, or the start, in milliseconds. */
  undeliveredMs(): number
  committed(step: Step): void
  park(): void
}

/** `clock` counts milliseconds. */
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
