/** Waiting for a condition, with a deadline; the only file of the tests that knows how long anything takes. */
import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 10
const PATIENCE_MS = 120_000
/** Half of what the wrong behaviour takes, which tests set to a minute or more. */
const WRONG_WAY_MS_MAX = 30_000

/** Looks again and again until `isSo`; fails with `what` after `maxMs`. Returns the time it took, in ms. */
export async function until(
  what: string,
  isSo: () => Promise<boolean> | boolean,
  maxMs = PATIENCE_MS,
): Promise<number> {
  const startedAt = performance.now()
  while (!(await isSo())) {
    if (performance.now() - startedAt > maxMs) throw new Error(`not within ${maxMs} ms: ${what}`)
    await sleep(POLL_MS)
  }
  return performance.now() - startedAt
}

/** What `work` gives, where it comes long before what the wrong behaviour waits for; fails with `what` otherwise. */
export async function within<T>(
  what: string,
  work: Promise<T>,
  maxMs = WRONG_WAY_MS_MAX,
): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const deadline = setTimeout(() => reject(new Error(`not within ${maxMs} ms: ${what}`)), maxMs)
  return Promise.race([work, late]).finally(() => clearTimeout(deadline))
}

/**
 * Tells whether `ms` have passed since. A timer of the same process that is set later, for so long or longer, never
 * fires before this one, however slow the machine is: so it shows that something did wait.
 */
export function passing(ms: number): () => boolean {
  let hasPassed = false
  setTimeout(() => (hasPassed = true), ms).unref()
  return () => hasPassed
}

/**
 * Counts how often a timer of `ms` fires that is set anew each time. Whoever in this process waits as long between two
 * acts acts at most once more than it counts, however slow the machine is.
 */
export function ticking(ms: number): { count(): number; stop(): void } {
  let count = 0
  let timer = setTimeout(function tick() {
    count += 1
    timer = setTimeout(tick, ms).unref()
  }, ms).unref()
  return { count: () => count, stop: () => clearTimeout(timer) }
}
