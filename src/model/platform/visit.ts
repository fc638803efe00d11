/**
 * A visit: one question (of a video's captions, of a date, of a list) on one route, what each client answered,
 * and in which averages of the drift watch that counts. Those are of a *part* of our way to the platform:
 *
 *     captions client ANDROID   obstacles that it met, and what it refused or denied though another client delivered
 *     captions route exit1      blocks, which blame the route
 *     captions all              the obstacle with which a visit ended that delivered nothing
 *     captions videos           what videos have
 *
 * A channel without captions is ordinary, so a channel counts for what videos have once in a while. A video
 * counts once for an obstacle, an epoch of a route twice for a block. No single source, however often it is
 * asked for, makes an alarm.
 */

export type Question = 'captions' | 'date' | 'list'

/** Where a verdict counts: `video` for the video's or list's own answer; the others are as in an obstacle's rule. */
export type VerdictBlame = 'video' | 'route' | 'client' | 'once' | 'nobody'

export type ClientReading = { client: string; verdict: string; blame: VerdictBlame }

export type Visit = {
  question: Question
  route: string
  /** Counts the route's session identities. */
  epoch: number
  /** A video's id, or a list. */
  subject: string
  /** The channel; null where no answer named it. */
  channel: string | null
  accountId: string
  /** Answers in the order in which the clients were asked. */
  readings: readonly ClientReading[]
  /** The client that delivered what was asked for; null where none did. */
  delivered: string | null
  atMs: number
}

/** A part: a client, a route, or, where both are null, all of them. */
export type PartOf = { question: Question; client: string | null; route: string | null }

/** An answer as it counts. A source is counted `sourceMax` times in a while; null for always. */
type Answer = { verdict: string; source: string | null; sourceMax: number; weight: number }

export type CountedAnswer = Answer & { part: string }

/** The verdict of answers that are nothing to watch for. */
export const GOOD_VERDICT = 'delivered'

const SUBJECT_MAX = 1
const CHANNEL_MAX = 1
const DENIED_CHANNEL_MAX = 4
/** How often an epoch of a route counts for a block, which all requests in flight meet together. */
const EPOCH_MAX = 2
/** A block is stated by the platform and rests the route, so there are few of them: each weighs more. */
const BLOCK_WEIGHT = 1.5

/** Names of what a client said of a video or list that another one delivered; `disproved` for all else. */
const DENIALS: Record<string, string> = { no_captions: 'silent', not_available: 'gone' }

const GOOD: Answer = { verdict: GOOD_VERDICT, source: null, sourceMax: 0, weight: 1 }

/** Returns how the visit counts, for each part that it says something of. */
export function countedOf(visit: Visit): CountedAnswer[] {
  const { question, route, readings, delivered } = visit
  const last = readings.at(-1)
  if (last === undefined) return []
  const block = readings.find(({ blame }) => blame === 'route')
  const isOfVideo = delivered !== null || readings.every(({ blame }) => blame === 'video')
  return [
    ...readings.map((reading) => ({
      part: `${question} client ${reading.client}`,
      ...answerOfClient(visit, reading),
    })),
    {
      part: `${question} route ${route}`,
      ...(block === undefined ? GOOD : { ...obstacleOf(visit, block), weight: BLOCK_WEIGHT }),
    },
    { part: `${question} all`, ...(delivered === null ? obstacleOf(visit, last) : GOOD) },
    ...(isOfVideo ? [{ part: `${question} videos`, ...contentOf(visit, last) }] : []),
  ]
}

function answerOfClient(visit: Visit, reading: ClientReading): Answer {
  const { verdict, blame } = reading
  const isDisproved = visit.delivered !== null && reading.client !== visit.delivered
  // What blames the route is the client's own where another one delivers on it.
  if (blame === 'route')
    return isDisproved ? obstacleOf(visit, { ...reading, blame: 'client' }) : GOOD
  if (blame !== 'video') return obstacleOf(visit, reading)
  if (!isDisproved) return GOOD
  const denial = DENIALS[verdict] ?? 'disproved'
  return { verdict: denial, source: channelOf(visit), sourceMax: DENIED_CHANNEL_MAX, weight: 1 }
}

function obstacleOf({ route, epoch, subject }: Visit, { verdict, blame }: ClientReading): Answer {
  if (blame === 'video') return GOOD
  if (blame !== 'route')
    return { verdict, source: `subject ${subject}`, sourceMax: SUBJECT_MAX, weight: 1 }
  return { verdict, source: `identity ${route} ${epoch}`, sourceMax: EPOCH_MAX, weight: 1 }
}

function contentOf(visit: Visit, { verdict }: ClientReading): Answer {
  const said = visit.delivered === null ? verdict : GOOD_VERDICT
  return { verdict: said, source: channelOf(visit), sourceMax: CHANNEL_MAX, weight: 1 }
}

/** Returns the channel, or the account, since videos of one account have much in common as well. */
function channelOf({ channel, accountId }: Visit): string {
  return channel === null ? `account ${accountId}` : `channel ${channel}`
}

/** Reads a part's name; null where it is none. */
export function readPartName(name: string): (PartOf & { isOfVideos: boolean }) | null {
  const [question = '', kind = '', of = null] = name.split(' ')
  if (question !== 'captions' && question !== 'date' && question !== 'list') return null
  if (!['client', 'route', 'all', 'videos'].includes(kind)) return null
  const [client, route] = [kind === 'client' ? of : null, kind === 'route' ? of : null]
  return { question, client, route, isOfVideos: kind === 'videos' }
}
