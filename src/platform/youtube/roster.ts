/** The roster: the client profiles in use, which of them are retired, and which are refused at the moment. */
import type { ClientProfile, ClientUse } from './clients.ts'

export type Roster = {
  /** Clients for a use: those that are refused come last, retired ones only where all are. */
  clientsFor(use: ClientUse): ClientProfile[]
  /** The platform refused this version: it is left alone for a while, then tried once more. */
  retire(client: ClientProfile): void
  /** A video came by `client` after all of `before` had met a hurdle. */
  delivered(client: ClientProfile, before: readonly string[]): void
  retired(): string[]
}

/** After so many videos in a row that others delivered instead, a client is asked last. */
const REFUSALS_MAX = 5

export function openRoster(
  profiles: readonly ClientProfile[],
  {
    clock,
    clientRestMs,
    refusedRestMs,
  }: { clock: () => number; clientRestMs: number; refusedRestMs: number },
): Roster {
  const retiredUntilMs = new Map<string, number>()
  const lastUntilMs = new Map<string, number>()
  const refusals = new Map<string, number>()
  const isIn =
    (until: Map<string, number>) =>
    ({ name }: ClientProfile): boolean => {
      return (until.get(name) ?? 0) > clock()
    }
  const [isRetired, isLast] = [isIn(retiredUntilMs), isIn(lastUntilMs)]
  return {
    clientsFor(use) {
      const ofUse = profiles.filter((profile) => profile.use === use)
      const accepted = ofUse.filter((profile) => !isRetired(profile))
      const asked = accepted.length > 0 ? accepted : ofUse
      return asked.toSorted((a, b) => Number(isLast(a)) - Number(isLast(b)))
    },
    retire(client) {
      retiredUntilMs.set(client.name, clock() + clientRestMs)
    },
    delivered({ name }, before) {
      refusals.delete(name)
      for (const refused of before) {
        const count = (refusals.get(refused) ?? 0) + 1
        refusals.set(refused, count)
        if (count >= REFUSALS_MAX) lastUntilMs.set(refused, clock() + refusedRestMs)
      }
    },
    retired: () => profiles.filter(isRetired).map((profile) => profile.name),
  }
}
