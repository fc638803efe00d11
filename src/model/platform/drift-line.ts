/** A drift: an average that moved, and the line that reports it to an operator. */
import type { PartOf, Question } from './visit.ts'

// An average: which share of the last answers was one verdict (a bot check, say), and whether it left its usual.

/** An average; `sinceMs` is when its share rose half the way to the alarm, null below that. */
export type Average = { share: number; sinceMs: number | null; isAlarmed: boolean }

/** The usual share, from 0 to 1, over the last days; an average is alarmed from `alarmAt` on. */
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
type Observed = { isHit: boolean; usual: Usual; atMs: number; weight: number }

/** Returns the average after an answer; `before` is null for the first one, when all earlier ones count as usual. */
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

/** A verdict's share of now and of the last days on one part; `sinceMs` is null where it is as usual. */
export type WatchedShare = PartOf & {
  verdict: string
  share: number
  usual: number
  sinceMs: number | null
}

/** A share that left its usual. */
export type Drift = WatchedShare & { sinceMs: number }

/** Phrases for what a client, a route or all of them do; a verdict without one is named as it is counted. */
const PHRASES: Record<string, string> = {
  silent: 'no captions are listed for videos that others deliver',
  gone: '“not available” is said of videos that others deliver',
  disproved: 'refusals are named for what others deliver',
  no_captions: 'no captions are listed',
  not_available: '“not available” is said of videos',
  age_restricted: 'videos are said to be age-restricted',
  region_blocked: 'videos are said not to be shown in this country',
  private: 'videos are said to be private',
  undated: 'no publish dates are given',
  no_videos: 'lists come without videos',
  missing: 'lists are said not to exist',
  bot_check: 'we are asked to prove that we are not a robot',
  captcha: 'we get captchas',
  session_limit: 'we are told to try again later',
  rate_limited: 'we are told that we are asking too often',
  forbidden: 'requests are refused (403)',
  block_page: 'block pages come',
  decoy: 'we get other videos than those asked for',
  withheld: 'captions are listed but come empty',
  reload: 'we are told to reload the page',
  retired: 'our version is no longer accepted',
  bad_request: 'requests are not understood',
  unknown: 'we get answers that we do not know',
  unreadable: 'we get answers in a form that we do not know',
  unreachable: 'the platform cannot be reached',
  timed_out: 'no answer comes in time',
  server_error: 'the platform has errors of its own',
}

const ABOUT: Record<Question, string> = {
  captions: '',
  date: ', asked for dates',
  list: ', asked for lists',
}

/** Returns the line of a drift. `first` is the captions client that is asked first at the moment. */
export function describeDrift(drift: Drift, first: string | null): string {
  const { question, client, route, verdict, share, usual, sinceMs } = drift
  const where = client ?? (route === null ? 'On all clients and routes' : `Route ${route}`)
  const phrase = PHRASES[verdict] ?? `answers are “${verdict}”`
  const since = new Date(sinceMs).toISOString().slice(11, 16)
  const shares = `${percent(share)} of the last answers, usually ${percent(usual)}`
  const order = question === 'captions' && client !== null ? orderOf(client, first) : ''
  return `${where}${ABOUT[question]}, since ${since} UTC: ${phrase} (${shares})${order}.`
}

/** Returns the line of a client whose version is refused; it is left alone, so no drift shows. */
export function describeRetired(client: string, first: string | null): string {
  return `${client}: our version is no longer accepted${orderOf(client, first)}. Newer versions go into PLATFORM_CLIENTS.`
}

function orderOf(client: string, first: string | null): string {
  return first === null || first === client ? '' : `; ${first} is asked first now`
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}
