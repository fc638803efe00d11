/** A drift, and the line that reports it to an operator. */
import type { PartOf, Question } from './visit.ts'

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
  silent: 'no captions are listed of videos that others deliver',
  gone: '“not available” is said of videos that others deliver',
  no_captions: 'no captions are listed',
  not_available: '“not available” is said of videos',
  age_restricted: 'videos are said to be age-restricted',
  region_blocked: 'videos are said not to be shown in this country',
  private: 'videos are said to be private',
  undated: 'no publish dates are given',
  no_videos: 'lists come without videos',
  missing: 'lists are said not to exist',
  bot_check: 'we are asked to prove that we are no robot',
  captcha: 'captchas come',
  session_limit: 'we are told to try again later',
  rate_limited: 'we are told that we ask too often',
  forbidden: 'requests are refused (403)',
  block_page: 'block pages come',
  decoy: 'other videos come than those asked for',
  withheld: 'captions are listed but come empty',
  reload: 'we are told to reload the page',
  retired: 'our version is no longer accepted',
  bad_request: 'requests are not understood',
  unknown: 'answers come that we do not know',
  unreadable: 'answers come in a form that we do not know',
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
  return `${where}${ABOUT[question]}: ${phrase} since ${since} UTC (${shares})${order}.`
}

/**
 * Returns the line of a client whose version is refused: it is left alone, so its share stays small and no drift shows.
 */
export function describeRetired(client: string, first: string | null): string {
  return `${client}: our version is no longer accepted${orderOf(client, first)}. Newer versions go into PLATFORM_CLIENTS.`
}

function orderOf(client: string, first: string | null): string {
  return first === null || first === client ? '' : `; ${first} is asked first now`
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}
