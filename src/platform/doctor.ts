/** The doctor: asks the platform a little of everything through every route and says what works. */
import { chooseTrack, ORIGINAL } from '../transcripts/caption-track.ts'
import type { Hold } from './egress/lanes.ts'
import { isLoopback } from './egress/route.ts'
import type { PlatformParts } from './open-platform.ts'
import { askJson, becomeGuest } from './youtube/asking.ts'
import { fetchWords } from './youtube/captions.ts'
import type { ClientProfile } from './youtube/clients.ts'
import { type Hurdle, ruleOf, toObstacle } from './youtube/hurdle.ts'
import { PLAYER_FIELDS, playerBody } from './youtube/innertube.ts'
import { visitPage } from './youtube/list-page.ts'
import { readPlayer } from './youtube/player.ts'
import { askDate } from './youtube/publish-date.ts'
import { tellGate } from './youtube/question.ts'

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
  const { origin } = parts.asking
  const isNear = origin !== null && isLoopback(origin)
  const path = channel ?? (isNear ? CHANNELS.standIn : CHANNELS.platform)
  const lines = [
    origin === null
      ? 'Asking the platform itself.'
      : `Asking ${new URL(origin).origin} in the platform’s place.`,
  ]
  let isHealthy = false
  for (const { name, proxyOrigin } of parts.routes) {
    lines.push(`Route ${name} (${proxyOrigin === null ? 'direct' : `proxy ${proxyOrigin}`}):`)
    const held = await parts.lanes.holdOn(name, parts.asking.share, signal)
    if (typeof held === 'number') {
      lines.push(`  rests for ${Math.ceil(held / 1000)} s more, since it was blocked.`)
      continue
    }
    try {
      const report = await examineRoute(parts, held, path, signal)
      lines.push(...report.lines.map((line) => `  ${line}`))
      isHealthy ||= report.isHealthy
    } finally {
      held.release()
    }
  }
  const retired = parts.roster.retired()
  if (retired.length > 0) {
    lines.push(
      `No longer accepted: ${retired.join(', ')}. Update, or set newer versions in PLATFORM_CLIENTS.`,
    )
  }
  lines.push(
    isHealthy ? 'Transcripts can be fetched.' : 'No route delivers transcripts at the moment.',
  )
  return { lines, isHealthy }
}

async function examineRoute(
  parts: PlatformParts,
  hold: Hold,
  path: string,
  signal: AbortSignal,
): Promise<Examination> {
  const { asking, roster } = parts
  const [webClient] = roster.clientsFor('date_and_lists')
  if (webClient === undefined) return { lines: ['no client for lists is set.'], isHealthy: false }
  const refused = await becomeGuest(asking, hold, webClient, signal)
  if (refused !== null) return stopped(hold, 'no guest identity is given', refused)

  const source = { kind: 'channel', name: path, tab: null } as const
  const visit = { asking, hold, client: webClient, isMasked: parts.useFieldMasks }
  const listed = await visitPage(visit, { source, cursor: null }, signal)
  if (listed.kind === 'hurdle') return stopped(hold, `${path} cannot be listed`, listed.hurdle)
  if (listed.answer.kind === 'missing') {
    return { lines: [`${path} does not exist there: ${listed.answer.text}`], isHealthy: false }
  }
  const { videos } = listed.answer
  const lines = [`${path} was found and lists ${videos.length} videos on its first page.`]
  const ids = videos.slice(0, VIDEOS_MAX).map(({ videoId }) => videoId)
  let isHealthy = false
  for (const client of roster.clientsFor('captions').concat(roster.clientsFor('age_gate'))) {
    const found = await examineClient(parts, hold, { client, ids }, signal)
    lines.push(`${client.name} ${client.context.clientVersion}: ${found.text}`)
    isHealthy ||= found.delivers && client.use === 'captions'
  }
  lines.push(
    `${webClient.name} ${webClient.context.clientVersion}: ${await examineDate(parts, hold, webClient, ids, signal)}`,
  )
  return { lines, isHealthy }
}

type Found = { text: string; delivers: boolean }

async function examineClient(
  { asking, roster, useFieldMasks }: PlatformParts,
  hold: Hold,
  { client, ids }: { client: ClientProfile; ids: string[] },
  signal: AbortSignal,
): Promise<Found> {
  let text = 'there was no video to ask for.'
  for (const videoId of ids) {
    const fields = useFieldMasks ? PLAYER_FIELDS : null
    const call = { name: 'player', client, body: playerBody(videoId), fields } as const
    const reply = await askJson(asking, hold, call, signal)
    if (reply.kind === 'hurdle') {
      if (reply.hurdle.name === 'retired') roster.retire(client)
      return { text: await refusal(hold, reply.hurdle), delivers: false }
    }
    const answer = readPlayer(reply.value, videoId)
    if (answer.kind === 'hurdle')
      return { text: await refusal(hold, answer.hurdle), delivers: false }
    if (answer.kind === 'tracks') {
      const choice = chooseTrack(answer.list, ORIGINAL)
      const track = choice.kind === 'chosen' ? choice.track : answer.list.tracks[0]
      if (track === undefined) continue
      const words = await fetchWords(asking, hold, { track, client }, signal)
      if (words.kind === 'hurdle')
        return { text: await refusal(hold, words.hurdle), delivers: false }
      const came =
        words.kind === 'long' ? `${words.stored.words} words` : `${words.segments.length} segments`
      return { text: `works, ${came} of ${videoId} came.`, delivers: true }
    }
    text = `answers, but shows no captions of ${videoId} (${answer.kind.replace('_', ' ')}).`
  }
  return { text, delivers: false }
}

async function examineDate(
  { asking, useFieldMasks }: PlatformParts,
  hold: Hold,
  client: ClientProfile,
  [videoId]: string[],
  signal: AbortSignal,
): Promise<string> {
  if (videoId === undefined) return 'there was no video to ask for.'
  const date = await askDate(asking, hold, { videoId, client, isMasked: useFieldMasks }, signal)
  if (date.kind === 'hurdle') return refusal(hold, date.hurdle)
  return date.kind === 'dated'
    ? `works, ${videoId} is of ${date.publishedAt}.`
    : 'tells no publish date.'
}

async function stopped(hold: Hold, what: string, found: Hurdle): Promise<Examination> {
  return { lines: [`${what}. ${await refusal(hold, found)}`], isHealthy: false }
}

/** In plain words, and told to the route's gate if it is the route that is refused. */
async function refusal(hold: Hold, found: Hurdle): Promise<string> {
  await tellGate(hold, found)
  const { kind, text, retryAfterMs } = { ...ruleOf(found), ...toObstacle(found) }
  const later = retryAfterMs === null ? '' : ` Again in ${Math.ceil(retryAfterMs / 1000)} s.`
  return `${kind === 'blocked' ? 'is blocked' : 'does not work'}. ${text}${later}`
}
