/** An average: which share of the last answers was one verdict (a bot check, say), and whether it left its usual. */

/** `sinceMs`: when the share rose half the way to the alarm; null below that. */
export type Average = { share: number; sinceMs: number | null; isAlarmed: boolean }

/** `share`: from 0 to 1, over the last days; an average is alarmed from `alarmAt` on. */
export type Usual = { share: number; alarmAt: number }

/** Counts of one part, to be added to what all processes keep. `verdict` '' counts all answers. */
export type ShareCount = { part: string; verdict: string; answers: number }

/** Where counts come from and go to. */
export type ShareBook = {
  /** What was counted and is not kept yet. */
  freshCounts(): ShareCount[]
  /** These counts are kept now. */
  kept(counts: readonly ShareCount[]): void
  /** What all processes counted in the last days, in place of what was known. */
  learn(counts: readonly ShareCount[]): void
}

/** An answer counts for the average as one of so many. */
const AVERAGED_OVER = 32
/** An alarm needs a rise by this, which five or six answers in a row make. */
const RISE_MIN = 0.14
/** It also needs so many standard deviations of the average and of the usual, as far as so few answers tell. */
const DEVIATIONS = 5.5
/** Before so many sources were seen, it is not known what videos usually have. */
export const LEARNT_MIN = 200
/** What is thought usual before anything was seen, and how many answers that thought weighs. */
const PRIOR = { videos: { share: 0.1, weight: 20 }, obstacles: { share: 0.01, weight: 200 } }

export type Seen = { answers: number; hits: number; isOfVideos: boolean }

/** Null where there is too little past to say what is usual. */
export function usualOf({ answers, hits, isOfVideos }: Seen): Usual | null {
  if (isOfVideos && answers < LEARNT_MIN) return null
  const prior = isOfVideos ? PRIOR.videos : PRIOR.obstacles
  const known = prior.weight + answers
  const share = (prior.weight * prior.share + hits) / known
  const deviation = Math.sqrt(share * (1 - share) * (1 / (2 * AVERAGED_OVER) + 1 / known))
  return { share, alarmAt: share + Math.max(RISE_MIN, DEVIATIONS * deviation) }
}

/** `weight`: as how many answers it counts. */
export type Observed = { isHit: boolean; usual: Usual; atMs: number; weight: number }

/** `before`: null for the first answer of its kind; what came earlier was as usual. */
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
