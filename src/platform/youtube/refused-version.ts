/** Answers that say that the platform no longer accepts the version of a client profile. */
import type { ClientPool } from './client-pool.ts'
import { type ClientProfile, newerOf } from './clients.ts'
import type { Call } from './innertube.ts'
import { type NamedObstacle, type Obstructed, obstructed, ruleOf } from './obstacle.ts'
import type { PlayerAnswer } from './player.ts'
import type { Answer } from './reply.ts'
import { RETIRED_AT_WEIGHT } from './retirements.ts'

/** The weight of HTTP 400 FAILED_PRECONDITION (ANDROID 19.44.38, 2026-08-18), which has no other known cause. */
const PLAIN_WEIGHT = RETIRED_AT_WEIGHT / 2
/**
 * The weight of "Watch on the latest version of YouTube." (2023-04), since some videos are not for every app anyway.
 */
const WORDED_WEIGHT = RETIRED_AT_WEIGHT / 5

/**
 * Notes what a reply says about the client's version; what a player says in words is noted by `noteVersionInPlayer`.
 */
export function noteVersionInReply(
  clients: ClientPool,
  { name, client, body }: Call,
  answer: Answer,
): void {
  if (name === 'visitor_id') return // an identity is given to versions whose other calls are refused, and the reverse
  if (answer.kind === 'json') {
    if (name !== 'player') clients.accepted(client)
  } else if (answer.obstacle.name === 'retired') {
    clients.refusedVersion(client, { subject: JSON.stringify(body), weight: PLAIN_WEIGHT })
  }
}

/** Notes what a player's answer about a video says about the client's version. */
export function noteVersionInPlayer(
  clients: ClientPool,
  { client, videoId }: { client: ClientProfile; videoId: string },
  answer: PlayerAnswer,
): PlayerAnswer {
  if (answer.kind !== 'obstructed') clients.accepted(client)
  else if (answer.obstacle.name === 'retired') {
    clients.refusedVersion(client, { subject: videoId, weight: WORDED_WEIGHT })
  }
  return answer
}

/** Returns the obstacle of a question while all clients for it are retired; null where it may be asked. */
export function noClientFor(
  clients: ClientPool,
  use: 'captions' | 'date_and_lists',
): Obstructed | null {
  const retryAfterMs = Math.ceil(clients.closedMs(use))
  return retryAfterMs === 0 ? null : obstructed('no_client', { retryAfterMs })
}

/** The clients of one question, in order: they stay its own where others come in their place meanwhile. */
type VersionsAsked = {
  order: readonly ClientProfile[]
  isRetired: (client: ClientProfile) => boolean
  /** Returns the obstacle that a client met, null for an answer, and undefined for one that was not asked. */
  obstacleOf: (name: string) => NamedObstacle | null | undefined
}

/**
 * Whether a version is to be asked: there is no newer one, or what that met may be due to the version. So two versions
 * of one app never answer the same question, and bear each other out.
 */
export function isVersionWanted(client: ClientProfile, asked: VersionsAsked): boolean {
  const newer = newerOf(asked.order, client)
  if (newer === null) return true
  const met = asked.obstacleOf(newer.name)
  if (met === undefined) return asked.isRetired(newer) && isVersionWanted(newer, asked)
  return met !== null && (ruleOf(met).blame === 'client' || met.name === 'unreadable')
}
