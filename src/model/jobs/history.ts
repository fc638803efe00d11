/**
 * History: what an account already received, or was told, about one video under one URL set.
 *
 *     nothing ──── transient ──▶ transient (tries 1, 2, …)     asked again first, up to 2 tries
 *        │ ╲                        │      │
 *        │  ╲──── definite ─────────┼──▶ negative              asked again with slots left over
 *        │                          │      │
 *        └──────── success ─────────┴──────┴────▶ delivered    never asked again, never leaves
 *
 * Every job counts for what it recorded, also a cancelled, failed or interrupted one. Rows without
 * an attempt (`unchanged`, `skipped`, `truncated`, source rows) leave no mark.
 */
import { type Answered, ASKED_AGAIN, outcomeOf } from './asked-again.ts'
import { isAttempt } from './video-row.ts'

/** How often a transient failure is asked for before it counts as definite. */
const TRANSIENT_TRIES_MAX = 2
/** Captions of a video younger than this may still come. */
const YOUNG_MS = 72 * 3_600_000

export type HistoryEntry =
  | { kind: 'delivered'; jobId: string }
  /** The platform's last definite answer was no. */
  | { kind: 'negative'; attemptedAt: Date; publishedAt: string | null }
  /** No definite answer yet in `tries` attempts, the last one at `attemptedAt`. */
  | { kind: 'transient'; tries: number; attemptedAt: Date; publishedAt: string | null }

/** Outcome of a finished row; `publishedAt` is ISO 8601, null where the platform did not say. */
export type Outcome = Answered & { jobId: string; publishedAt: string | null }

/** When a repeat asks for a video again: `last` with slots that nothing else needs, `never` once it was delivered. */
export type RetryPriority = 'first' | 'last' | 'never'

export function retryPriority(entry: HistoryEntry | null): RetryPriority {
  if (entry === null) return 'first'
  switch (entry.kind) {
    case 'delivered':
      return 'never'
    case 'negative':
      return 'last'
    case 'transient':
      return entry.tries < TRANSIENT_TRIES_MAX ? 'first' : 'last'
    default:
      return entry satisfies never
  }
}

/** Returns what is remembered after a row finished at `now`; null where there was no entry and none is needed. */
export function historyAfter(
  previous: HistoryEntry | null,
  outcome: Outcome,
  now: Date,
): HistoryEntry | null {
  if (previous?.kind === 'delivered' || !isAttempt(outcome.status)) return previous
  if (outcome.status === 'success') return { kind: 'delivered', jobId: outcome.jobId }

  const publishedAt = outcome.publishedAt ?? previous?.publishedAt ?? null
  // A definite answer stays one: a block in between says nothing new about the video.
  if (!isTransient({ ...outcome, publishedAt }, now) || previous?.kind === 'negative') {
    return { kind: 'negative', attemptedAt: now, publishedAt }
  }
  return { kind: 'transient', tries: (previous?.tries ?? 0) + 1, attemptedAt: now, publishedAt }
}

/** Returns whether asking again soon may well succeed where this attempt did not. */
function isTransient(outcome: Outcome, now: Date): boolean {
  const { inOrders } = ASKED_AGAIN[outcomeOf(outcome)]
  return inOrders === 'first' || (inOrders === 'young' && isYoung(outcome.publishedAt, now))
}

/** Returns whether the video is young. A date that cannot be read is not young: NaN compares with nothing. */
function isYoung(publishedAt: string | null, now: Date): boolean {
  return publishedAt !== null && now.getTime() - Date.parse(publishedAt) < YOUNG_MS
}
