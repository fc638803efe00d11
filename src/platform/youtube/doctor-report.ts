/** The doctor's findings, as data and in words: each client on each route, what was refused, and what mends it. */
import { type Checked, isOfDataCentre, tellChecked } from './doctor-checks.ts'
import {
  describeObstacle,
  isCheck,
  isOutOfReach,
  type NamedObstacle,
  type ObstacleName,
  ruleOf,
} from './obstacle.ts'

/** The result of one request: it worked, it was refused, or the answer was without what was asked for. */
export type PartOutcome = {
  /** The word for `--json`: `works`, `empty`, or the obstacle's name. */
  word: string
  text: string
  /** Obstacle that refused the request; null where it was answered. */
  obstacle: NamedObstacle | null
}

export const WORKS: PartOutcome = { word: 'works', text: 'works', obstacle: null }

export function empty(text: string): PartOutcome {
  return { word: 'empty', text, obstacle: null }
}

export function refusedPart(obstacle: NamedObstacle): PartOutcome {
  const { text, retryAfterMs } = describeObstacle(obstacle)
  const again = retryAfterMs === null ? '' : ` Again in ${Math.ceil(retryAfterMs / 1000)} s.`
  return { word: obstacle.name, text: `${text}${again}`, obstacle }
}

export type PartName = 'identity' | 'list' | 'captions' | 'age_gate' | 'date'

export type PartAnswers = {
  /** The result with a field mask; null where such calls carry none. */
  withMask: PartOutcome | null
  withoutMask: PartOutcome
  /** The result of fetching the words of captions that a player listed; null where none was listed. */
  words: PartOutcome | null
}

/** One client's answers about one thing on one route. */
export type ExaminedPart = PartAnswers & {
  part: PartName
  client: string
  version: string
  /** Whether it is an older version, which is asked only where the newer one is refused. */
  isOlder: boolean
  /** Words for what arrived, or for what a client without an identity does; '' where nothing arrived. */
  arrived: string
}

export type ExaminedRoute = {
  route: string
  /** The word `direct`, or the proxy without its password. */
  via: string
  /** Why the route was not examined to the end; null where it was. */
  stopped: ExaminationStop | null
  parts: ExaminedPart[]
  /** For how many videos every app met a check for robots; null where the first one was none. */
  checked: Checked | null
}

/** Why a route's examination stopped; `mend` is null where that is the fault of one of its parts. */
export type ExaminationStop = { text: string; mend: Mend | null }

/** Remedy of a fault; `setting` is null where no setting helps. */
export type Mend = {
  setting: 'EGRESS_ROUTES' | 'PLATFORM_CLIENTS' | 'PLATFORM_FIELD_MASKS' | 'PO_TOKEN_URL' | null
  mend: string
}

export type Fault = Mend & {
  /** The route at fault; null where it is none of one route alone. */
  route: string | null
  /** The client at fault; null where the route as a whole is. */
  client: string | null
  version: string | null
  part: PartName | 'route' | 'case' | 'peer'
  refused: string
}

export type Health = 'healthy' | 'limited' | 'degraded' | 'down'

export function isWorking({ withMask, withoutMask, words }: PartAnswers): boolean {
  const isAnswered = withMask === WORKS || withoutMask === WORKS
  return isAnswered && (words === null || words === WORKS)
}

/** Blocks that asking on prolongs. */
const BLOCKS = new Set<ObstacleName>(['rate_limited', 'block_page', 'captcha', 'session_limit'])

/** Returns how many parts met an unmistakable block. */
export function countBlocked(parts: readonly ExaminedPart[]): number {
  const isBlock = (each: PartOutcome | null): boolean =>
    each !== null && each.obstacle !== null && BLOCKS.has(each.obstacle.name)
  return parts.filter(
    ({ part, withMask, withoutMask, words }) =>
      part !== 'identity' && [withMask, withoutMask, words].some(isBlock),
  ).length
}

export function isDelivering({ parts, checked }: ExaminedRoute): boolean {
  const isSeen = checked?.isAnswered === true
  return isSeen || parts.some((each) => each.part === 'captions' && isWorking(each))
}

/** Whether a fault is a known limit, which no setting mends: age-gated videos are told as such, and that is all. */
function isKnownLimit({ part, setting }: Fault): boolean {
  return part === 'age_gate' && setting === null
}

/**
 * Returns the health: healthy where everything works everywhere, limited where all that is missing are known limits,
 * down where no route delivers transcripts.
 */
export function healthOf(routes: readonly ExaminedRoute[], faults: readonly Fault[]): Health {
  if (!routes.some(isDelivering)) return 'down'
  if (faults.length === 0) return 'healthy'
  return faults.every(isKnownLimit) ? 'limited' : 'degraded'
}

type Examined = { routes: readonly ExaminedRoute[]; usesMasks: boolean }

export function faultsOf(examined: Examined): Fault[] {
  return examined.routes.flatMap((here) => {
    const { route, stopped, parts, checked } = here
    const isCentre = isOfDataCentre(checked)
    const found = parts
      .filter((part) => !part.isOlder && !(isCentre && isCheckedPart(part)))
      .flatMap((part) => faultOf(part, here, examined) ?? [])
    // What is wrong with a client shows in its answers; that it gives no identity either is told among the parts.
    const faults = found.filter(
      ({ part, client }) =>
        part !== 'identity' || !found.some((each) => each.client === client && each.part !== part),
    )
    const whole = { client: null, version: null, part: 'route', route } as const
    if (isCentre) faults.unshift({ ...whole, refused: tellChecked(checked), ...otherExit(route) })
    if (stopped === null || stopped.mend === null) return faults
    return [{ ...whole, refused: stopped.text, ...stopped.mend }, ...faults]
  })
}

/** Whether the client for captions met a check for robots. */
export function isChecked(parts: readonly ExaminedPart[], client: string): boolean {
  const own = parts.filter((each) => each.part === 'captions' && each.client === client)
  return own.some(isCheckedPart)
}

function isCheckedPart({ withoutMask: { obstacle } }: ExaminedPart): boolean {
  return obstacle !== null && isCheck(obstacle)
}

function otherExit(route: string): Mend {
  const mend = `Give route ${route} an exit of another kind in EGRESS_ROUTES; docs/operating/exits.md says which work.`
  return { setting: 'EGRESS_ROUTES', mend }
}

function faultOf(
  part: ExaminedPart,
  here: ExaminedRoute,
  { routes, usesMasks }: Examined,
): Fault | null {
  const { client, version, part: name, withMask, withoutMask, words } = part
  const about = { route: here.route, client, version, part: name }
  const worst = withoutMask === WORKS ? (words ?? withoutMask) : withoutMask
  const isMendable = worst.obstacle?.name === 'retired' || worst.obstacle?.name === 'no_token'
  if (!isWorking(part) && name === 'age_gate' && !isMendable) {
    const mend = 'A known limit: age-gated videos are told as age_restricted; no setting helps.'
    return { ...about, refused: worst.text, setting: null, mend }
  }
  if (!isWorking(part)) {
    return { ...about, refused: worst.text, ...mendOf(worst, part, { here, routes }) }
  }
  if (!usesMasks || withMask === null || withMask === WORKS) return null
  return {
    ...about,
    refused: `with the field mask: ${withMask.text}`,
    setting: 'PLATFORM_FIELD_MASKS',
    mend: 'Set PLATFORM_FIELD_MASKS=false; replies without masks are larger.',
  }
}

function mendOf(
  { obstacle }: PartOutcome,
  part: ExaminedPart,
  { here, routes }: { here: ExaminedRoute; routes: readonly ExaminedRoute[] },
): Mend {
  const { client } = part
  if (obstacle === null)
    return part.part === 'list' &&
      !here.parts.some((each) => each.part === 'list' && isWorking(each))
      ? { setting: null, mend: 'Name another channel with --channel.' }
      : mendClient(client, 'it shows others less than it should')
  if (obstacle.name === 'no_token' || obstacle.name === 'withheld') {
    const mend =
      obstacle.name === 'no_token'
        ? 'Check the provider in PO_TOKEN_URL.'
        : `Name a provider of tokens of proof in PO_TOKEN_URL, or leave ${client} out of PLATFORM_CLIENTS.`
    return { setting: 'PO_TOKEN_URL', mend }
  }
  if (obstacle.name === 'retired') return mendClient(client, 'the platform retired this version')
  if (isOutOfReach(obstacle) && here.via !== 'direct') {
    const mend = `Check the proxy of route ${here.route} in EGRESS_ROUTES.`
    return { setting: 'EGRESS_ROUTES', mend }
  }
  const { blame } = ruleOf(obstacle)
  if (blame === 'route') {
    const isThis = (each: ExaminedPart): boolean =>
      each.client === client && each.part === part.part
    const worksElsewhere = routes.some(({ parts }) =>
      parts.some((each) => isThis(each) && isWorking(each)),
    )
    const othersWork = here.parts.some((each) => !isThis(each) && isWorking(each))
    return !worksElsewhere && othersWork
      ? mendClient(client, 'every route is refused as this client, and others are not')
      : mendRoute(here.route)
  }
  if (blame === 'once') {
    const check = isOutOfReach(obstacle)
      ? 'Check this machine’s way to the platform, or try'
      : 'Try'
    return { setting: null, mend: `${check} again in a few minutes.` }
  }
  return mendClient(client, 'other clients may still be answered')
}

export function mendRoute(route: string): Mend {
  const mend = `Give route ${route} another exit or a lower ratePerMinute in EGRESS_ROUTES, or let it rest.`
  return { setting: 'EGRESS_ROUTES', mend }
}

function mendClient(client: string, why: string): Mend {
  const mend = `Set a newer version of ${client} in PLATFORM_CLIENTS, or leave it out: ${why}.`
  return { setting: 'PLATFORM_CLIENTS', mend }
}

/** Returns plain sentences, route by route, without secrets. */
export function tell(routes: readonly ExaminedRoute[], faults: readonly Fault[]): string[] {
  return routes.flatMap((examined) => {
    const { route, via, stopped, parts, checked } = examined
    const state = isDelivering(examined) ? 'delivers' : 'delivers nothing'
    const own = faults.filter((fault) => fault.route === route)
    return [
      `Route ${route} (${via}) ${state}:`,
      ...(stopped === null ? [] : [`  ${stopped.text}`]),
      ...(isOfDataCentre(checked) ? [`  ${tellChecked(checked)}`] : []),
      ...parts.map((part) => `  ${part.client} ${part.version}, ${tellPart(part)}`),
      ...[...Map.groupBy(own, ({ mend }) => mend)].map(
        ([mend, alike]) => `  → ${placeOfFaults(alike)}: ${mend}`,
      ),
    ]
  })
}

function placeOfFaults(alike: readonly Fault[]): string {
  const clients = alike.flatMap((one) => (one.client ? `${one.client} ${one.version ?? ''}` : []))
  const route = `route ${alike[0]?.route ?? ''}`
  return clients.length === 0 ? route : `${[...new Set(clients)].join(', ')} on ${route}`
}

const PART_WORDS: Record<PartName, string> = {
  identity: 'session identity',
  list: 'lists',
  captions: 'captions',
  age_gate: 'age-gated captions',
  date: 'publish dates',
}

function tellPart({ part, withMask, withoutMask, words, arrived }: ExaminedPart): string {
  const name = PART_WORDS[part]
  if (words !== null && words !== WORKS) return `${name}: ${words.text}`
  const player =
    withMask === null || withMask.word === withoutMask.word
      ? withoutMask.text
      : `with the field mask: ${withMask.text} Without it: ${withoutMask.text}`
  if (arrived === '') return `${name}: ${player}`
  return `${name}: ${player}${part === 'identity' ? ' ' : ', '}${arrived}`
}
