/** The platform's final no about a video, and the reasons we tell apart. */

export const REFUSAL_REASONS = [
  'no_captions', // two clients say OK without tracks
  'live_now', // no captions yet: still on air
  'processing', // no captions yet: a stream that has just ended
  'language_not_available', // tracks exist, none in the asked or the original language
  'private',
  'not_found', // deleted, or never existed
  'removed',
  'age_restricted',
  'members_only',
  'paid',
  'region_blocked',
  'upcoming',
] as const

export type RefusalReason = (typeof REFUSAL_REASONS)[number]

/** The platform's final no. `text` is its own sentence, null where it gave none. */
export type Refusal = { reason: RefusalReason; text: string | null }
