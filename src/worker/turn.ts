/**
 * A job's turn at a slot of the worker: from its attempt's start until it ends or is to give the slot
 * up to others, which it does after its next step at the latest and never before its first.
 */

/** While others wait, a job that has delivered nothing for so many list pages, or so long, gives up its place. */
export const TURN_PAGES = 5
export const TURN_MS = 20_000

/** What a run has just committed. `page`: of planning. `row`: a video without a transcript. */
export type Step = 'page' | 'row' | 'delivery'

export type Turn = {
  /** Aborted when the slot is to be given up: what is in flight ends, nothing new begins. */
  readonly over: AbortSignal
  /** The slot is wanted; `over` follows as soon as something was committed. */
  readonly isWanted: boolean
  /** It had as much as a job gets that delivers nothing while others wait. */
  hasHadEnough(): boolean
  /** It had a page of planning, and delivered nothing since. */
  hasHadPage(): boolean
  /** Since the last delivery, or the start, in milliseconds. */
  undeliveredMs(): number
  committed(step: Step): void
  /** Wants the slot for another. */
  giveUp(): void
}

/** `clock` counts milliseconds. `onEnough`: called when the job has had so many pages. */
export function startTurn(clock: () => number, onEnough: () => void = () => undefined): Turn {
  const over = new AbortController()
  let sinceMs = clock()
  let pages = 0
  let hasCommitted = false
  let isWanted = false
  const endIfDue = (): void => {
    if (isWanted && hasCommitted) over.abort(new Error('the turn of the job is over'))
  }
  const undeliveredMs = (): number => clock() - sinceMs
  return {
    over: over.signal,
    get isWanted() {
      return isWanted
    },
    hasHadEnough: () => pages >= TURN_PAGES || undeliveredMs() >= TURN_MS,
    hasHadPage: () => pages > 0,
    undeliveredMs,
    committed(step) {
      hasCommitted = true
      if (step === 'page') pages += 1
      if (step === 'delivery') [sinceMs, pages] = [clock(), 0]
      endIfDue()
      if (pages === TURN_PAGES) onEnough()
    },
    giveUp() {
      isWanted = true
      endIfDue()
    },
  }
}
