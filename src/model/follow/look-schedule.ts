/**
 * When to look at a list again: as often as its owner says, else from every hour to every day, as often as its source
 * publishes.
 *
 * Six looks in the time between two uploads find one soon after it came. A source that falls silent is looked at less
 * and less, since the time without an upload counts as well.
 */
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

export const INTERVAL_MS = { min: HOUR_MS, max: 24 * HOUR_MS }
/** Number of new videos whose instants are remembered. */
export const FINDS_MAX = 10
const LOOKS_PER_UPLOAD = 6
/** Part of an interval by which looks are moved, so that looks that began together do not stay together. */
const SPREAD = 0.1

/** Delays after failed looks: the first one, doubled with each further failure, and the longest. */
const FAILURE_MS = { min: 5 * MINUTE_MS, max: 3 * HOUR_MS }
/** Delay where videos wait only for a place, or for money that a running job holds. */
export const BUSY_MS = 10 * MINUTE_MS
/** How often an empty balance is looked at; the platform is not asked for that. */
export const MONEY_MS = HOUR_MS
/** Delay after which the outcome of a job, or late captions, are looked at. */
export const RETRY_LOOK_MS = 2 * HOUR_MS
/** Delay between two looks that are told there is no such list: three of them take two days. */
export const MISSING_MS = 24 * HOUR_MS

/**
 * Returns the time between two looks, in milliseconds. `everyHours` is the owner's choice or null, `foundAt` the
 * instants of the latest new videos, oldest first, and `since` the first look.
 */
export function lookIntervalMs(given: {
  everyHours: number | null
  foundAt: readonly Date[]
  since: Date
  now: Date
}): number {
  const { everyHours, foundAt, since, now } = given
  if (everyHours !== null) return everyHours * HOUR_MS
  const isFull = foundAt.length >= FINDS_MAX
  const from = isFull ? (foundAt[0] ?? since) : since
  const gaps = isFull ? foundAt.length : foundAt.length + 1
  const gapMs = Math.max(0, now.getTime() - from.getTime()) / gaps
  return Math.min(INTERVAL_MS.max, Math.max(INTERVAL_MS.min, gapMs / LOOKS_PER_UPLOAD))
}

/** Returns `ms` moved by up to a tenth, in a way that only the seed decides. */
export function spreadMs(ms: number, seed: string): number {
  return Math.round(ms * (1 + SPREAD * (2 * fractionOf(seed) - 1)))
}

/** Returns the delay after a failed look. `failures` counts looks in a row that failed, this one included. */
export function failureMs(failures: number): number {
  return Math.min(FAILURE_MS.max, FAILURE_MS.min * 2 ** Math.min(16, Math.max(0, failures - 1)))
}

/** Returns a number from 0 up to 1, spread evenly for seeds that differ a little (FNV-1a with a final mix). */
function fractionOf(seed: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < seed.length; at += 1)
    hash = Math.imul(hash ^ seed.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b)
  return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32
}
