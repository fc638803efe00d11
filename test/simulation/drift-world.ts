/**
 * A platform for the drift watch alone: what each client would answer about each video, quietly or after a change.
 * Clients, routes and their order are as in the real client, in simulated minutes.
 */
import { openDriftWatch, type DriftWatch } from '../../src/platform/drift/drift-watch.ts'
import type { ClientReading, VerdictBlame, Visit } from '../../src/model/platform/visit.ts'

export const CLIENTS = ['VISIONOS', 'ANDROID', 'IOS'] as const
export const ROUTES = ['exit1', 'exit2', 'exit3'] as const

type Answered = { verdict: string; blame: VerdictBlame }
export type Asked = { client: string; route: string; question: Visit['question'] }

/** Returns null for the answer of a quiet day. */
export type DriftedAnswer = (asked: Asked, random: () => number) => Answered | null

export type DriftWorld = {
  watch: DriftWatch
  videos: number
  atMs: number
  first(): string
  lines(): string[]
  /** Asks for `count` videos; `until` ends it early. A change meets videos of many channels, not one burst. */
  fetch(count: number, options?: { change?: DriftedAnswer; until?: () => boolean }): void
}

export type Habits = {
  seed: number
  /** Share of videos without captions, beside those of silent bursts. */
  silentShare?: number
  /** Share of answers that are accidents: timeouts, 503, odd replies. */
  accidents?: number
  channels?: number
}

const MINUTE_MS = 60_000
const VIDEOS_PER_MINUTE = 20
const REFUSED_REST_MS = 10 * MINUTE_MS
const FIRST_REST_MS = MINUTE_MS / 2
const HEALED_AFTER = 50
const ACCIDENTS: Answered[] = [
  { verdict: 'timed_out', blame: 'once' },
  { verdict: 'server_error', blame: 'once' },
  { verdict: 'unreadable', blame: 'nobody' },
  { verdict: 'bot_check', blame: 'route' },
]
const REFUSALS = ['private', 'not_available', 'age_restricted', 'members_only', 'region_blocked']

export function driftWorld({
  seed,
  silentShare = 0.09,
  accidents = 0.005,
  channels = 400,
}: Habits): DriftWorld {
  const random = randomFrom(seed)
  const watch = openDriftWatch()
  const lastUntil = new Map<string, number>()
  const refusedInRow = new Map<string, number>()
  const routes = ROUTES.map((name) => ({ name, restUntil: 0, epoch: 1, blocks: 0, streak: 0 }))
  const world: DriftWorld = {
    watch,
    videos: 0,
    atMs: Date.UTC(2026, 10, 20, 14, 0),
    first: () => order()[0] ?? '',
    lines: () => watch.lines(),
    fetch,
  }

  watch.followOrder({ first: () => order()[0] ?? null, retired: () => [] })

  function order(): string[] {
    const isLast = (name: string): boolean => (lastUntil.get(name) ?? 0) > world.atMs
    return CLIENTS.toSorted((a, b) => Number(isLast(a)) - Number(isLast(b)))
  }

  function fetch(
    count: number,
    options: { change?: DriftedAnswer; until?: () => boolean } = {},
  ): void {
    isMixed = options.change !== undefined
    for (let n = 0; n < count && options.until?.() !== true; n += 1) fetchOne(options.change)
  }

  /**
   * Bursts are many videos of one channel in a row, now and then of one without any captions. `isMixed` turns them off.
   */
  let isMixed = false
  let burst = { left: 0, channel: '', isSilent: false }
  function channelOf(): { channel: string; isSilent: boolean } {
    if (burst.left > 0 && !isMixed) {
      burst.left -= 1
      return burst
    }
    const channel = `channel ${Math.floor(random() * channels)}`
    if (random() < 0.004 && !isMixed)
      burst = { left: 50 + Math.floor(random() * 250), channel, isSilent: random() < 0.3 }
    return { channel, isSilent: false }
  }

  function fetchOne(change: DriftedAnswer | undefined): void {
    world.videos += 1
    world.atMs += MINUTE_MS / VIDEOS_PER_MINUTE
    const { channel, isSilent } = channelOf()
    const own: Answered | null =
      isSilent || random() < silentShare
        ? { verdict: 'no_captions', blame: 'video' }
        : random() < 0.04
          ? { verdict: REFUSALS[Math.floor(random() * REFUSALS.length)] ?? '', blame: 'video' }
          : null
    for (const route of routes.toSorted(() => random() - 0.5)) {
      if (route.restUntil > world.atMs) continue
      if (visit(route, { channel, own, change })) return
    }
  }

  /** Returns whether the route gave an answer. */
  function visit(
    route: (typeof routes)[number],
    {
      channel,
      own,
      change,
    }: { channel: string; own: Answered | null; change?: DriftedAnswer | undefined },
  ): boolean {
    const readings: ClientReading[] = []
    let delivered: string | null = null
    for (const client of order()) {
      const asked: Asked = { client, route: route.name, question: 'captions' }
      const answer = change?.(asked, random) ?? accident() ?? own
      if (answer === null) {
        readings.push({ client, verdict: 'delivered', blame: 'video' })
        delivered = client
        break
      }
      readings.push({ client, ...answer })
      const same = readings.filter(({ verdict }) => verdict === answer.verdict).length
      if (answer.blame === 'video' && (same > 1 || answer.verdict === 'private')) break
      if (answer.blame === 'route') break
    }
    note({ question: 'captions', route, readings, delivered, channel })
    noteOthers(route, { ofVideo: channel, change })
    const last = readings.at(-1)
    if (delivered !== null) keepOrder(readings, delivered)
    if (last?.blame === 'route') rest(route)
    else if ((route.streak += 1) >= HEALED_AFTER) route.blocks = 0
    return delivered !== null || last?.blame === 'video'
  }

  function noteOthers(
    route: (typeof routes)[number],
    { ofVideo, change }: { ofVideo: string; change: DriftedAnswer | undefined },
  ): void {
    for (const question of ['date', 'list'] as const) {
      if (question === 'list' && random() > 0.3) continue
      const answer = change?.({ client: 'WEB', route: route.name, question }, random) ?? accident()
      const reading = answer ?? { verdict: 'delivered', blame: 'video' as const }
      const delivered = answer === null ? 'WEB' : null
      const ofList = `channel ${Math.floor(random() * channels)}`
      const channel = question === 'list' ? ofList : ofVideo
      note({ question, route, readings: [{ client: 'WEB', ...reading }], delivered, channel })
    }
  }

  function note({
    route,
    ...visit
  }: Pick<Visit, 'question' | 'readings' | 'delivered' | 'channel'> & {
    route: (typeof routes)[number]
  }): void {
    const subject = `video ${world.videos}`
    const { name, epoch } = route
    const about = { subject, accountId: 'acc', epoch, atMs: world.atMs }
    for (const client of watch.note({ ...visit, ...about, route: name }))
      lastUntil.set(client, world.atMs + REFUSED_REST_MS)
  }

  /**
   * Keeps the order of clients as the client pool does: one that failed five videos in a row which others delivered
   * moves to the end.
   */
  function keepOrder(readings: readonly ClientReading[], delivered: string): void {
    refusedInRow.delete(delivered)
    for (const { client, blame, verdict } of readings) {
      if (blame === 'video' || verdict === 'delivered') continue
      const count = (refusedInRow.get(client) ?? 0) + 1
      refusedInRow.set(client, count)
      if (count >= 5) lastUntil.set(client, world.atMs + REFUSED_REST_MS)
    }
  }

  function rest(route: (typeof routes)[number]): void {
    route.blocks += 1
    route.epoch += 1
    route.restUntil = world.atMs + FIRST_REST_MS * 2 ** Math.min(route.blocks - 1, 8)
    route.streak = 0
  }

  function accident(): Answered | null {
    if (random() >= accidents) return null
    return ACCIDENTS[Math.floor(random() * ACCIDENTS.length)] ?? null
  }
  return world
}

/** Returns numbers by mulberry32: the same ones for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }
}
