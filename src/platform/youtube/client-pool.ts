/**
 * The client pool: the client profiles in use, which of them the platform retired, and which it refuses at
 * the moment where it answers others.
 */
import type { ClientProfile, ClientUse } from './clients.ts'

export type ClientPool = {
  /** Clients for a use: those that are refused come last, retired ones only where all are. */
  clientsFor(use: ClientUse): ClientProfile[]
  /** As which lists, dates and new identities are asked for. */
  forLists(): ClientProfile
  /** The platform refused this version: it is left alone for a while, then tried once more. */
  retire(client: ClientProfile): void
  /** A video came by `client` after all of `before` had met an obstacle. */
  delivered(client: ClientProfile, before: readonly string[]): void
  retired(): string[]
}

/** After so many videos in a row that others delivered instead, a client is asked last. */
const REFUSALS_MAX = 5

/** `clock` counts milliseconds and never goes back. */
export function openClientPool(
  profiles: readonly ClientProfile[],
  times: { clock: () => number; clientRestMs: number; refusedRestMs: number },
): ClientPool {
  const { clock, clientRestMs, refusedRestMs } = times
  const [retired, last] = [openMarks(clock), openMarks(clock)]
  const refusals = new Map<string, number>()

  function clientsFor(use: ClientUse): ClientProfile[] {
    const ofUse = profiles.filter((profile) => profile.use === use)
    const accepted = ofUse.filter(({ name }) => !retired.has(name))
    const asked = accepted.length > 0 ? accepted : ofUse
    return asked.toSorted((a, b) => Number(last.has(a.name)) - Number(last.has(b.name)))
  }

  return {
    clientsFor,
    forLists() {
      const [client] = clientsFor('date_and_lists')
      if (client === undefined) throw new Error('no client profile has "use": "date_and_lists"')
      return client
    },
    retire: ({ name }) => retired.set(name, clientRestMs),
    delivered({ name }, before) {
      refusals.delete(name)
      for (const refused of before) {
        const count = (refusals.get(refused) ?? 0) + 1
        refusals.set(refused, count)
        if (count >= REFUSALS_MAX) last.set(refused, refusedRestMs)
      }
    },
    retired: () => profiles.map(({ name }) => name).filter(retired.has),
  }
}

type Marks = { has(name: string): boolean; set(name: string, forMs: number): void }

/** Names that are marked for a while. */
function openMarks(clock: () => number): Marks {
  const untilMs = new Map<string, number>()
  return {
    has: (name) => (untilMs.get(name) ?? 0) > clock(),
    set: (name, forMs) => void untilMs.set(name, clock() + forMs),
  }
}
