/**
 * A visit: one question (of a video's captions, of a date, of a list) on one route, as the drift watch sees it:
 * what each client answered, and of which *parts* of our way to the platform that is evidence.
 *
 * What depends on videos says nothing of the platform by itself: a channel without captions is ordinary. So
 * "no captions" counts against a client only for a video that another client delivered, and against routes
 * only once for each channel; a block counts twice at most for one session identity, and what else
 * stands in the way once for each video. No single source, however often it is asked for, makes an alarm.
 */

export type Question = 'captions' | 'date' | 'list'

/** `video`: the answer is the video's or list's own; the others are as in an obstacle's rule. */
export type VerdictBlame = 'video' | 'route' | 'client' | 'once' | 'nobody'

export type ClientReading = { client: string; verdict: string; blame: VerdictBlame }

export type Visit = {
  question: Question
  route: string
  /** The route's session identity. */
  epoch: number
  /** A video's id, or a list. */
  subject: string
  /** Null where nobody named it. */
  channel: string | null
  accountId: string
  /** In the order in which the clients were asked. */
  readings: readonly ClientReading[]
  /** The client whose answer was what was asked for. */
  delivered: string | null
  atMs: number
}

/** What a part is of; null: of any. */
export type PartOf = { client: string | null; route: string | null }

/**
 * `content` is the videos' own, so it needs a past to be compared with; `contrast` was said where another client
 * delivered; a `block` blames the route; an `obstacle` is any other.
 */
export type VerdictKind = 'content' | 'contrast' | 'block' | 'obstacle'

/** A cluster is counted `clusterMax` times; `weight`: as how many answers a hit counts. */
export type Hit = {
  verdict: string
  kind: VerdictKind
  cluster: string
  clusterMax: number
  weight: number
}

/**
 * Evidence of one part: the hits of this visit, none where all was as it should be. `source`: whose video it
 * was, where the visit says something of what videos have; else null.
 */
export type Evidence = { part: string; hits: Hit[]; source: string | null }

/** Answers that are nothing to watch for. */
export const GOOD_VERDICT = 'delivered'

const CONTENT_MAX = 1
const CONTRAST_MAX = 4
/** What is in flight on a route meets its block together; only the next identity's says that it stays. */
const IDENTITY_MAX = 2
/** A block is said by the platform in so many words, and rests the route: there will not be many. */
const IDENTITY_WEIGHT = 1.5
const SUBJECT_MAX = 1

/** What a client said of a video that another one delivered. */
const CONTRASTS: Record<string, string> = { no_captions: 'silent', not_available: 'gone' }

export const clientPart = (question: Question, client: string): string =>
  `${question} client ${client}`
export const pairPart = (question: Question, { client, route }: Pair): string =>
  `${question} pair ${client} ${route}`
export const routePart = (question: Question, route: string): string => `${question} route ${route}`
export const wholePart = (question: Question): string => `${question} all`

type Pair = { client: string; route: string }

/** The parts that a visit says something of. */
export function evidenceOf(visit: Visit): Evidence[] {
  const { question, route, readings, delivered } = visit
  if (readings.length === 0) return []
  const ofClients = readings.map((reading) => ({ reading, hits: hitsOf(visit, reading) }))
  const content = delivered === null ? contentOf(visit) : []
  const all = [...ofClients.flatMap(({ hits }) => hits), ...content]
  const hits = [...new Map(all.map((hit) => [hit.verdict, hit])).values()]
  const source = delivered !== null || content.length > 0 ? sourceOf(visit) : null
  return [
    ...ofClients.flatMap((one) => evidenceOfClient(visit, one)),
    { part: routePart(question, route), hits, source },
    { part: wholePart(question), hits: hits.map(asOne), source },
  ]
}

function evidenceOfClient(
  { question, route }: Visit,
  { reading: { client }, hits }: { reading: ClientReading; hits: Hit[] },
): Evidence[] {
  return [
    { part: clientPart(question, client), hits: hits.map(asOne), source: null },
    { part: pairPart(question, { client, route }), hits, source: null },
  ]
}

/** Over all routes a block is one answer of many. */
const asOne = (hit: Hit): Hit => ({ ...hit, weight: 1 })

function hitsOf(visit: Visit, { verdict, blame }: ClientReading): Hit[] {
  if (verdict === GOOD_VERDICT) return []
  if (blame === 'video') {
    const contrast = visit.delivered === null ? undefined : CONTRASTS[verdict]
    if (contrast === undefined) return []
    const cluster = sourceOf(visit)
    return [{ verdict: contrast, kind: 'contrast', cluster, clusterMax: CONTRAST_MAX, weight: 1 }]
  }
  if (blame === 'route') {
    const cluster = `identity ${visit.route} ${visit.epoch}`
    const weight = IDENTITY_WEIGHT
    return [{ verdict, kind: 'block', cluster, clusterMax: IDENTITY_MAX, weight }]
  }
  const cluster = `subject ${visit.subject}`
  return [{ verdict, kind: 'obstacle', cluster, clusterMax: SUBJECT_MAX, weight: 1 }]
}

/** What the answers say of the video, where nobody delivered it and nothing stood in the way. */
function contentOf(visit: Visit): Hit[] {
  const { verdict, blame } = visit.readings.at(-1) ?? { verdict: '', blame: 'nobody' }
  if (visit.readings.some((reading) => reading.blame !== 'video') || blame !== 'video') return []
  const cluster = sourceOf(visit)
  return [{ verdict, kind: 'content', cluster, clusterMax: CONTENT_MAX, weight: 1 }]
}

/** Videos of one channel have much in common; so have those that one account sends and nobody can name. */
function sourceOf({ channel, accountId }: Visit): string {
  return channel === null ? `account ${accountId}` : `channel ${channel}`
}

/** What a part's name says; null where it is none. */
export function readPartName(name: string): { question: Question; of: PartOf } | null {
  const [question = '', kind = '', first = null, second = null] = name.split(' ')
  if (question !== 'captions' && question !== 'date' && question !== 'list') return null
  switch (kind) {
    case 'client':
      return { question, of: { client: first, route: null } }
    case 'route':
      return { question, of: { client: null, route: first } }
    case 'pair':
      return { question, of: { client: first, route: second } }
    case 'all':
      return { question, of: { client: null, route: null } }
    default:
      return null
  }
}
