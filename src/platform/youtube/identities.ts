/** The process's knowledge of session identities: those that are being made, and what was refused lately. */
import { type Flights, openFlights } from '../../kit/flights.ts'
import { setLatest } from '../../kit/latest.ts'
import type { RouteLease } from '../egress/route-pool.ts'
import type { ClientProfile } from './clients.ts'
import type { NamedObstacle } from './obstacle.ts'

export type Identities = {
  /** Identities that are being made, by the route, its epoch and the client. */
  flights: Flights
  /** Tells whether the platform refused this to the client on that route lately: an identity, or another client's. */
  isRefused(lease: RouteLease, client: ClientProfile, what: Refusable): boolean
  noteRefused(lease: RouteLease, client: ClientProfile, what: Refusable): void
  /** Notes what kept an identity from the client on the lease, which asks for it no more. */
  noteUngiven(lease: RouteLease, client: ClientProfile, found: NamedObstacle): void
  /** Returns what kept it from the client on the lease; null where nothing is known to. */
  obstacleOn(lease: RouteLease, client: ClientProfile): NamedObstacle | null
  /** Notes that the platform answers on the lease, so that what it did not give there is refused on the route. */
  noteWorks(lease: RouteLease): void
}

type Refusable = 'own' | 'others'

/** How many refusals are remembered: two for each client on each of the routes that a process may have. */
const REFUSALS_KEPT_MAX = 2_000

export function openIdentities(options: {
  /** A clock that counts milliseconds and never goes back. */
  clock: () => number
  identityRestMs: number
}): Identities {
  const { clock, identityRestMs } = options
  const untilMs = new Map<string, number>()
  const ungiven = new WeakMap<RouteLease, Map<ClientProfile, NamedObstacle>>()
  const keyOf = ({ route }: RouteLease, { name }: ClientProfile, what: Refusable): string =>
    `${route.name} ${name} ${what}`
  const noteRefused: Identities['noteRefused'] = (...refused) => {
    const value = clock() + identityRestMs
    setLatest(untilMs, keyOf(...refused), { value, max: REFUSALS_KEPT_MAX })
  }
  return {
    flights: openFlights(),
    isRefused(lease, client, what) {
      if (what === 'own' && ungiven.get(lease)?.has(client) === true) return true
      return (untilMs.get(keyOf(lease, client, what)) ?? 0) > clock()
    },
    noteRefused,
    noteUngiven(lease, client, found) {
      ungiven.set(lease, (ungiven.get(lease) ?? new Map()).set(client, found))
    },
    obstacleOn: (lease, client) => ungiven.get(lease)?.get(client) ?? null,
    noteWorks(lease) {
      for (const client of ungiven.get(lease)?.keys() ?? []) noteRefused(lease, client, 'own')
      ungiven.delete(lease)
    },
  }
}
