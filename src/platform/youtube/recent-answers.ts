/** Recent answers: what the platform said about the last videos, and so how much its next answer can be believed. */
import type { RateLimiter } from '../egress/rate-limiter.ts'

/** How many videos in a row make an answer never seen before one about this program or its route. */
const IN_A_ROW_MAX = 3
/** How many proven videos are kept, and how many of one account; the newest is last. */
const PROVEN_MAX = 8
const PROVEN_OF_ACCOUNT_MAX = 2

/** A video that was delivered lately, and may bear witness (witness.ts). */
export type ProvenVideo = { videoId: string; accountId: string }

export type RecentAnswers = {
  /**
   * Notes an answer through `route` that was never seen before; returns true where it comes for one video after
   * another.
   */
  noteUnseen(route: RateLimiter, videoId: string): boolean
  noteDelivery(route: RateLimiter, video: ProvenVideo): void
  /** Returns a proven video outside of `not`, preferably another account's; null where there is none. */
  provenVideo(asked: { not: readonly string[]; accountId: string }): ProvenVideo | null
}

export function openRecentAnswers(): RecentAnswers {
  // Each route has its own set, since another one may be answered as usual.
  const unseen = new Map<RateLimiter, Set<string>>()
  let proven: ProvenVideo[] = []
  return {
    noteUnseen(route, videoId) {
      const noted = unseen.get(route) ?? new Set()
      if (noted.size < IN_A_ROW_MAX) unseen.set(route, noted.add(videoId))
      return noted.size >= IN_A_ROW_MAX
    },
    noteDelivery(route, video) {
      unseen.delete(route)
      const others = proven.filter(({ videoId }) => videoId !== video.videoId)
      const own = others.filter(({ accountId }) => accountId === video.accountId)
      const kept = new Set(own.slice(1 - PROVEN_OF_ACCOUNT_MAX))
      const fit = others.filter((each) => each.accountId !== video.accountId || kept.has(each))
      proven = [...fit, video].slice(-PROVEN_MAX)
    },
    provenVideo({ not, accountId }) {
      const fit = proven.filter(({ videoId }) => !not.includes(videoId))
      return fit.findLast((each) => each.accountId !== accountId) ?? fit.at(-1) ?? null
    },
  }
}
