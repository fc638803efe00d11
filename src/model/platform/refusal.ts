/**
 * Why a video was not fetched: the platform's final no with its reason, or an obstacle that is not the video's fault.
 */

export const REFUSAL_REASONS = [
  'no_captions', // at least two clients say OK without tracks, none lists any, and a witness is still shown
  'live_now', // no captions yet: still on air
  'processing', // no captions yet: a stream that has just ended
  'language_not_available', // tracks exist, none in the asked or the original language
  'private',
  'not_found', // deleted, or never existed
  'removed',
  'replaced', // the platform answers with another video in its place, though it names others rightly
  'age_restricted',
  'members_only',
  'paid',
  'region_blocked',
  'upcoming',
] as const

export type RefusalReason = (typeof REFUSAL_REASONS)[number]

/**
 * The platform's final no. `text` is a sentence more, ours or one that quotes the platform; null where there is none.
 * `isDoubted` marks a cause that one of the platform's apps named alone, while no other could bear it out.
 */
export type Refusal = { reason: RefusalReason; text: string | null; isDoubted?: boolean }

/** An obstacle: `blocked` refuses us, not the video; `failed` is broken, unknown or out of reach. */
export type Obstacle = {
  kind: 'blocked' | 'failed'
  /** One sentence for the customer: what happened, without addresses or secrets. */
  text: string
  /** When asking again may help, in milliseconds from now; null where nothing was said. */
  retryAfterMs: number | null
  /** Whether every route has fetched what it may in a day: a job is better laid aside until then. */
  isSpent?: boolean
}
