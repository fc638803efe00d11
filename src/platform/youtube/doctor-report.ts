/** The doctor's findings, as data and in words: each client on each route, what was refused, and what mends it. */
import { describeObstacle, type NamedObstacle, ruleOf } from './obstacle.ts'

/** The setting that mends a fault; null where no setting helps. */
export type MendingSetting = 'EGRESS_ROUTES' | 'PLATFORM_CLIENTS' | 'PLATFORM_FIELD_MASKS' | null

/** The result of one request; `empty` is an answer without what was asked for. */
export type PartOutcome =
  { kind: 'works' } | { kind: 'refused'; obstacle: NamedObstacle } | { kind: 'empty'; text: string }

export type PartName = 'identity' | 'list' | 'captions' | 'age_gate' | 'date'

/** One client's answers about one thing on one route. */
export type ExaminedPart = {
  part: PartName
  client: string
  version: string
  /** The result with a field mask; null where such calls carry none. */
  withMask: PartOutcome | null
  withoutMask: PartOutcome
  /** The result of fetching the words of captions that a player listed; null where none was listed. */
  words: PartOutcome | null
  /** What arrived, in words; '' where nothing did. */
  came: string
}

/** Why a route's examination stopped; `ended` means because of what one of its parts met. */
export type ExaminationStop = { kind: 'rests' | 'too_slow' | 'ended'; text: string }

export type ExaminedRoute = {
  route: string
  /** The word `direct`, or the proxy without its password. */
  via: string
  /** Why the route was not examined to the end; null where it was. */
  stopped: ExaminationStop | null
  parts: ExaminedPart[]
}

export type Fault = {
  route: string
  /** The client at fault; null where the route as a whole is. */
  client: string | null
  version: string | null
  part: PartName | 'route'
  refused: string
  setting: MendingSetting
  mend: string
}

export type Health = 'healthy' | 'degraded' | 'down'

export function isWorking({ withMask, withoutMask, words }: ExaminedPart): boolean {
  const isAnswered = withMask?.kind === 'works' || withoutMask.kind === 'works'
  return isAnswered && (words === null || words.kind === 'works')
}

export function isDelivering({ parts }: ExaminedRoute): boolean {
  return parts.some((each) => each.part === 'captions' && isWorking(each))
}

/** Returns the health: healthy where everything works everywhere, down where no route delivers transcripts. */
export function conclude(routes: readonly ExaminedRoute[], faults: readonly Fault[]): Health {
  if (!routes.some(isDelivering)) return 'down'
  return faults.length === 0 ? 'healthy' : 'degraded'
}

export function faultsOf(
  routes: readonly ExaminedRoute[],
  { usesMasks }: { usesMasks: boolean },
): Fault[] {
  return routes.flatMap((examined) => {
    const faults = examined.parts.flatMap((each) => {
      const fault = faultOf(each, examined, { routes, usesMasks })
      return fault === null ? [] : [fault]
    })
    return [...stopFaults(examined), ...faults]
  })
}

function stopFaults({ route, stopped }: ExaminedRoute): Fault[] {
  if (stopped === null || stopped.kind === 'ended') return []
  const mend: Mend =
    stopped.kind === 'rests'
      ? mendRoute(route)
      : { setting: null, mend: 'Run it again while the routes are less busy.' }
  return [{ client: null, version: null, route, part: 'route', refused: stopped.text, ...mend }]
}

type Around = { routes: readonly ExaminedRoute[]; usesMasks: boolean }

function faultOf(part: ExaminedPart, here: ExaminedRoute, around: Around): Fault | null {
  const { client, version, part: name, withMask, withoutMask, words } = part
  const { route } = here
  const about = { route, client, version, part: name }
  if (isWorking(part)) {
    if (!around.usesMasks || withMask === null || withMask.kind === 'works') return null
    const refused = `with the field mask: ${textOf(withMask)}`
    const mend = 'Set PLATFORM_FIELD_MASKS=false; replies without masks are larger.'
    return { ...about, refused, setting: 'PLATFORM_FIELD_MASKS', mend }
  }
  const worst = withoutMask.kind === 'works' ? (words ?? withoutMask) : withoutMask
  return { ...about, refused: textOf(worst), ...mendOf(worst, { part, here, around }) }
}

type Mend = Pick<Fault, 'setting' | 'mend'>

function mendOf(
  found: PartOutcome,
  { part, here, around }: { part: ExaminedPart; here: ExaminedRoute; around: Around },
): Mend {
  const { client } = part
  if (part.part === 'list' && found.kind === 'empty')
    return { setting: null, mend: 'Name another channel with --channel.' }
  if (found.kind !== 'refused') return mendClient(client, 'it shows others less than it should')
  const { name } = found.obstacle
  if (name === 'retired') return mendClient(client, 'the platform retired this version')
  const isOutOfReach = name === 'unreachable' || name === 'timed_out' || name === 'truncated'
  if (isOutOfReach && here.via !== 'direct')
    return {
      setting: 'EGRESS_ROUTES',
      mend: `Check the proxy of route ${here.route} in EGRESS_ROUTES.`,
    }
  const { blame } = ruleOf(found.obstacle)
  if (blame === 'route') {
    const isRefusedEverywhere = around.routes.every(
      ({ parts }) => !parts.some((each) => isSame(each, part) && isWorking(each)),
    )
    const othersWork = here.parts.some((each) => !isSame(each, part) && isWorking(each))
    return isRefusedEverywhere && othersWork && around.routes.length > 1
      ? mendClient(client, 'every route is refused as this client, and others are not')
      : mendRoute(here.route)
  }
  if (blame === 'once') return { setting: null, mend: 'Try again in a few minutes.' }
  return mendClient(client, 'other clients may still be answered')
}

function isSame(a: ExaminedPart, b: ExaminedPart): boolean {
  return a.client === b.client && a.part === b.part
}

function mendRoute(route: string): Mend {
  const mend = `Give route ${route} another exit or a lower ratePerMinute in EGRESS_ROUTES, or let it rest.`
  return { setting: 'EGRESS_ROUTES', mend }
}

function mendClient(client: string, why: string): Mend {
  const mend = `Set a newer version of ${client} in PLATFORM_CLIENTS, or leave it out: ${why}.`
  return { setting: 'PLATFORM_CLIENTS', mend }
}

function textOf(outcome: PartOutcome): string {
  switch (outcome.kind) {
    case 'works':
      return 'works'
    case 'empty':
      return outcome.text
    case 'refused': {
      const { text, retryAfterMs } = describeObstacle(outcome.obstacle)
      return retryAfterMs === null ? text : `${text} Again in ${Math.ceil(retryAfterMs / 1000)} s.`
    }
    default:
      return outcome satisfies never
  }
}

/** Returns the outcome as a word for `--json`: `works`, `empty`, or the obstacle's name. */
export function wordOf(outcome: PartOutcome): string {
  return outcome.kind === 'refused' ? outcome.obstacle.name : outcome.kind
}

/** Returns plain sentences, route by route, without secrets. */
export function tell(routes: readonly ExaminedRoute[], faults: readonly Fault[]): string[] {
  return routes.flatMap((examined) => {
    const { route, via, stopped, parts } = examined
    const state = isDelivering(examined) ? 'delivers' : 'delivers nothing'
    const own = faults.filter((fault) => fault.route === route)
    return [
      `Route ${route} (${via}) ${state}:`,
      ...(stopped === null ? [] : [`  ${stopped.text}`]),
      ...parts.map((part) => `  ${part.client} ${part.version}, ${tellPart(part)}`),
      ...own.map((fault) => `  → ${subjectOf(fault)}: ${fault.mend}`),
    ]
  })
}

function subjectOf({ client, version, route }: Fault): string {
  return client === null ? `route ${route}` : `${client} ${version ?? ''} on route ${route}`
}

const PART_WORDS: Record<PartName, string> = {
  identity: 'session identity',
  list: 'lists',
  captions: 'captions',
  age_gate: 'age-gated captions',
  date: 'publish dates',
}

function tellPart(part: ExaminedPart): string {
  const { withMask, withoutMask, words, came } = part
  const name = PART_WORDS[part.part]
  const player =
    withMask === null || wordOf(withMask) === wordOf(withoutMask)
      ? textOf(withoutMask)
      : `with the field mask: ${textOf(withMask)} Without it: ${textOf(withoutMask)}`
  if (words !== null && words.kind !== 'works') return `${name}: ${textOf(words)}`
  return `${name}: ${came === '' ? player : `${player}, ${came}`}`
}
