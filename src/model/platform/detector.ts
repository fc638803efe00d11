/**
 * A detector: whether one share (of answers that are a bot check, say) rose above what is usual.
 *
 *     score   0 ── a hit adds ln(risen / usual) ──▶ ALARM_AT: alarmed ──▶ never above SCORE_MAX
 *             ◀── any other answer takes ln((1 - usual) / (1 - risen)) away ── END_AT: no longer alarmed
 *
 * This is the cumulative sum of log-likelihood ratios (Page 1954) for "the share is `usual`" against "it is
 * `risen`": for independent answers at the usual share, alarms are at least e^ALARM_AT answers apart on average.
 */

export type Detector = {
  /** Evidence that the share rose; 0 is none. */
  score: number
  /** Of the last answers, older ones counting less and less; 0 to 1. */
  share: number
  /** Answers seen, counted up to `SEEN_MAX`. */
  seen: number
  /** Answers since the last hit, counted up to `SEEN_MAX`. */
  clean: number
  isAlarmed: boolean
  /** When the present evidence began: at the first hit since the score was 0; null without evidence. */
  sinceMs: number | null
  /** Since then. */
  hits: number
  answers: number
}

/** `weight`: as how many answers it counts. */
export type Observed = { isHit: boolean; usual: number; atMs: number; weight?: number }

export const QUIET: Detector = {
  score: 0,
  share: 0,
  seen: 0,
  clean: 0,
  isAlarmed: false,
  sinceMs: null,
  hits: 0,
  answers: 0,
}

/** e^13: some 440,000 answers. Where hits are rare, five among a few others reach it. */
export const ALARM_AT = 13
export const END_AT = 2
/** A long drift ends as soon as a short one. */
export const SCORE_MAX = 16
/** From here on a share is not called cold beside alarmed ones. */
export const WARM_AT = 4.5
export const SEEN_MAX = 1_000_000

/** A share that was never seen is still thought possible. */
const USUAL_MIN = 0.01
/** What nearly always happens cannot become more usual. */
const USUAL_MAX = 0.8
/** The rise that is looked for, as a part of all answers. */
const RISE = 0.15
/** The share forgets with this many answers. */
const SHARE_OVER = 32

export function afterAnswer(
  detector: Detector,
  { isHit, usual, atMs, weight: times = 1 }: Observed,
): Detector {
  const expected = Math.min(USUAL_MAX, Math.max(USUAL_MIN, usual))
  const risen = expected + RISE
  const step = isHit ? Math.log(risen / expected) : Math.log((1 - risen) / (1 - expected))
  const score = Math.min(SCORE_MAX, Math.max(0, detector.score + step * times))
  const part = 1 / Math.min(SHARE_OVER, detector.seen + 1)
  const hasEvidence = score > 0
  return {
    score,
    share: detector.share + (Number(isHit) - detector.share) * part,
    seen: Math.min(SEEN_MAX, detector.seen + 1),
    clean: isHit ? 0 : Math.min(SEEN_MAX, detector.clean + 1),
    isAlarmed: detector.isAlarmed ? score > END_AT : score >= ALARM_AT,
    sinceMs: hasEvidence ? (detector.sinceMs ?? atMs) : null,
    hits: hasEvidence ? detector.hits + Number(isHit) : 0,
    answers: hasEvidence ? detector.answers + 1 : 0,
  }
}
