/** The signals that ask a process to stop. */

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
