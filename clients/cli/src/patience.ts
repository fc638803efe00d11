/** Repeats a request while the service does not answer: a restart, a lost network, an empty bucket. */
import { ConnectionError, RateLimitedError, ScriptoriumError } from '../../typescript/src/index.ts'
import { sleep } from '../../typescript/src/retry.ts'
import type { Terminal } from './terminal.ts'

/** Longest pause, in seconds, even where the service asks for a longer one. */
const PAUSE_SECONDS_MAX = 60

/**
 * Throws the last error after `patienceMs` without an answer, and at once an error that asking again would not mend.
 */
export async function untilAnswered<T>(
  ask: () => Promise<T>,
  terminal: Terminal,
  patienceMs: number,
): Promise<T> {
  const startedAt = performance.now()
  for (let isTold = false; ; isTold = true) {
    try {
      return await ask()
    } catch (error) {
      if (!isPassing(error) || performance.now() - startedAt > patienceMs) throw error
      if (!isTold) terminal.say('The service does not answer; trying again (Ctrl-C ends this)')
      await sleep(pauseMs(error))
    }
  }
}

/**
 * Returns the wait that the service asks for. The client library waits between its own tries, but gives up where the
 * service asks for a longer wait.
 */
function pauseMs(error: unknown): number {
  const seconds = error instanceof ScriptoriumError ? (error.retryAfter ?? 0) : 0
  return Math.min(seconds, PAUSE_SECONDS_MAX) * 1000
}

function isPassing(error: unknown): boolean {
  if (error instanceof ConnectionError || error instanceof RateLimitedError) return true
  return error instanceof ScriptoriumError && (error.status ?? 0) >= 500
}
