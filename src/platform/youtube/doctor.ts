/** The doctor: asks the platform for a little of everything through every route and reports what works. */
import assert from 'node:assert/strict'
import { chooseTrack, ORIGINAL } from '../../model/transcripts/caption-track.ts'
import {
  conclude,
  type ExaminedPart,
  type ExaminedRoute,
  type Fault,
  faultsOf,
  type PartOutcome,
  type PartName,
  type ExaminationStop,
  tell,
  type Health,
} from './doctor-report.ts'
import { type EgressRoute, isLoopback } from '../egress/route.ts'
import type { PlatformDeps } from './open-platform.ts'
import { fetchWords } from './captions.ts'
import { type ClientProfile, versionOf } from './clients.ts'
import { requestDate, requestPlayer } from './calls.ts'
import { askPage } from './list-page.ts'
import type { NamedObstacle, ObstacleName } from './obstacle.ts'
import type { PlayerAnswer } from './player.ts'
import type { DateReading } from './publish-date.ts'
import { ensureIdentity } from './session-identity.ts'
import { openSession, type Session } from './session.ts'

export type Examination = {
  verdict: Health
  /** The origin that was asked in the platform's place, or null. */
  origin: string | null
  /** The path of the channel that was listed. */
  channel: string
  routes: ExaminedRoute[]
  faults: Fault[]
  lines: string[]
}

/** A channel of which every video has captions: on the platform, and in the emulator's world. */
const CHANNELS = { platform: '/@TED', standIn: '/@tallerpequeno' }
/** How many videos of the first page are tried until one has captions. */
const VIDEOS_MAX = 3
/** After this many of these obstacles a route is asked no more: they are unmistakable, and asking on prolongs them. */
const BLOCKS_MAX = 2
const BLOCKS = new Set<ObstacleName>(['rate_limited', 'block_page', 'captcha', 'session_limit'])

/**
 * Resolves a channel, lists a page of it and asks for a video as every client, with and without a field mask, through
 * all routes at the same time. That costs about twenty requests a route. The caller passes `parts` of their own with an
 * examining budget: then the doctor keeps to the shared pace, and nothing that it meets reaches the service.
 */
export async function examinePlatform(
  parts: PlatformDeps,
  { channel, signal }: { channel: string | null; signal: AbortSignal },
): Promise<Examination> {
  const { origin, masks } = parts.context
  const isNear = origin !== null && isLoopback(origin)
  const path = channel ?? (isNear ? CHANNELS.standIn : CHANNELS.platform)
  const usesMasks = masks.areUsed()
  const routes = await Promise.all(
    parts.routes.map((route) => examineRoute(parts, route, { path, signal })),
  )
  const faults = faultsOf(routes, { usesMasks })
  const verdict = conclude(routes, faults)
  const asked =
    origin === null ? 'the platform itself' : `${new URL(origin).origin} in the platform’s place`
  const lines = [
    `Asking ${asked} for ${path}.`,
    ...tell(routes, faults),
    VERDICT_LINES[verdict](faults.length),
  ]
  return { verdict, origin, channel: path, routes, faults, lines }
}

const VERDICT_LINES: Record<Health, (faults: number) => string> = {
  healthy: () => 'Healthy: every client delivers on every route.',
  degraded: (faults) =>
    `Degraded: transcripts can be fetched, but not everything works (${faults} ${faults === 1 ? 'fault' : 'faults'}).`,
  down: () => 'Down: no route delivers transcripts at the moment.',
}

async function examineRoute(
  { context, routePool, profiles }: PlatformDeps,
  { name: route, proxyOrigin }: EgressRoute,
  { path, signal }: { path: string; signal: AbortSignal },
): Promise<ExaminedRoute> {
  const via = proxyOrigin === null ? 'direct' : `proxy ${proxyOrigin}`
  const parts: ExaminedPart[] = []
  const examined = (stopped: ExaminationStop | null): ExaminedRoute => ({
    route,
    via,
    stopped,
    parts,
  })
  try {
    const leasing = await routePool.leaseOn(route, context.share, signal)
    if (leasing.kind === 'resting') {
      const seconds = Math.ceil(leasing.forMs / 1000)
      const text = `Rests for ${seconds} s more, since it was blocked; it is not asked meanwhile.`
      return examined({ kind: 'rests', text })
    }
    try {
      const session = openSession(context, leasing.lease, signal)
      return examined(await examineParts(session, { path, profiles, parts }))
    } finally {
      leasing.lease.release()
    }
  } catch (error) {
    if (!signal.aborted) throw error
    const text = 'The examination took too long; what is missing was not asked.'
    return examined({ kind: 'too_slow', text })
  }
}

/** Adds its findings to `parts`, also when it is stopped midway. Returns why it stopped, or null. */
async function examineParts(
  session: Session,
  {
    path,
    profiles,
    parts,
  }: { path: string; profiles: readonly ClientProfile[]; parts: ExaminedPart[] },
): Promise<ExaminationStop | null> {
  const { listClient } = session
  const refused = await ensureIdentity(session)
  if (refused !== null) {
    parts.push(partOf('identity', listClient, { withoutMask: refusal(refused) }))
    return ended('No session identity is given, so nothing else was asked.')
  }
  const list = await examineList(session, path)
  parts.push(list.part)
  if (list.videoIds.length === 0)
    return ended(`No video of ${path} is listed, so none was asked for.`)

  let ids = list.videoIds.slice(0, VIDEOS_MAX)
  for (const use of ['captions', 'age_gate', 'date_and_lists'] as const) {
    for (const client of profiles.filter((profile) => profile.use === use)) {
      if (countBlocks(parts) >= BLOCKS_MAX) return ended('It is blocked, so it was asked no more.')
      if (use === 'date_and_lists') parts.push(await examineDate(session, client, ids))
      else {
        const found = await examineClient(session, client, ids)
        parts.push(found.part)
        ids = [found.videoId, ...ids.filter((id) => id !== found.videoId)]
      }
    }
  }
  return null
}

function ended(text: string): ExaminationStop {
  return { kind: 'ended', text }
}

async function examineList(
  session: Session,
  path: string,
): Promise<{ part: ExaminedPart; videoIds: string[] }> {
  const source = { kind: 'channel', name: path, tab: null } as const
  const listed = await askPage(session, { source, cursor: null })
  const { listClient } = session
  if (listed.kind === 'obstructed') {
    const part = partOf('list', listClient, { withoutMask: refusal(listed.obstacle) })
    return { part, videoIds: [] }
  }
  if (listed.kind === 'missing') {
    const text = `${path} does not exist there: ${listed.text}`
    return {
      part: partOf('list', listClient, { withoutMask: { kind: 'empty', text } }),
      videoIds: [],
    }
  }
  const { videos } = listed
  if (videos.length === 0) {
    const text = `${path} lists no videos.`
    return {
      part: partOf('list', listClient, { withoutMask: { kind: 'empty', text } }),
      videoIds: [],
    }
  }
  const came = `${path} lists ${videos.length} videos on its first page`
  const part = partOf('list', listClient, { withoutMask: WORKS, came })
  return { part, videoIds: videos.map(({ videoId }) => videoId) }
}

/** Asks for videos with and without a mask until one answer lists captions. `videoId` is the last one asked for. */
async function examineClient(
  session: Session,
  client: ClientProfile,
  ids: readonly string[],
): Promise<{ part: ExaminedPart; videoId: string }> {
  const use = client.use === 'age_gate' ? 'age_gate' : 'captions'
  let [part, asked]: [ExaminedPart | null, string] = [null, '']
  for (const videoId of ids) {
    const masked = await requestPlayer(session, videoId, { client, isMasked: true })
    const whole = await requestPlayer(session, videoId, { client, isMasked: false })
    const answers = {
      withMask: playerOutcome(masked, videoId),
      withoutMask: playerOutcome(whole, videoId),
    }
    part = partOf(use, client, answers)
    asked = videoId
    const listing = [whole, masked].find((answer) => answer.kind === 'tracks')
    if (listing?.kind === 'tracks')
      return { part: await withWords(session, { part, client, videoId, listing }), videoId }
    if (masked.kind === 'obstructed' || whole.kind === 'obstructed') break
  }
  assert(part !== null, 'there is at least one video to ask for')
  return { part, videoId: asked }
}

function playerOutcome(answer: PlayerAnswer, videoId: string): PartOutcome {
  if (answer.kind === 'tracks') return WORKS
  if (answer.kind === 'obstructed') return refusal(answer.obstacle)
  return {
    kind: 'empty',
    text: `Lists no captions of ${videoId} (${answer.kind.replace('_', ' ')}).`,
  }
}

async function withWords(
  session: Session,
  asked: {
    part: ExaminedPart
    client: ClientProfile
    videoId: string
    listing: PlayerAnswer & { kind: 'tracks' }
  },
): Promise<ExaminedPart> {
  const { part, client, videoId, listing } = asked
  const choice = chooseTrack(listing.list, ORIGINAL)
  const track = choice.kind === 'chosen' ? choice.track : listing.list.tracks[0]
  assert(track !== undefined, 'an answer of this kind lists at least one track')
  const words = await fetchWords(session, { track, client })
  if (words.kind === 'obstructed') return { ...part, words: refusal(words.obstacle) }
  const length =
    words.kind === 'stored' ? `${words.stored.words} words` : `${words.segments.length} segments`
  return { ...part, words: WORKS, came: `${length} of ${videoId} came` }
}

async function examineDate(
  session: Session,
  client: ClientProfile,
  [videoId = '']: readonly string[],
): Promise<ExaminedPart> {
  const masked = await requestDate(session, videoId, { client, isMasked: true })
  const whole = await requestDate(session, videoId, { client, isMasked: false })
  const dated = [whole, masked].find((reading) => reading.kind === 'dated')
  const came = dated?.kind === 'dated' ? `${videoId} is of ${dated.publishedAt}` : ''
  const answers = { withMask: dateOutcome(masked), withoutMask: dateOutcome(whole) }
  return partOf('date', client, { ...answers, came })
}

function dateOutcome(reading: DateReading): PartOutcome {
  if (reading.kind === 'dated') return WORKS
  if (reading.kind === 'obstructed') return refusal(reading.obstacle)
  return { kind: 'empty', text: 'Tells no publish date.' }
}

const WORKS: PartOutcome = { kind: 'works' }

function refusal(obstacle: NamedObstacle): PartOutcome {
  return { kind: 'refused', obstacle }
}

function partOf(
  part: PartName,
  client: ClientProfile,
  found: Pick<ExaminedPart, 'withoutMask'> & Partial<ExaminedPart>,
): ExaminedPart {
  const { name, version } = versionOf(client)
  return { part, client: name, version, withMask: null, words: null, came: '', ...found }
}

function countBlocks(parts: readonly ExaminedPart[]): number {
  return parts.filter(({ withMask, withoutMask, words }) =>
    [withMask, withoutMask, words].some(
      (each) => each?.kind === 'refused' && BLOCKS.has(each.obstacle.name),
    ),
  ).length
}
