/**
 * A video row: one video of a job and its outcome, as a status and in plain words.
 *
 * `success` is the only status that is charged. A row without a video is a *source row*: it says that there is no such
 * list (`invalid_url`), that it could not be read (`blocked_suspect`, `failed`), or not further (`truncated`).
 */
import type { RefusalReason } from '../platform/refusal.ts'
import { DATES_OF_ORDER } from './date-bounds.ts'
import { type DeliveredFacts, labelOfDelivered } from './delivered-label.ts'

/** The beginning of a video's address; its id follows. */
export const VIDEO_URL = 'https://www.youtube.com/watch?v='

/** Statuses of rows whose captions were attempted: each used one of the job's slots. */
export const ATTEMPT_STATUSES = [
  'success',
  'no_captions',
  'language_not_available',
  'private',
  'unavailable',
  'blocked_suspect',
  'failed',
] as const

export const ROW_STATUSES = [
  ...ATTEMPT_STATUSES,
  'invalid_url',
  'truncated',
  'skipped',
  'unchanged',
] as const

type AttemptStatus = (typeof ATTEMPT_STATUSES)[number]
/** Status of a row that was tried and brought no text. */
export type FailedStatus = Exclude<AttemptStatus, 'success'>
export type RowStatus = (typeof ROW_STATUSES)[number]

/** Why a video was skipped: its date is outside the bounds, or the platform does not tell it. */
export type SkipReason = 'out_of_bounds' | 'date_unknown'
/** How the platform ended a list that may hold more, or never began one. */
type ListEndReason = 'list_cut' | 'list_repeated' | 'tab_absent'
export type RowReason =
  RefusalReason | SkipReason | ListEndReason | 'allowance_spent' | 'date_open' | 'same_video'

/** The facts from which a row's words are made. */
export type RowFacts = DeliveredFacts & {
  status: RowStatus
  /** The reason, more exact than the status; null where the status says it all. */
  reason: RowReason | null
  /** Whether the reason is one that a single app of the platform named, while no other could bear it out. */
  isDoubted?: boolean
  /** True where the row stands for a list that could not be read, not for a video. */
  isSource: boolean
  /** The job that delivered the video, for `unchanged`; else null. */
  earlierJobId: string | null
  /** For `unchanged` where another order delivered it: since when the account has it; else null. */
  ownedSince: Date | null
}

/** The row's status for each reason of a refusal by the platform. */
export const STATUS_OF_REFUSAL: Record<RefusalReason, AttemptStatus> = {
  no_captions: 'no_captions',
  live_now: 'no_captions',
  processing: 'no_captions',
  language_not_available: 'language_not_available',
  private: 'private',
  not_found: 'unavailable',
  removed: 'unavailable',
  replaced: 'unavailable',
  age_restricted: 'unavailable',
  members_only: 'unavailable',
  paid: 'unavailable',
  region_blocked: 'unavailable',
  upcoming: 'unavailable',
}

/** Statuses of rows that the platform refused for good. */
export const STATUSES_OF_REFUSALS = [...new Set(Object.values(STATUS_OF_REFUSAL))]

export function isAttempt(status: RowStatus): status is AttemptStatus {
  return (ATTEMPT_STATUSES as readonly RowStatus[]).includes(status)
}

/** Facts that decide a row's words: its status, and what else is not the usual. */
export type WordFacts = { status: RowStatus } & Partial<RowFacts>

/** Returns a row's status with its label and sentence. */
export function wordedStatus(facts: WordFacts): {
  status: RowStatus
  label: string
  errorMessage: string | null
} {
  const all: RowFacts = {
    reason: null,
    isSource: false,
    missedLanguage: null,
    missedTrack: null,
    oddity: null,
    languageCode: null,
    earlierJobId: null,
    ownedSince: null,
    ...facts,
  }
  return { status: facts.status, label: labelOf(all), errorMessage: errorMessageOf(all) }
}

/** The end of the label of a row whose reason is in doubt. */
export const BY_ONE_APP = ', by the word of one app alone'

/** Returns the wire's `label`: the row's status in plain words. */
export function labelOf(row: RowFacts): string {
  if (row.status === 'success') return labelOfDelivered(row)
  if (row.status === 'unchanged') {
    return row.ownedSince === null
      ? `Delivered by the earlier job ${row.earlierJobId}`
      : `In your library since ${row.ownedSince.toISOString().slice(0, 10)}`
  }
  const { label } = wordsOf(row, row.status)
  return row.isDoubted === true ? `${label}${BY_ONE_APP}` : label
}

/** Returns the wire's `errorMessage`: a sentence on why there is no transcript; null where there is one. */
export function errorMessageOf(row: RowFacts): string | null {
  if (row.status === 'success' || row.status === 'unchanged') return null
  const { sentence } = wordsOf(row, row.status)
  return row.isDoubted === true ? `${sentence.replace(AGAIN, '')}${DOUBT}${AGAIN}` : sentence
}

/**
 * Returns the sentence of a video's row with this status and reason. For `skipped` and `truncated` it is not stored
 * with the row: changing it changes the reports, hence the ETags, of old jobs.
 */
export function usualSentence(status: OtherStatus, reason: RowReason | null): string {
  return WORDS[reason ?? status].sentence
}

const DOUBT = " Only one of the platform's apps says so, and no other bears it out."
const AGAIN = ' Try again later.'

type Words = { label: string; sentence: string }
type WordlessStatus = 'success' | 'unchanged'
type OtherStatus = Exclude<RowStatus, WordlessStatus>

function wordsOf(row: RowFacts, status: OtherStatus): Words {
  if (!row.isSource || row.reason !== null) return WORDS[row.reason ?? status]
  const isListing = status === 'blocked_suspect' || status === 'failed' || status === 'truncated'
  return isListing ? SOURCE_WORDS[status] : WORDS[status]
}

const SOURCE_WORDS: Record<'blocked_suspect' | 'failed' | 'truncated', Words> = {
  truncated: {
    label: 'List read in part: send the same URLs again',
    sentence: 'The list was read only in part; send the same URLs again to continue.',
  },
  blocked_suspect: {
    label: 'List cut short: blocked by the platform',
    sentence: 'The platform blocked us while we read the list. Try again later.',
  },
  failed: {
    label: 'List cut short: it could not be read',
    sentence: 'The list could not be read to its end. Try again later.',
  },
}

/** Words of each reason, and of each status for rows without a reason. */
const WORDS: Record<OtherStatus | RowReason, Words> = {
  no_captions: {
    label: 'No captions',
    sentence: 'The platform publishes no captions for this video.',
  },
  live_now: {
    label: 'No captions yet: live now',
    sentence: 'The video is live; captions may be published after it ends. Try again later.',
  },
  processing: {
    label: 'No captions yet: still being processed',
    sentence:
      'The platform is still processing this upload or ended stream; captions may be published soon. Try again later.',
  },
  language_not_available: {
    label: 'Captions only in other languages',
    sentence:
      'The video has captions, but neither in the requested language nor in its original one.',
  },
  private: { label: 'Private video', sentence: 'The video is private.' },
  unavailable: { label: 'Unavailable', sentence: 'The platform does not show this video.' },
  not_found: {
    label: 'Deleted, or never existed',
    sentence: 'The video was deleted or never existed.',
  },
  removed: {
    label: 'Removed from the platform',
    sentence: 'The video was removed from the platform.',
  },
  replaced: {
    label: 'Replaced by another video',
    sentence:
      'The platform shows another video at this address; send the address of that one to get its transcript.',
  },
  age_restricted: {
    label: 'Age-restricted',
    sentence: 'The platform shows this video only to viewers who have confirmed their age.',
  },
  members_only: {
    label: 'For channel members only',
    sentence: "The platform shows this video only to the channel's members.",
  },
  paid: {
    label: 'For paying viewers only',
    sentence: 'The platform shows this video only to viewers who pay for it.',
  },
  region_blocked: {
    label: 'Blocked in our region',
    sentence: 'The platform does not show this video in our region.',
  },
  upcoming: {
    label: 'Not live yet',
    sentence: 'The premiere or live stream has not started. Try again later.',
  },
  blocked_suspect: {
    label: 'Blocked by the platform',
    sentence:
      'The platform blocked our requests; this says nothing about the video. Try again later.',
  },
  failed: {
    label: 'Could not be fetched',
    sentence: 'The platform could not be reached or sent an unexpected answer. Try again later.',
  },
  invalid_url: {
    label: 'No such channel or playlist',
    sentence: 'This channel or playlist does not exist, or nobody may see it.',
  },
  truncated: {
    label: "Over this job's limit: send the same URLs again",
    sentence: 'The job was full before this video; send the same URLs again to continue here.',
  },
  allowance_spent: {
    label: "Over today's free requests: try again tomorrow",
    sentence:
      'This account has used up its free requests for today. Send the same URLs again after midnight (UTC), ' +
      'or after adding credit.',
  },
  date_open: {
    label: "Over this job's limit, its date not looked up: send the same URLs again",
    sentence:
      'The job was full before the date of this video was known, so it may be outside the requested dates; ' +
      'send the same URLs again to continue here.',
  },
  skipped: { label: 'Skipped', sentence: 'The video is outside the requested dates.' },
  out_of_bounds: {
    label: 'Outside the dates',
    sentence: `The video was published outside ${DATES_OF_ORDER.join(' and ')}.`,
  },
  same_video: {
    label: 'The same video as another row',
    sentence: 'The platform spells the id of this video differently; that spelling has a row.',
  },
  list_cut: {
    label: 'List cut short by the platform',
    sentence: 'The platform counts more videos in this list than it shows.',
  },
  list_repeated: {
    label: 'List ended: the platform repeats it',
    sentence: 'The platform shows the same videos of this list again and again.',
  },
  tab_absent: {
    label: 'The channel has no such tab',
    sentence: 'The channel has no videos of this kind.',
  },
  date_unknown: { label: 'Skipped: publish date unknown', sentence: 'publish date unknown' },
}
