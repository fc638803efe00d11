/** An average: which share of the last answers was one verdict (a bot check, say), and whether it left its usual. */

/** An average; `sinceMs` is when its share rose half the way to the alarm, null below that. */
export type Average = { share: number; sinceMs: number | null; isAlarmed: boolean }

/** What is usual: `share` is from 0 to 1, over the last days; an average is alarmed from `alarmAt` on. */
export type Usual = { share: number; alarmAt: number }

/** Counts of one part, to be added to what all processes keep. `verdict` '' counts all answers. */
export type ShareCount = { part: string; verdict: string; answers: number }

/** The source and the destination of counts. */
export type ShareBook = {
  /** Returns what was counted and is not kept yet. */
  freshCounts(): ShareCount[]
  /** Notes that these counts are kept. */
  kept(counts: readonly ShareCount[]): void
  /** Replaces what was known by what all processes counted in the last days. */
  learn(counts: readonly ShareCount[]): void
}

/** An answer weighs as one of this many in the average. */
const AVERAGED_OVER = 32
/** The least rise for an alarm; five or six answers in a row make it. */
const RISE_MIN = 0.14
/** The least rise in standard deviations of the average and of the usual, as far as so few answers tell. */
const DEVIATIONS = 5.5
/** Number of sources that have to be seen before it is known what videos usually have. */
export const LEARNT_MIN = 200
/** The share that is thought usual before anything was seen, and the number of answers that this thought weighs. */
const PRIOR = { videos: { share: 0.1, weight: 20 }, obstacles: { share: 0.01, weight: 200 } }

export type Seen = { answers: number; hits: number; isOfVideos: boolean }

/** Returns what is usual; null where there is too little past to say. */
export function usualOf({ answers, hits, isOfVideos }: Seen): Usual | null {
  if (isOfVideos && answers < LEARNT_MIN) return null
  const prior = isOfVideos ? PRIOR.videos : PRIOR.obstacles
  const known = prior.weight + answers
  const share = (prior.weight * prior.share + hits) / known
  const deviation = Math.sqrt(share * (1 - share) * (1 / (2 * AVERAGED_OVER) + 1 / known))
  return { share, alarmAt: share + Math.max(RISE_MIN, DEVIATIONS * deviation) }
}

/** One answer; `weight` is the number of answers that it counts as. */
export type Observed = { isHit: boolean; usual: Usual; atMs: number; weight: number }

/**
 * Returns the average after an answer. `before` is null for the first answer of its kind: earlier answers count as
 * usual.
 */
export function afterAnswer(
  before: Average | null,
  { isHit, usual, atMs, weight }: Observed,
): Average {
  const {
    share: last,
    sinceMs,
    isAlarmed,
  } = before ?? { ...usual, sinceMs: null, isAlarmed: false }
  const share = last + ((Number(isHit) - last) * weight) / AVERAGED_OVER
  if (share < (usual.share + usual.alarmAt) / 2) return { share, sinceMs: null, isAlarmed: false }
  return { share, sinceMs: sinceMs ?? atMs, isAlarmed: isAlarmed || share >= usual.alarmAt }
}
