/** Proposes client profiles made of those that were seen to work. */
import { sentenceOf } from '../../kit/settings.ts'
import { CLIENT_USES, type ClientProfile, type ClientUse, newerOf } from './clients.ts'
import { type ExaminedRoute, type Fault, isWorking, type PartName } from './doctor-report.ts'
import { readClientProfiles } from './read-clients.ts'

/** Profiles in their new order and the names of those left out; or why no valid file can be made. */
export type Proposal =
  | { kind: 'proposed'; profiles: ClientProfile[]; leftOut: string[] }
  | { kind: 'none'; reason: string }

type Examined = { routes: readonly ExaminedRoute[]; faults: readonly Fault[] }

/** The parts of an examination that show whether a client is fit for its use. */
const PARTS: Record<ClientUse, readonly PartName[]> = {
  captions: ['captions'],
  age_gate: ['age_gate'],
  date_and_lists: ['list', 'date'],
}

/**
 * Returns the profiles that work on a route, for each use those that work on most routes first. An older version stands
 * in for a newer one that fails, and stays as its net where it was not asked. A profile for age gates stays unless it
 * is itself at fault: that few gates open is no reason to ask at none.
 */
export function proposeProfiles(
  profiles: readonly ClientProfile[],
  { routes, faults }: Examined,
): Proposal {
  const partsOf = ({ name }: ClientProfile, part: PartName) =>
    routes.flatMap(({ parts }) => parts.filter((one) => one.client === name && one.part === part))
  const worksOn = (client: ClientProfile, part: PartName): number =>
    partsOf(client, part).filter(isWorking).length
  const isAsked = (client: ClientProfile): boolean =>
    PARTS[client.use].some((part) => partsOf(client, part).length > 0)
  const isKept = (client: ClientProfile): boolean => {
    if (client.use === 'age_gate')
      return !faults.some(
        ({ part, client: name, setting }) =>
          part === 'age_gate' && name === client.name && setting === 'PLATFORM_CLIENTS',
      )
    const newer = newerOf(profiles, client)
    if (newer !== null && !isAsked(client)) return isKept(newer)
    return PARTS[client.use].some((part) => worksOn(client, part) > 0)
  }
  const reachOf = (client: ClientProfile): number =>
    Math.min(...PARTS[client.use].map((part) => worksOn(client, part)))
  const kept = CLIENT_USES.flatMap((use) =>
    profiles
      .filter((each) => each.use === use && isKept(each))
      .toSorted((a, b) => reachOf(b) - reachOf(a)),
  )
  if (!kept.some((client) => worksOn(client, 'list') > 0))
    return { kind: 'none', reason: 'no client lists anything' }
  const leftOut = profiles.filter((each) => !kept.includes(each)).map(({ name }) => name)
  try {
    return { kind: 'proposed', profiles: readClientProfiles(JSON.stringify(kept)), leftOut }
  } catch (error) {
    return { kind: 'none', reason: sentenceOf(error) }
  }
}
