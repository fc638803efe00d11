/** A stop: ends work from outside, once, with a reason that is a value; and the signals that ask a process for it. */

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

/** Signals within this time are one request to stop, sent to a whole process group. */
const ASKED_AGAIN_MS = 1_000

/**
 * Returns a signal that aborts at the first SIGTERM, SIGINT or SIGHUP. `onHurry` is called when a person asks again: at
 * a second SIGTERM or SIGINT at least a second later. One stop of a process group brings several signals within
 * moments, from the supervisor, from npm and from the launcher; a hangup never comes from a person.
 */
export function stopSignal(onHurry: () => void): AbortSignal {
  const stop = new AbortController()
  let askedAt = 0
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (!stop.signal.aborted) {
        askedAt = performance.now()
        stop.abort()
      } else if (signal !== 'SIGHUP' && performance.now() - askedAt >= ASKED_AGAIN_MS) onHurry()
    })
  }
  return stop.signal
}
