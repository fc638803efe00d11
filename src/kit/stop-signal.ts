/** What asks a process to stop, and what asks it to end at once. */

/** Signals within this are one request to stop, sent to a whole group. */
const ASKED_AGAIN_MS = 1_000

/**
 * Aborts at the first SIGTERM, SIGINT or SIGHUP. `onHurry`: a person asked once more. That is a second
 * SIGTERM or SIGINT at least a second later: one stop of a process group brings several within moments,
 * from the supervisor, from npm and from our own launcher. A hangup is never a person's.
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
