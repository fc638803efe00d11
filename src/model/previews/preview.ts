/**
 * A preview: what a job with the same body would take up now, told before anything is ordered; a visitor's is a trial
 * (trial.ts).
 *
 *     listing ──┬── every line is settled ──▶ ready
 *        ▲      └── its time is over ───────▶ ready     unsettled lines say so
 *        └───────── asked for again after a job with the same URLs: counted anew, from the same pages
 *
 * Its findings are one for each line, in the job's order. What they say of slots is the selection's own
 * decision (model/jobs/selection.ts), over the pages that a preview may list.
 */
import { cost } from '../money/money.ts'
import type { Source } from '../platform/source.ts'
import type { TrialFinding } from './trial.ts'

export type PreviewState = 'listing' | 'ready'
type SourceKind = 'video' | 'playlist' | 'channel'

/** Findings about one line; instants are ISO 8601. */
export type Finding = {
  line: string
  kind: SourceKind
  title: string | null
  channelName: string | null
  pictureUrl: string | null
  /** How many videos the list holds, as the platform says or as it was read; null where unknown. */
  videos: number | null
  /** True where everything was read that a job would read of it now. */
  isComplete: boolean
  /** The dates as far as exact dates or the list's own words tell. */
  newestAt: string | null
  oldestAt: string | null
  /** How many of its listed videos were delivered to the account for exactly this URL set, or refused for good. */
  delivered: number
  knownNegative: number
  /**
   * How many of its videos the account owns by any order, in the language wished; and how many of those, which no
   * order of exactly these URLs brought, a job leaves out or charges again. The release before wrote neither.
   */
  owned?: number
  elsewhere?: number
  /**
   * How many of its videos, those of lines before it left out, a job gives as `unchanged`. The release before wrote
   * none.
   */
  unchanged?: number
  /** The order that brought the last of those, and when. */
  ownedFrom?: { jobId: string; since: string } | null
  /** How many videos a job would take up, with those counted on behind what was read of a list. */
  wouldTake: number
  /** How many of those were refused before or are marked as for members, so that no transcript is expected. */
  hopeless: number
  /** How many it might take up beyond that, if the list holds more than it says; null for any number. */
  beyond: number | null
  /** Why it could not be read, or not further; null where it could. */
  error: string | null
  /** True where nothing more will be found out. */
  isSettled: boolean
}

export type Findings = {
  sources: Finding[]
  /** The share of delivered videos among those that were tried lately, over all accounts; null where none were. */
  usualShare: number | null
  /** Number of videos that bounds may keep out when the job asks for their exact date. */
  undated: number
  /** Sentences about the preview besides the request's own notices. */
  notices: string[]
  /** Finding about a visitor's video; null where an account asked, or nothing was read in time. */
  trial: TrialFinding | null
}

export const NO_FINDINGS: Findings = {
  sources: [],
  usualShare: null,
  undated: 0,
  notices: [],
  trial: null,
}

export function newFinding(line: string, source: Source): Finding {
  return {
    line,
    kind: source.kind === 'lists' ? 'channel' : source.kind,
    title: null,
    channelName: null,
    pictureUrl: source.kind === 'video' ? pictureOf(source.videoId) : null,
    videos: source.kind === 'video' ? 1 : null,
    isComplete: false,
    newestAt: null,
    oldestAt: null,
    delivered: 0,
    knownNegative: 0,
    owned: 0,
    elsewhere: 0,
    unchanged: 0,
    ownedFrom: null,
    wouldTake: 0,
    hopeless: 0,
    beyond: null,
    error: null,
    isSettled: false,
  }
}

/** Returns the address of the platform's own still, 320 pixels wide; only the customer's browser asks for it. */
export function pictureOf(videoId: string): string {
  return `https://i.ytimg.com/vi/${videoId}/mqdefault.jpg`
}

/** Returns the findings of a preview whose time is over: every unsettled line says so. */
export function withoutTime(findings: Findings, lines: readonly Finding[]): Findings {
  const sources = findings.sources.length > 0 ? findings.sources : lines
  return {
    ...findings,
    sources: sources.map((finding) =>
      finding.isSettled ? finding : { ...finding, isSettled: true, error: LATE },
    ),
  }
}

const LATE =
  'Not read in time: paid jobs go first, or the platform is slow. A job may still read it; try the preview again later.'

/** Fewer known videos than this say nothing about their channel. */
const KNOWN_MIN = 10

type PreviewCosts = {
  wouldTake: number
  /** How many videos of all lines the job gives as `unchanged`, each counted once. */
  unchanged: number
  mostMicros: bigint
  expectedMicros: bigint
  /** The part of the most that is for videos that the account owns by other orders. */
  againMicros: bigint
}

/**
 * Returns what the job may cost: `most` is what it can charge, whatever the platform answers; `expected` leaves out
 * videos that were refused before and, of the rest, the share that is usual for the line's known videos, or for all.
 */
export function costsOf(
  { sources, usualShare }: Findings,
  { slots, skipsOwned }: { slots: number; skipsOwned: boolean },
): PreviewCosts {
  const sum = (of: (finding: Finding) => number): number =>
    sources.reduce((total, finding) => total + of(finding), 0)
  const wouldTake = Math.min(
    slots,
    sum((finding) => finding.wouldTake),
  )
  const most = wouldTake + sum(({ beyond }) => beyond ?? slots)
  const expected = sum((finding) => {
    const share = shareOf(finding) ?? usualShare ?? 1
    return Math.max(0, finding.wouldTake - finding.hopeless) * share
  })
  const again = skipsOwned
    ? 0
    : Math.min(
        wouldTake,
        sum(({ elsewhere = 0 }) => elsewhere),
      )
  return {
    wouldTake,
    unchanged: sum(({ unchanged = 0 }) => unchanged),
    againMicros: cost(again),
    mostMicros: cost(sources.length === 0 ? slots : Math.min(slots, most)),
    expectedMicros: cost(Math.min(wouldTake, Math.ceil(expected))),
  }
}

/** Lines that a notice names; the others are counted. */
const NAMED_MAX = 3

/** Returns a notice of the lines of which nothing is taken, since the lines before them take all; none of no line. */
export function noticesOfUnreached({ sources }: Findings, slots: number): string[] {
  const total = sources.reduce((sum, { wouldTake }) => sum + wouldTake, 0)
  if (total < slots) return []
  const missed = sources.filter((finding) => isUnreached(finding))
  if (missed.length === 0) return []
  const named = missed.slice(0, NAMED_MAX).map(({ title, line, kind, videos }) => {
    const size = kind === 'video' || videos === null ? '' : ` (${videos} videos)`
    return `${title ?? line}${size}`
  })
  const more = missed.length > NAMED_MAX ? ` and ${missed.length - NAMED_MAX} more` : ''
  return [`Nothing of ${named.join(', ')}${more}: the lines before take the maximum of ${slots}.`]
}

/** Returns whether a line holds videos of which the account has none, and nothing of it would be taken. */
function isUnreached({ wouldTake, videos, owned = 0, delivered, knownNegative, error }: Finding) {
  const known = Math.max(owned, delivered) + knownNegative
  return wouldTake === 0 && error === null && known < (videos ?? 1)
}

function shareOf({ delivered, knownNegative }: Finding): number | null {
  const known = delivered + knownNegative
  return known < KNOWN_MIN ? null : delivered / known
}
