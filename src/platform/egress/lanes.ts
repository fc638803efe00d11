/**
 * The lanes: every egress route as this process uses it: its gate, its connections and how many
 * questions travel on it. A *hold* is one question's stay on one route, as one guest.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import type { Share, Work } from '../fair-line.ts'
import { type FairPlaces, fairPlaces } from '../fair-places.ts'
import { openConnections } from './connections.ts'
import { type Gate, openGate } from './gate.ts'
import type { EgressRoute } from './route.ts'
import type { RouteBudget, RouteIdentity } from './route-budget.ts'

export type Hold = {
  route: EgressRoute
  gate: Gate
  epoch: number
  dispatcher: Dispatcher
  /** Null until a guest was made: the holder mints one and saves it. */
  visitorData: string | null
  release(): void
}

export type Lanes = {
  /** How many routes there are. */
  readonly count: number
  /**
   * A place on the route with the most room, none of `avoid` (`name:epoch`); waits while all rest,
   * at most `patienceMs`. A number where none can come free by then: the milliseconds it would take,
   * Infinity where all are to be avoided.
   */
  hold(ask: HoldAsk, signal: AbortSignal): Promise<Hold | number>
  /** A place on one named route, for the doctor; its rest in milliseconds where it rests. */
  holdOn(name: string, share: Share, signal: AbortSignal): Promise<Hold | number>
  close(): Promise<void>
}

/** `share`: on whose behalf; those who wait for one route get on it in a fair order. */
export type HoldAsk = { share: Share; avoid: ReadonlySet<string>; patienceMs: number }

export type LanesOptions = {
  budget: RouteBudget
  /** Counts milliseconds and never goes back. */
  clock: () => number
  connectMs: number
  /** What each was let do so far, over all routes. */
  work: Work
}

type Lane = {
  route: EgressRoute
  gate: Gate
  places: FairPlaces
  pool: { epoch: number; dispatcher: Dispatcher } | null
  connectMs: number
}

export function openLanes(
  routes: readonly EgressRoute[],
  { budget, clock, connectMs, work }: LanesOptions,
): Lanes {
  const lanes = routes.map((route): Lane => {
    const gate = openGate(route, { budget, clock, work })
    return { route, gate, places: fairPlaces(route.concurrency, work), pool: null, connectMs }
  })
  return {
    count: lanes.length,
    async hold({ share, avoid, patienceMs }, signal) {
      const untilMs = clock() + patienceMs
      for (;;) {
        let wakeMs = Infinity
        for (const lane of byRoom(lanes)) {
          const found = await tryEnter(lane, { share, avoid }, signal)
          if (typeof found !== 'number') return found
          wakeMs = Math.min(wakeMs, found)
        }
        if (clock() + wakeMs > untilMs) return wakeMs
        await sleep(Math.ceil(wakeMs), undefined, { signal })
      }
    },
    async holdOn(name, share, signal) {
      const lane = lanes.find((each) => each.route.name === name)
      if (lane === undefined) throw new Error(`no egress route is named ${name}`)
      return tryEnter(lane, { share, avoid: new Set() }, signal)
    },
    async close() {
      const pools = lanes.flatMap(({ pool }) => (pool === null ? [] : [pool.dispatcher]))
      await Promise.all(pools.map((pool) => pool.destroy()))
    },
  }
}

/** The hold, or in how many milliseconds to ask again. */
async function tryEnter(
  lane: Lane,
  { share, avoid }: Omit<HoldAsk, 'patienceMs'>,
  signal: AbortSignal,
): Promise<Hold | number> {
  signal.throwIfAborted()
  if (lane.gate.restingMs() > 0) return lane.gate.restingMs()
  const leave = await lane.places.take(share, signal)
  let hold: Hold | null = null
  try {
    const view = await lane.gate.look(signal)
    if (view.kind === 'resting') return view.forMs
    if (avoid.has(`${lane.route.name}:${view.identity.epoch}`)) return Infinity
    hold = holdOf(lane, view.identity, leave)
    return hold
  } finally {
    if (hold === null) leave()
  }
}

function holdOf(lane: Lane, identity: RouteIdentity, leave: () => void): Hold {
  const { route, gate, connectMs } = lane
  const own = route.isRotating ? openConnections(route, { connectMs }) : null
  let isHeld = true
  return {
    route,
    gate,
    epoch: identity.epoch,
    dispatcher: own ?? poolOf(lane, identity.epoch),
    visitorData: route.isRotating ? null : identity.visitorData,
    release() {
      if (!isHeld) return
      isHeld = false
      leave()
      if (own !== null) void closeQuietly(own)
    },
  }
}

/** A new epoch leaves the old connections behind, and with them the exit that was blocked. */
function poolOf(lane: Lane, epoch: number): Dispatcher {
  if (lane.pool?.epoch === epoch) return lane.pool.dispatcher
  if (lane.pool !== null) void closeQuietly(lane.pool.dispatcher)
  const dispatcher = openConnections(lane.route, { connectMs: lane.connectMs })
  lane.pool = { epoch, dispatcher }
  return dispatcher
}

/** Open routes first, then those with the largest share of free places. */
function byRoom(lanes: readonly Lane[]): Lane[] {
  const load = ({ route, places }: Lane): number =>
    (places.taken + places.waiting) / route.concurrency
  return [...lanes].sort(
    (a, b) => Math.sign(a.gate.restingMs()) - Math.sign(b.gate.restingMs()) || load(a) - load(b),
  )
}

async function closeQuietly(dispatcher: Dispatcher): Promise<void> {
  await dispatcher.close().catch(() => dispatcher.destroy())
}
