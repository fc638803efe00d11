/** The doctor: asks the platform for a little of everything through every route and reports what works. */
import assert from 'node:assert/strict'
import { counted } from '../../kit/text/counted.ts'
import { chooseTrack, ORIGINAL, type TrackList } from '../../model/transcripts/caption-track.ts'
import {
  countBlocked,
  healthOf,
  isChecked,
  isWorking,
  empty,
  type ExaminationStop,
  type ExaminedPart,
  type ExaminedRoute,
  type Fault,
  faultsOf,
  type Health,
  mendRoute,
  type PartName,
  type PartOutcome,
  refusedPart,
  tell,
  WORKS,
} from './doctor-report.ts'
import { type EgressRoute, isLoopback } from '../egress/route.ts'
import type { PlatformDeps } from './open-platform.ts'
import { requestDate, requestPlayer } from './calls.ts'
import { fetchWords } from './captions.ts'
import type { ClientPool } from './client-pool.ts'
import { type ClientProfile, newerOf, versionOf } from './clients.ts'
import { askPage } from './list-page.ts'
import { type Checked, CHECKED_VIDEOS, countChecked } from './doctor-checks.ts'
import type { PlayerAnswer } from './player.ts'
import type { DateReading } from './publish-date.ts'
import { identityFor, visitorAs } from './session-identity.ts'
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

/** `checkedMax` bounds the videos that are asked for where every client was checked for the first one. */
type DoctorAsk = { channel: string | null; signal: AbortSignal; checkedMax?: number }

/** A channel of which every video has captions: on the platform, and in the emulator's world. */
const CHANNELS = { platform: '/@TED', standIn: '/@tallerpequeno' }
/** How many videos of the first page are tried until one has captions. */
const VIDEOS_MAX = 3
/** After this many of these obstacles a route is asked no more: they are unmistakable, and asking on prolongs them. */
const BLOCKS_MAX = 2

/**
 * Resolves a channel, lists a page of it and asks for a video as every client, with and without a field mask, through
 * all routes at the same time. That costs about 28 requests a route. The caller passes `deps` of their own with an
 * examining budget: then the doctor keeps to the shared pace, and nothing that it meets reaches the service.
 */
export async function examinePlatform(
  deps: PlatformDeps,
  { channel, signal, checkedMax = CHECKED_VIDEOS.usual }: DoctorAsk,
): Promise<Examination> {
  const { origin, masks } = deps.context
  const isNear = origin !== null && isLoopback(origin)
  const path = channel ?? (isNear ? CHANNELS.standIn : CHANNELS.platform)
  const usesMasks = masks.areUsed()
  const routes = await Promise.all(
    deps.routes.map((route) =>
      examineRoute(route, { deps, path, signal, checkedMax, parts: [], checked: null }),
    ),
  )
  const faults = faultsOf({ routes, usesMasks })
  const verdict = healthOf(routes, faults)
  const asked =
    origin === null ? 'the platform itself' : `${new URL(origin).origin} in the platform’s place`
  const lines = [
    `Asking ${asked} for ${path}.`,
    ...tell(routes, faults),
    verdictLine(verdict, faults.length),
  ]
  return { verdict, origin, channel: path, routes, faults, lines }
}

/** Returns the last line of an examination, which says how the platform is. */
export function verdictLine(verdict: Health, faults: number): string {
  return VERDICT_LINES[verdict](faults)
}

const VERDICT_LINES: Record<Health, (faults: number) => string> = {
  healthy: () => 'Healthy: every client delivers on every route.',
  limited: () => 'Limited: everything delivers but for known limits, which are named above.',
  degraded: (faults) =>
    `Degraded: transcripts can be fetched, but not everything works (${counted(faults, 'fault')}).`,
  down: () => 'Down: no route delivers transcripts at the moment.',
}

const TOO_SLOW: ExaminationStop = {
  text: 'The examination took too long; what is missing was not asked.',
  mend: { setting: null, mend: 'Run it again while the routes are less busy.' },
}

/** One route's examination, which adds its findings to `parts`, also where it is stopped midway. */
type Examining = {
  deps: PlatformDeps
  path: string
  signal: AbortSignal
  checkedMax: number
  parts: ExaminedPart[]
  checked: Checked | null
}

async function examineRoute(
  { name: route, proxyOrigin }: EgressRoute,
  examining: Examining,
): Promise<ExaminedRoute> {
  const via = proxyOrigin === null ? 'direct' : `proxy ${proxyOrigin}`
  const stopped = await examineParts(route, examining).catch((error: unknown) => {
    if (!examining.signal.aborted) throw error
    return TOO_SLOW
  })
  const { parts, checked } = examining
  return { route, via, stopped, parts, checked }
}

/** Returns why the examination stopped, or null. */
async function examineParts(route: string, examining: Examining): Promise<ExaminationStop | null> {
  const { deps, signal } = examining
  const leasing = await deps.routePool.leaseOn(route, deps.context.share, signal)
  if (leasing.kind === 'resting') {
    const seconds = Math.ceil(leasing.forMs / 1000)
    const text = `Rests for ${seconds} s more, since it was blocked; it is not asked meanwhile.`
    return { text, mend: mendRoute(route) }
  }
  try {
    const session = openSession(deps.context, leasing.lease, signal)
    const text = await examineSession(session, examining)
    return text === null ? null : { text, mend: null }
  } finally {
    leasing.lease.release()
  }
}

/** Returns why it ended before every client was asked, or null. */
async function examineSession(session: Session, examining: Examining): Promise<string | null> {
  const { deps, path, parts } = examining
  // An embedded player is the visitor of its page.
  const newest = deps.profiles.filter(
    (client) => client.use !== 'age_gate' && newerOf(deps.profiles, client) === null,
  )
  for (const client of newest) parts.push(...(await examineIdentity(session, client)))
  const listClients = deps.profiles.filter(({ use }) => use === 'date_and_lists')
  let videoIds: string[] = []
  for (const client of listClients) {
    if (countBlocked(parts) >= BLOCKS_MAX) return BLOCKED
    const { videoIds: ids, ...list } = await examineList(asOnly(client, session), path)
    parts.push(partOf('list', client, list))
    if (videoIds.length === 0) videoIds = ids
  }
  if (videoIds.length === 0) return `No video of ${path} is listed, so none was asked for.`

  let ids = videoIds.slice(0, VIDEOS_MAX)
  for (const use of ['captions', 'age_gate', 'date_and_lists'] as const) {
    for (const client of deps.profiles.filter((profile) => profile.use === use)) {
      if (countBlocked(parts) >= BLOCKS_MAX) return BLOCKED
      if (use === 'date_and_lists') {
        parts.push(partOf('date', client, await examineDate(session, client, ids[0] ?? '')))
        continue
      }
      const newer = newerOf(deps.profiles, client)
      const isNewerFine = parts.some(
        (part) => part.part === use && part.client === newer?.name && isWorking(part),
      )
      if (isNewerFine) continue // an older version is asked only where the newer one is refused
      const { videoId, ...found } = await examineClient(session, client, ids)
      parts.push(partOf(use, client, { ...found, isOlder: newer !== null }))
      ids = [videoId, ...ids.filter((id) => id !== videoId)]
    }
    const clients = newest.filter((client) => client.use === use)
    if (use === 'captions' && clients.every(({ name }) => isChecked(parts, name)))
      examining.checked = await countChecked(
        session,
        clients,
        videoIds.slice(0, examining.checkedMax),
      )
  }
  return null
}

const BLOCKED = 'It is blocked, so it was asked no more.'

/** Returns the session with one client for dates and lists, so that no other one answers in its turn. */
function asOnly(client: ClientProfile, session: Session): Session {
  const { context, lease, signal } = session
  const { clients: all } = context
  const clients: ClientPool = {
    ...all,
    clientsFor: (use) => (use === 'date_and_lists' ? [client] : all.clientsFor(use)),
  }
  return openSession({ ...context, clients }, lease, signal)
}

/** Findings about a part; what is left out was not asked for, or did not arrive. */
type Found = { withoutMask: PartOutcome } & Partial<ExaminedPart>

function partOf(part: PartName, client: ClientProfile, found: Found): ExaminedPart {
  const { name, version } = versionOf(client)
  const usual = { withMask: null, words: null, isOlder: false, arrived: '' }
  return { part, client: name, version, ...usual, ...found }
}

/** Asks for an identity as that client; returns a part where it is refused, which says what the client calls with. */
async function examineIdentity(session: Session, client: ClientProfile): Promise<ExaminedPart[]> {
  const own = await visitorAs(session, client)
  if (typeof own === 'string') return []
  const used = await identityFor(session, client)
  const of = 'of' in used ? used.of : null
  const arrived = `It calls with ${of === null ? 'none' : `that of ${of}`}.`
  return [partOf('identity', client, { withoutMask: refusedPart(own), arrived })]
}

async function examineList(
  session: Session,
  path: string,
): Promise<Found & { videoIds: string[] }> {
  const source = { kind: 'channel', name: path, tab: null } as const
  const listed = await askPage(session, { source, cursor: null })
  const without = (withoutMask: PartOutcome) => ({ withoutMask, videoIds: [] })
  if (listed.kind === 'obstructed') return without(refusedPart(listed.obstacle))
  if (listed.kind === 'missing')
    return without(empty(`${path} does not exist there. ${listed.text}`))
  const { videos } = listed
  if (videos.length === 0) return without(empty(`${path} lists no videos.`))
  const arrived = `${path} lists ${counted(videos.length, 'video')} on its first page`
  return { withoutMask: WORKS, arrived, videoIds: videos.map(({ videoId }) => videoId) }
}

/** Asks for videos with and without a mask until one answer lists captions. `videoId` is the last one asked for. */
export async function examineClient(
  session: Session,
  client: ClientProfile,
  ids: readonly string[],
): Promise<Found & { videoId: string }> {
  for (const videoId of ids) {
    const masked = await requestPlayer(session, videoId, { client, isMasked: true })
    const whole = await requestPlayer(session, videoId, { client, isMasked: false })
    const withMask = playerOutcome(masked, videoId)
    const withoutMask = playerOutcome(whole, videoId)
    const found = { videoId, withMask, withoutMask }
    const listing = [whole, masked].find((answer) => answer.kind === 'tracks')
    if (listing !== undefined)
      return { ...found, ...(await examineWords(session, client, { list: listing.list, videoId })) }
    const isObstructed = masked.kind === 'obstructed' || whole.kind === 'obstructed'
    if (isObstructed || videoId === ids.at(-1)) return found
  }
  assert.fail('there is at least one video to ask for')
}

function playerOutcome(answer: PlayerAnswer, videoId: string): PartOutcome {
  if (answer.kind === 'tracks') return WORKS
  if (answer.kind === 'obstructed') return refusedPart(answer.obstacle)
  return empty(`Lists no captions of ${videoId} (${answer.kind.replace('_', ' ')}).`)
}

async function examineWords(
  session: Session,
  client: ClientProfile,
  { list, videoId }: { list: TrackList; videoId: string },
): Promise<{ words: PartOutcome; arrived?: string }> {
  const choice = chooseTrack(list, ORIGINAL)
  const track = choice.kind === 'chosen' ? choice.track : list.tracks[0]
  assert(track !== undefined, 'an answer of this kind lists at least one track')
  const words = await fetchWords(session, { videoId, track, client })
  if (words.kind === 'obstructed') return { words: refusedPart(words.obstacle) }
  const length =
    words.kind === 'stored' ? `${words.stored.words} words` : `${words.segments.length} segments`
  return { words: WORKS, arrived: `${length} of ${videoId} came` }
}

async function examineDate(
  session: Session,
  client: ClientProfile,
  videoId: string,
): Promise<Found> {
  const masked = await requestDate(session, videoId, { client, isMasked: true })
  const whole = await requestDate(session, videoId, { client, isMasked: false })
  const dated = [whole, masked].find((reading) => reading.kind === 'dated')
  const arrived = dated === undefined ? '' : `${videoId} is of ${dated.publishedAt}`
  return { withMask: dateOutcome(masked), withoutMask: dateOutcome(whole), arrived }
}

function dateOutcome(reading: DateReading): PartOutcome {
  if (reading.kind === 'dated') return WORKS
  if (reading.kind === 'obstructed') return refusedPart(reading.obstacle)
  return empty('Tells no publish date.')
}
