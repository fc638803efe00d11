/**
 * Whether a video that brought no transcript is asked for again. A refusal for now is not one for good: this one table
 * says of each outcome how soon an order that is sent again asks, and how long a look at a followed list does.
 */
import type { RowReason, RowStatus } from './video-row.ts'

/** An outcome: the reason of a row, or its status where that says it all. */
export type OutcomeName = RowReason | RowStatus

type Again = {
  /** Whether an order asks again first, since another answer may soon come; `young` for the first days of a video. */
  inOrders: 'first' | 'young' | 'last'
  /** For how many days a look asks again, from the first such answer or an announced instant on; 0 for never. */
  days: number
}

const MONTH = 30
const WEEK = 7
const NEVER: Again = { inOrders: 'last', days: 0 }
const PASSING: Again = { inOrders: 'first', days: MONTH }

export const ASKED_AGAIN: Readonly<Record<OutcomeName, Again>> = {
  success: NEVER,
  unchanged: NEVER,
  same_video: NEVER,
  skipped: NEVER,
  out_of_bounds: NEVER,
  date_unknown: NEVER,
  invalid_url: NEVER,
  list_cut: NEVER,
  list_repeated: NEVER,
  tab_absent: NEVER,
  // Nothing was asked, and the allowance comes back with the day.
  truncated: { inOrders: 'last', days: MONTH },
  allowance_spent: { inOrders: 'last', days: MONTH },
  date_open: { inOrders: 'last', days: MONTH },
  // These say nothing of the video.
  blocked_suspect: PASSING,
  failed: PASSING,
  // Automatic captions come some hours after a video.
  no_captions: { inOrders: 'young', days: 3 },
  live_now: PASSING,
  processing: PASSING,
  upcoming: PASSING,
  // The creator's translations may come first, and the captions of the video's own language only after them.
  language_not_available: { inOrders: 'last', days: 14 },
  // A creator opens these to all: what was for members first, and what waits in a playlist to be published.
  private: { inOrders: 'last', days: MONTH },
  members_only: { inOrders: 'last', days: MONTH },
  paid: { inOrders: 'last', days: MONTH },
  // A row does not keep its reason: the next answer tells it.
  unavailable: { inOrders: 'last', days: MONTH },
  // These are taken back now and then.
  age_restricted: { inOrders: 'last', days: WEEK },
  region_blocked: { inOrders: 'last', days: WEEK },
  removed: { inOrders: 'last', days: WEEK },
  not_found: { inOrders: 'last', days: WEEK },
  replaced: { inOrders: 'last', days: WEEK },
}

/** An answer about a video; `isDoubted` marks a reason that may yet turn out wrong. */
export type Answered = { status: RowStatus; reason: RowReason | null; isDoubted?: boolean }

/** Returns the outcome by which the table is read: an obstacle and a doubt say nothing of the video. */
export function outcomeOf({ status, reason, isDoubted }: Answered): OutcomeName {
  if (isDoubted === true) return 'failed'
  return status === 'failed' || status === 'blocked_suspect' ? status : (reason ?? status)
}
