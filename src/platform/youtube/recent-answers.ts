/** Recent answers: what the platform said of the last videos, and so how far it is to be believed of the next. */
import type { RateLimiter } from '../egress/rate-limiter.ts'

/** So many videos in a row: then it may be us, our apps or our route, and is not about the next video. */
const IN_A_ROW_MAX = 3
/** Of different accounts, as far as there are any; the newest last. */
const PROVEN_MAX = 4

/** A video that was delivered lately: what to ask a route for when it answers with another video than asked. */
export type ProvenVideo = { videoId: string; accountId: string }

export type RecentAnswers = {
  /** Notes that a video is "not available": the same video again adds nothing, since one account may ask repeatedly. */
  notePlainNo(videoId: string): void
  /** Notes a refusal for another cause: what is said of others is said of them. */
  noteOtherAnswer(): void
  /** Whether "not available" came for one video after another: two clients are too few to call the next one gone. */
  areNoesDoubtful(): boolean
  /** Notes an answer by `route` that nobody has seen before; true where it comes for one video after another. */
  noteUnseen(route: RateLimiter, videoId: string): boolean
  noteDelivery(route: RateLimiter, video: ProvenVideo): void
  /** Returns a proven video that is none of `not`, best another account's; null where there is none. */
  provenVideo(asked: { not: readonly string[]; accountId: string }): ProvenVideo | null
}

export function openRecentAnswers(): RecentAnswers {
  const noes = new Set<string>()
  // A route's own: another one may be answered as ever.
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
