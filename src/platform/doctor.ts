/** The doctor: asks the platform a little of everything through every route and says what works. */
import assert from 'node:assert/strict'
import { chooseTrack, ORIGINAL } from '../transcripts/caption-track.ts'
import { isLoopback } from './egress/route.ts'
import type { PlatformParts } from './open-platform.ts'
import { fetchWords } from './youtube/captions.ts'
import type { ClientProfile } from './youtube/clients.ts'
import { reportObstacle } from './youtube/failover.ts'
import { askPage } from './youtube/list-page.ts'
import { describeObstacle, type NamedObstacle, ruleOf } from './youtube/obstacle.ts'
import type { PlayerAnswer } from './youtube/player.ts'
import { ensureIdentity } from './youtube/session-identity.ts'
import { openSession, type Session } from './youtube/session.ts'

export type Examination = {
  /** Plain sentences, route by route, without secrets. */
  lines: string[]
  /** True where at least one route lists a channel and delivers a transcript. */
  isHealthy: boolean
}

/** A channel whose every video has captions: on the platform, and in the world of our stand-in. */
const CHANNELS = { platform: '/@TED', standIn: '/@tallerpequeno' }
/** Videos of the first page that are tried until one has captions. */
const VIDEOS_MAX = 3

/**
 * Resolves a channel, lists a page of it and fetches one video by every client, through every
 * route. Costs about ten requests a route, at the routes' own pace; what it meets (a block, a
 * retired client) is told to the shared budget like any other question's.
 */
export async function examinePlatform(
  parts: PlatformParts,
  { channel, signal }: { channel: string | null; signal: AbortSignal },
): Promise<Examination> {
  const { origin, clients } = parts.context
  const isNear = origin !== null && isLoopback(origin)
  const path = channel ?? (isNear ? CHANNELS.standIn : CHANNELS.platform)
  const asked =
    origin === null ? 'the platform itself' : `${new URL(origin).origin} in the platform’s place`
  const lines = [`Asking ${asked}.`]
  let isHealthy = false
  for (const { name, proxyOrigin } of parts.routes) {
    lines.push(`Route ${name} (${proxyOrigin === null ? 'direct' : `proxy ${proxyOrigin}`}):`)
    const report = await examineNamed(parts, name, path, signal)
    lines.push(...report.lines.map((line) => `  ${line}`))
    isHealthy ||= report.isHealthy
  }
  const retired = clients.retired().join(', ')
  if (retired !== '')
    lines.push(`No longer accepted: ${retired}. Update, or set newer versions in PLATFORM_CLIENTS.`)
  lines.push(
    isHealthy ? 'Transcripts can be fetched.' : 'No route delivers transcripts at the moment.',
  )
  return { lines, isHealthy }
}

async function examineNamed(
  { context, routePool }: PlatformParts,
  name: string,
  path: string,
  signal: AbortSignal,
): Promise<Examination> {
  const leasing = await routePool.leaseOn(name, context.share, signal)
  if (leasing.kind === 'resting') {
    const seconds = Math.ceil(leasing.forMs / 1000)
    return { lines: [`rests for ${seconds} s more, since it was blocked.`], isHealthy: false }
  }
  try {
    return await examineRoute(openSession(context, leasing.lease, signal), path)
  } finally {
    leasing.lease.release()
  }
}

async function examineRoute(session: Session, path: string): Promise<Examination> {
  const { clients } = session.context
  const refused = await ensureIdentity(session)
  if (refused !== null) return stopped(session, 'no session identity is given', refused)

  const source = { kind: 'channel', name: path, tab: null } as const
  const listed = await askPage(session, { source, cursor: null })
  if (listed.kind === 'obstructed')
    return stopped(session, `${path} cannot be listed`, listed.obstacle)
  if (listed.answer.kind === 'missing') {
    return { lines: [`${path} does not exist there: ${listed.answer.text}`], isHealthy: false }
  }
  const { videos } = listed.answer
  const lines = [`${path} was found and lists ${videos.length} videos on its first page.`]
  const ids = videos.slice(0, VIDEOS_MAX).map(({ videoId }) => videoId)
  let isHealthy = false
  for (const client of clients.clientsFor('captions').concat(clients.clientsFor('age_gate'))) {
    const found = await examineClient(session, client, ids)
    lines.push(`${versionOf(client)}: ${found.text}`)
    isHealthy ||= found.delivers && client.use === 'captions'
  }
  lines.push(`${versionOf(session.listClient)}: ${await examineDate(session, ids)}`)
  return { lines, isHealthy }
}

function versionOf({ name, context }: ClientProfile): string {
  return `${name} ${context.clientVersion}`
}

type Found = { text: string; delivers: boolean }

async function examineClient(
  session: Session,
  client: ClientProfile,
  ids: string[],
): Promise<Found> {
  let text = 'there was no video to ask for.'
  const isMasked = session.context.useFieldMasks
  for (const videoId of ids) {
    const answer = await session.player(videoId, { client, isMasked })
    if (answer.kind === 'obstructed')
      return { text: await refusal(session, answer.obstacle), delivers: false }
    if (answer.kind === 'tracks') return examineWords(session, client, { videoId, answer })
    text = `answers, but shows no captions of ${videoId} (${answer.kind.replace('_', ' ')}).`
  }
  return { text, delivers: false }
}

async function examineWords(
  session: Session,
  client: ClientProfile,
  { videoId, answer }: { videoId: string; answer: PlayerAnswer & { kind: 'tracks' } },
): Promise<Found> {
  const choice = chooseTrack(answer.list, ORIGINAL)
  const track = choice.kind === 'chosen' ? choice.track : answer.list.tracks[0]
  assert(track !== undefined, 'an answer of this kind lists at least one track')
  const words = await fetchWords(session, { track, client })
  if (words.kind === 'obstructed')
    return { text: await refusal(session, words.obstacle), delivers: false }
  const came =
    words.kind === 'long' ? `${words.stored.words} words` : `${words.segments.length} segments`
  return { text: `works, ${came} of ${videoId} came.`, delivers: true }
}

async function examineDate(session: Session, [videoId]: string[]): Promise<string> {
  if (videoId === undefined) return 'there was no video to ask for.'
  const date = await session.publishedAt(videoId)
  if (date.kind === 'obstructed') return refusal(session, date.obstacle)
  return date.kind === 'dated'
    ? `works, ${videoId} is of ${date.publishedAt}.`
    : 'tells no publish date.'
}

async function stopped(session: Session, what: string, found: NamedObstacle): Promise<Examination> {
  return { lines: [`${what}. ${await refusal(session, found)}`], isHealthy: false }
}

/** In plain words, and reported to the route's rate limiter if it is the route that is refused. */
async function refusal({ lease }: Session, found: NamedObstacle): Promise<string> {
  await reportObstacle(lease, found)
  const { kind, text, retryAfterMs } = { ...ruleOf(found), ...describeObstacle(found) }
  const later = retryAfterMs === null ? '' : ` Again in ${Math.ceil(retryAfterMs / 1000)} s.`
  return `${kind === 'blocked' ? 'is blocked' : 'does not work'}. ${text}${later}`
}
