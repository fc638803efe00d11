/** The process's knowledge of session identities: those that are being made, and what was refused lately. */
import { type Flights, openFlights } from '../../kit/flights.ts'
import { setLatest } from '../../kit/latest.ts'
import type { RouteLease } from '../egress/route-pool.ts'
import type { ClientProfile } from './clients.ts'

export type Identities = {
  /** Identities that are being made, by the route, its epoch and the client. */
  flights: Flights
  /** Tells whether the platform refused this to the client on that route lately: an identity, or another client's. */
  isRefused(lease: RouteLease, client: ClientProfile, what: Refusable): boolean
  noteRefused(lease: RouteLease, client: ClientProfile, what: Refusable): void
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
  const keyOf = ({ route }: RouteLease, { name }: ClientProfile, what: Refusable): string =>
    `${route.name} ${name} ${what}`
  return {
    flights: openFlights(),
    isRefused: (...refused) => (untilMs.get(keyOf(...refused)) ?? 0) > clock(),
    noteRefused(...refused) {
      const value = clock() + identityRestMs
      setLatest(untilMs, keyOf(...refused), { value, max: REFUSALS_KEPT_MAX })
    },
  }
}
