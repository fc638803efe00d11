/** The words that recur on the site: one for each thing, so that no page calls it otherwise. */
import { dotted, languageName } from './format.ts'
import type { Collection, Job } from './api/client.ts'
import type { Subscription } from './api/following.ts'
import type { Webhook } from './api/webhooks.ts'

/** The pages, as the header and their headings call them. */
export const PAGE_NAMES = {
  library: 'Library',
  jobs: 'Jobs',
  search: 'Search',
  following: 'Following',
  billing: 'Billing',
  receipt: 'Receipt',
  webhooks: 'Webhooks',
  api: 'API',
} as const

export const KIND_WORDS: Record<Collection['kind'] | 'video', string> = {
  video: 'Video',
  channel: 'Channel',
  playlist: 'Playlist',
  project: 'Project',
}

/** Names of fields that stand in several forms. */
export const FIELD_NAMES = {
  titles: 'Search titles',
} as const

export function captionsWords(kind: string | null): string {
  return kind === 'asr' ? 'automatic captions' : 'captions by the creator'
}

export function madeBy(kind: string): string {
  return kind === 'asr' ? 'automatic' : 'by the creator'
}

type TextTrack = { languageCode: string | null; trackKind: string | null }

/** Returns "English · automatic". */
export function trackWords({ languageCode: code, trackKind: kind }: TextTrack): string {
  return dotted([code && languageName(code), kind && madeBy(kind)]) || 'Captions'
}

export const STATE_WORDS: Record<Job['state'], string> = {
  queued: 'Waiting',
  running: 'Running',
  cancelling: 'Cancelling',
  finished: 'Finished',
  cancelled: 'Cancelled',
  failed: 'Failed',
  interrupted: 'Interrupted',
}

/** The statuses of rows in two or three words, in the order of the bar. */
export const STATUS_WORDS: Record<string, string> = {
  success: 'Delivered',
  unchanged: 'Delivered before',
  no_captions: 'No captions',
  language_not_available: 'Language missing',
  skipped: 'Outside the dates',
  truncated: 'Over the limit',
  private: 'Private',
  unavailable: 'Unavailable',
  invalid_url: 'Not found',
  blocked_suspect: 'Blocked for now',
  failed: 'Failed',
}

export function statusWords(status: string): string {
  return STATUS_WORDS[status] ?? status.replaceAll('_', ' ')
}

/** What became of something that is followed; `missing` was never found. */
export const FOLLOWED_WORDS: Record<Subscription['state'] | 'missing', string> = {
  active: 'Active',
  paused: 'Paused',
  out_of_money: 'Waiting for credit',
  cap_reached: 'Monthly limit reached',
  gone: 'Removed by the platform',
  missing: 'Not found',
}

/** Why a webhook is switched off. */
export const DISABLED_WORDS: Record<NonNullable<Webhook['disabledBecause']>, string> = {
  asked: 'Switched off',
  gone: 'Switched off: the server says the address no longer exists',
  failing: 'Switched off: nothing was accepted for five days',
  secret_lost: 'Switched off: its secret was lost when the database was restored; create a new one',
}
