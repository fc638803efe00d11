/** Waiting for a condition, with a deadline. */
import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 10
const PATIENCE_MS = 60_000

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
