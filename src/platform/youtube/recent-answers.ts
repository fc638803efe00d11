/** Recent answers: what the platform said about the last videos, and so how much its next answer can be believed. */
import type { RateLimiter } from '../egress/rate-limiter.ts'

/**
 * How many videos in a row make an answer doubtful: it may then be about this program, its apps or its route, and not
 * about the next video.
 */
const IN_A_ROW_MAX = 3
/** How many proven videos are kept, each of another account; the newest is last. */
const PROVEN_MAX = 4

/**
 * A video that was delivered lately. A route that answers with another video than the requested one is asked for it.
 */
export type ProvenVideo = { videoId: string; accountId: string }

export type RecentAnswers = {
  /** Notes that a video is "not available": the same video again adds nothing, since one account may ask repeatedly. */
  notePlainNo(videoId: string): void
  /** Notes a refusal for another cause, which ends the row of "not available". */
  noteOtherAnswer(): void
  /**
   * Whether "not available" came for one video after another: two clients then do not suffice to call the next one
   * gone.
   */
  areNoesDoubtful(): boolean
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
  const noes = new Set<string>()
  // Each route has its own set, since another one may be answered as usual.
  const unseen = new Map<RateLimiter, Set<string>>()
  let proven: ProvenVideo[] = []
  return {
    notePlainNo(videoId) {
      if (noes.size < IN_A_ROW_MAX) noes.add(videoId)
    },
    noteOtherAnswer: () => noes.clear(),
    areNoesDoubtful: () => noes.size >= IN_A_ROW_MAX,
    noteUnseen(route, videoId) {
      const noted = unseen.get(route) ?? new Set()
      if (noted.size < IN_A_ROW_MAX) unseen.set(route, noted.add(videoId))
      return noted.size >= IN_A_ROW_MAX
    },
    noteDelivery(route, video) {
      noes.clear()
      unseen.delete(route)
      const others = proven.filter(
        (each) => each.accountId !== video.accountId && each.videoId !== video.videoId,
      )
      proven = [...others, video].slice(-PROVEN_MAX)
    },
    provenVideo({ not, accountId }) {
      const fit = proven.filter(({ videoId }) => !not.includes(videoId))
      return fit.findLast((each) => each.accountId !== accountId) ?? fit.at(-1) ?? null
    },
  }
}
