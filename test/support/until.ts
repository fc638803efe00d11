/** Waiting for a condition, with a deadline; the only file of the tests that knows how long anything takes. */
import { setTimeout as sleep } from 'node:timers/promises'

/** Pauses between two looks: each is a request or a statement, which a slow machine is not to be kept busy with. */
const PAUSE_MS = { first: 10, most: 100 }
const PATIENCE_MS = 120_000
/** Half of what the wrong behaviour takes in milliseconds, which tests set to a minute or more. */
const WRONG_WAY_MS_MAX = 30_000

/** Checks again and again until `isSo`; fails with `what` after `maxMs`. Returns the time it took, in ms. */
export async function until(
  what: string,
  isSo: () => Promise<boolean> | boolean,
  maxMs = PATIENCE_MS,
): Promise<number> {
  const startedAt = performance.now()
  for (
    let pauseMs = PAUSE_MS.first;
    !(await isSo());
    pauseMs = Math.min(2 * pauseMs, PAUSE_MS.most)
  ) {
    if (performance.now() - startedAt > maxMs) throw new Error(`not within ${maxMs} ms: ${what}`)
    await sleep(pauseMs)
  }
  return performance.now() - startedAt
}

/**
 * Returns the result of `work`, where it comes long before the wrong behaviour's wait is over; fails with `what`
 * otherwise.
 */
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
 * Returns a function that tells whether `ms` have passed. A timer of the same process that is set later, for as long or
 * longer, never fires before this one, however slow the machine, so that it shows that something did wait.
 */
export function passing(ms: number): () => boolean {
  let hasPassed = false
  setTimeout(() => (hasPassed = true), ms).unref()
  return () => hasPassed
}

/**
 * Counts how often a timer of `ms` fires that is set anew each time. Code of this process that waits as long between
 * two acts acts at most once more than the count, however slow the machine.
 */
export function ticking(ms: number): { count(): number; stop(): void } {
  let count = 0
  let timer = setTimeout(function tick() {
    count += 1
    timer = setTimeout(tick, ms).unref()
  }, ms).unref()
  return { count: () => count, stop: () => clearTimeout(timer) }
}
