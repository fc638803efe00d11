/** A stop: ends the work on a job from outside, once, with a reason that is a value. */

export const STOP_KINDS = [
  /** The customer cancelled the job. */
  'cancelled',
  /** The job is final already, since an operator ended it. */
  'ended',
  /** Another attempt holds the job. */
  'fenced_off',
  /** The job took longer than it may. */
  'out_of_time',
  /** The process stops, or the job is parked: another attempt will continue. */
  'handed_back',
] as const

export type StopKind = (typeof STOP_KINDS)[number]

export type Stop = {
  /** Aborted with the stop. */
  readonly signal: AbortSignal
  /** The first reason; null until the stop. */
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
