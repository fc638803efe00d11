/**
 * The monthly cap: what the jobs of a subscription may cost in one calendar month (UTC).
 *
 * A job counts against the month in which it was started, by the database's clock: with its reserve while it is open,
 * with its charge once it is final. The sum is read from the jobs, under the subscription's lock, so no counter can
 * drift, and a clock that jumps only changes which month pays: no month pays more than its cap.
 */
import { affordable } from '../money/money.ts'

/** Returns the name of the month in UTC, such as `2026-11`. */
export function monthOf(at: Date): string {
  return at.toISOString().slice(0, 7)
}

/** Returns the first instant of the month after. */
export function nextMonthOf(at: Date): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1))
}

/** Returns how many videos the rest of the month's cap pays for; 0 where the cap was lowered below what was spent. */
export function videosLeft({
  capMicros,
  spentMicros,
}: {
  capMicros: bigint
  spentMicros: bigint
}): number {
  return affordable(capMicros - spentMicros)
}
