/** Unseen answers: whether what nobody has seen before is one video's, or comes for one video after another. */
import type { RateLimiter } from '../egress/rate-limiter.ts'

/** So many videos in a row without a delivery: then it is not about the next one. */
const IN_A_ROW_MAX = 3

/** Of each route, by its rate limiter: another route may be answered as ever. */
const inARow = new WeakMap<RateLimiter, Set<string>>()

/** Notes one; true where others were answered so before it. */
export function noteUnseen(limiter: RateLimiter, videoId: string): boolean {
  const noted = inARow.get(limiter) ?? new Set()
  if (noted.size < IN_A_ROW_MAX) inARow.set(limiter, noted.add(videoId))
  return noted.size >= IN_A_ROW_MAX
}

export function noteSeen(limiter: RateLimiter): void {
  inARow.delete(limiter)
}
