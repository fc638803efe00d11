/** What must not take as long as its wrong way would, without a look at the clock. */

/** Half of what the wrong way takes: tests make that a minute or more, by a setting. */
const IN_TIME_MS = 30_000

/** What `work` gives; fails with `what` where it is not there after `maxMs`. */
export async function inTime<T>(what: string, work: Promise<T>, maxMs = IN_TIME_MS): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`not within ${maxMs} ms: ${what}`)), maxMs)
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
