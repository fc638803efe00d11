/** A stop: work on a job is ended from outside, once, for a reason that is a value. */

export const STOP_KINDS = [
  /** The customer cancelled the job. */
  'cancelled',
  /** It is final already: an operator ended it. */
  'ended',
  /** Another attempt holds the job. */
  'fenced_off',
  /** It took longer than a job may. */
  'out_of_time',
  /** The process stops, or the job is parked: another attempt is to go on. */
  'handed_back',
] as const

export type StopKind = (typeof STOP_KINDS)[number]

export type Stop = {
  /** Aborted with the stop. */
  readonly signal: AbortSignal
  /** Null until it was stopped; the first reason stays. */
  readonly kind: StopKind | null
  because(kind: StopKind): void
}

export function openStop(): Stop {
  const stopping = new AbortController()
  let reason: StopKind | null = null
  return {
    signal: stopping.signal,
    get kind() {
      return reason
    },
    because(kind) {
      reason ??= kind
      stopping.abort(new Error(`the job's work was stopped: ${reason}`))
    },
  }
}
