/** The usual: how often each verdict came on a part in the last days, against which its share of now is held. */

/** Counts of answers by verdict, on one part; `total` counts those without any hit, too. */
export type VerdictCounts = { total: number; hits: Map<string, number> }

/** Counts of one part, to be added to what all processes keep. `verdict` '' counts all answers. */
export type ShareCount = { part: string; verdict: string; answers: number }

/** Where counts come from and go to. */
export type ShareBook = {
  /** What was counted since the last call, to be kept. */
  takeCounts(): ShareCount[]
  /** Gives counts back that could not be kept. */
  returnCounts(counts: readonly ShareCount[]): void
  /** What all processes counted in the last days, in place of what was known. */
  learn(counts: readonly ShareCount[]): void
}

/** What depends on videos is counted once for each source, so its answers have a sum of their own. */
export const CONTENT_ANSWERS = '(content)'

/** Before a part has seen so many sources, what depends on videos is not judged on it. */
export const LEARNT_MIN = 200
/** What is thought usual before anything was seen, and how many answers that thought weighs. */
const PRIOR = { content: { share: 0.1, weight: 20 }, obstacle: { share: 0.01, weight: 200 } }

/** Standard deviations by which the usual may be more than it was seen to be: two leave out one in forty. */
const DEVIATIONS = 2

export function noCounts(): VerdictCounts {
  return { total: 0, hits: new Map() }
}

export function addCounts(counts: VerdictCounts, verdicts: readonly string[]): void {
  counts.total += 1
  for (const verdict of verdicts) counts.hits.set(verdict, (counts.hits.get(verdict) ?? 0) + 1)
}

/** `since`: what belongs to the present evidence, which must not make itself usual. */
export type UsualOf = {
  verdict: string
  isContent: boolean
  since: { hits: number; answers: number }
}

/**
 * `share`: from 0 to 1, over all of `counts`. `atMost`: how large it may well be in truth, as far as so many
 * answers tell. A share that chance made small in the past would make what is usual look like a rise for ever.
 */
export type Usual = { share: number; atMost: number }

/** Null where there is too little past to say what is usual. */
export function usualOf(
  counts: readonly VerdictCounts[],
  { verdict, isContent, since }: UsualOf,
): Usual | null {
  const sum = (read: (each: VerdictCounts) => number): number =>
    counts.reduce((total, each) => total + read(each), 0)
  const seen = sum((each) => (isContent ? (each.hits.get(CONTENT_ANSWERS) ?? 0) : each.total))
  const total = Math.max(0, seen - since.answers)
  const hits = Math.max(0, sum((each) => each.hits.get(verdict) ?? 0) - since.hits)
  if (isContent && total < LEARNT_MIN) return null
  const prior = isContent ? PRIOR.content : PRIOR.obstacle
  const answers = prior.weight + total
  const share = (prior.weight * prior.share + hits) / answers
  // An obstacle's share is next to nothing, and what it was thought to be weighs more than that.
  const doubt = isContent ? DEVIATIONS * Math.sqrt((share * (1 - share)) / answers) : 0
  return { share, atMost: share + doubt }
}

/** Older answers count half as much: for a process that keeps its counts for itself. */
export function halve(counts: VerdictCounts): void {
  counts.total = Math.floor(counts.total / 2)
  for (const [verdict, count] of counts.hits) counts.hits.set(verdict, Math.floor(count / 2))
}
