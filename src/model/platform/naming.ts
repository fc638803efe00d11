/** Naming a drift: which client, route or both it is of, judged by who is spared; and the line for an operator. */
import { type Detector, QUIET, WARM_AT } from './detector.ts'
import type { PartOf, Question, VerdictKind } from './visit.ts'

/** One detector with what it is of. */
export type Watched = {
  question: Question
  verdict: string
  of: PartOf
  detector: Detector
  usual: number
  kind: VerdictKind
}

export type Drift = {
  question: Question
  verdict: string
  /** Empty where no client is spared; so for routes. */
  clients: string[]
  routes: string[]
  sinceMs: number
  share: number
  usual: number
}

/**
 * A part, and when it last answered, the latest last; `ANSWERS_KEPT` of them. `contentAtMs`: answers that said
 * something of what videos have.
 */
export type Answering = {
  question: Question
  of: PartOf
  answeredAtMs: readonly number[]
  contentAtMs: readonly number[]
}

/** Answers since a drift began, none of them concerned, after which others are spared by it. */
const SPARED = { min: 4, max: 8 }
export const ANSWERS_KEPT = SPARED.max
/** How likely chance may be to spare a part that is concerned like the others. */
const CHANCE_MAX = 0.05

/** The drifts that go on, one for each question and verdict. */
export function nameDrifts(watched: readonly Watched[], answering: readonly Answering[]): Drift[] {
  const groups = Map.groupBy(watched, ({ question, verdict }) => `${question} ${verdict}`)
  return [...groups.values()].flatMap((group) => {
    const alarmed = group.filter(({ detector }) => detector.isAlarmed)
    const worst = alarmed.toSorted((a, b) => b.detector.share - a.detector.share)[0]
    if (worst === undefined) return []
    const others = answering.filter(({ question }) => question === worst.question)
    return [driftOf({ group, alarmed, others }, worst)]
  })
}

type Group = {
  group: readonly Watched[]
  alarmed: readonly Watched[]
  others: readonly Answering[]
}

/**
 * Clients are named where another one is spared on the same routes, routes where the same clients are spared on
 * others: who is asked for what differs too much for any other comparison.
 */
function driftOf({ group, alarmed, others }: Group, worst: Watched): Drift {
  const sinceMs = Math.min(...alarmed.map(({ detector }) => detector.sinceMs ?? Infinity))
  const hot = finest(
    group.filter(({ detector }) => detector.isAlarmed || detector.score >= WARM_AT),
  )
  const spared = sparedBy(hot, group, others)
  const clients = concerned(hot, spared, { who: 'client', where: 'route' })
  const routes = concerned(hot, spared, { who: 'route', where: 'client' })
  // A block by address ends the visit, so other clients are not asked there and prove nothing.
  const named = { clients: worst.kind === 'block' && routes.length > 0 ? [] : clients, routes }
  const { share, usual } = measured(alarmed, named) ?? { ...worst, share: worst.detector.share }
  const { question, verdict } = worst
  return { question, verdict, ...named, sinceMs, share, usual }
}

/** Parts that went on as ever, with their answers in the later half of the time since a drift surely began. */
function sparedBy(
  hot: readonly Watched[],
  group: readonly Watched[],
  others: readonly Answering[],
): { of: PartOf; answers: number }[] {
  const isContent = group.some(({ kind }) => kind === 'content')
  const timesOf = ({ answeredAtMs, contentAtMs }: Answering): readonly number[] =>
    isContent ? contentAtMs : answeredAtMs
  // A chance hit makes a part's evidence begin before the drift did: hence the latest, and the later half.
  const beganMs = Math.max(...hot.map(({ detector }) => detector.sinceMs ?? -Infinity))
  const concernedParts = others.filter((other) => hot.some(({ of }) => isSame(of, other.of)))
  const latestMs = Math.max(beganMs, ...concernedParts.flatMap(timesOf))
  const fromMs = (beganMs + latestMs) / 2
  return others.flatMap((other) => {
    const answers = timesOf(other).filter((atMs) => atMs >= fromMs).length
    const own = group.find((one) => isSame(one.of, other.of))?.detector ?? QUIET
    const isSpared = own.score < WARM_AT && own.hits <= (answers * shareOf(hot)) / 4
    return answers > 0 && isSpared ? [{ of: other.of, answers }] : []
  })
}

/** Where half of the answers are concerned, chance spares four in a row more easily than where all are. */
function sparedAfter(hot: readonly Watched[]): number {
  const needed = Math.ceil(Math.log(CHANCE_MAX) / Math.log(1 - shareOf(hot)))
  return Math.min(SPARED.max, Math.max(SPARED.min, needed))
}

/** The largest part of the answers since it began. */
function shareOf(hot: readonly Watched[]): number {
  const shares = hot.map(({ detector }) => detector.hits / Math.max(1, detector.answers))
  return Math.min(0.95, Math.max(0.1, ...shares))
}

/** Pairs of client and route where they are known, since only they tell the two apart. */
function finest(hot: readonly Watched[]): readonly Watched[] {
  const pairs = hot.filter(({ of }) => of.client !== null && of.route !== null)
  return pairs.length > 0 ? pairs : hot
}

type Side = 'client' | 'route'

function concerned(
  hot: readonly Watched[],
  spared: readonly { of: PartOf; answers: number }[],
  { who, where }: { who: Side; where: Side },
): string[] {
  const names = new Set(hot.flatMap(({ of }) => of[who] ?? []))
  const places = new Set(hot.map(({ of }) => of[where]))
  const others = spared.filter(({ of }) => {
    const name = of[who]
    return name !== null && !names.has(name) && places.has(of[where])
  })
  const answers = others.reduce((sum, each) => sum + each.answers, 0)
  return answers >= sparedAfter(hot) ? [...names].toSorted() : []
}

/** The share on the alarmed part that was named, best the client's or route's own. */
function measured(
  alarmed: readonly Watched[],
  { clients, routes }: { clients: string[]; routes: string[] },
): { share: number; usual: number } | null {
  const [client = null, route = null] = [clients[0], routes[0]]
  const found = alarmed.find(({ of }) => isSame(of, { client, route }))
  return found === undefined ? null : { share: found.detector.share, usual: found.usual }
}

function isSame(a: PartOf, b: PartOf): boolean {
  return a.client === b.client && a.route === b.route
}

/** What a client, a route or all of them do; other verdicts are named as they are counted. */
const PHRASES: Record<string, string> = {
  silent: 'no captions are listed',
  gone: '“not available” is said',
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

/** `first`: the captions client that is asked first at the moment; `instead`: one that delivers those videos. */
export function describeDrift(
  drift: Drift,
  { first, instead }: { first: string | null; instead: string | null },
): string {
  const { clients, routes, verdict, question, share, usual } = drift
  const phrase = PHRASES[verdict] ?? `answers are “${verdict}”`
  const who = [clients.join(' and '), routes.length === 0 ? '' : `route ${routes.join(' and ')}`]
  const subject = who.filter((part) => part !== '').join(' on ')
  const since = clockTime(drift.sinceMs)
  const shares = `${percent(share)} of the last answers, usually ${percent(usual)}`
  const contrast =
    clients.length > 0 && instead !== null ? ` for videos that ${instead} delivers` : ''
  const head = `${subject === '' ? 'On all clients and routes' : capitalised(subject)}${ABOUT[question]}`
  return `${head}: ${phrase} since ${since} UTC${contrast} (${shares})${orderOf(drift, { first, instead })}.`
}

/** One refusal is enough where the platform says that our version is too old; the client is left alone then. */
export function describeRetired(
  client: string,
  { sinceMs, first }: { sinceMs: number | null; first: string | null },
): string {
  const since = sinceMs === null ? '' : ` since ${clockTime(sinceMs)} UTC`
  const instead = first === null || first === client ? '' : `; ${first} is asked first now`
  return `${client}: our version is no longer accepted${since}${instead}. Newer versions go into PLATFORM_CLIENTS.`
}

function clockTime(atMs: number): string {
  return new Date(atMs).toISOString().slice(11, 16)
}

function orderOf(
  { clients, routes, question }: Drift,
  { first, instead }: { first: string | null; instead: string | null },
): string {
  if (question !== 'captions' || clients.length === 0 || first === null) {
    return routes.length > 0 ? '; the other routes are spared' : ''
  }
  if (!clients.includes(first)) return `; ${first} is asked first now`
  return instead === null ? '' : `; ${first} is being tried again`
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}

function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
