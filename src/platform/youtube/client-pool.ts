/**
 * The client pool: the client profiles in use, which of them the platform retired, and which it refuses at the moment
 * while it answers others.
 */
import { setLatest } from '../../kit/latest.ts'
import { type ClientProfile, type ClientUse, newerOf } from './clients.ts'
import type { Call } from './innertube.ts'
import { openRetirements, type RetirementOptions, type VersionRefusal } from './retirements.ts'

export type ClientPool = {
  /** Returns the clients for a use: refused ones last, older versions behind them, and no retired ones. */
  clientsFor(use: ClientUse): ClientProfile[]
  /** Returns how long no client may be asked for that use, since all of them are retired; 0 where one may. */
  closedMs(use: ClientUse): number
  isRetired(client: ClientProfile): boolean
  /** Notes that the platform refused this version when asked about a subject. */
  refusedVersion(client: ClientProfile, refusal: VersionRefusal): void
  /** Notes that the platform answered this version. */
  accepted(client: ClientProfile): void
  /** Notes that `client` delivered a video, list or date (`what`) after all of `before` had brought nothing. */
  delivered(client: ClientProfile, before: readonly string[], what?: Call['name']): void
  /** Whether the client brought nothing of the last video that it was asked for and another one delivered. */
  isDoubted(name: string): boolean
  /** Notes whether the client's answer about a video was one that was never seen before. */
  noteAnswer(client: ClientProfile, answer: { videoId: string; isUnseen: boolean }): void
  /** Returns the names of retired clients. */
  retired(): string[]
  /** Asks a client last for a while, since it fails where others deliver. */
  askLast(name: string): void
  /** Replaces the profiles; what is known about retired versions stays, the order begins anew. */
  replace(profiles: readonly ClientProfile[]): void
}

/** A client that fails this many videos in a row which others delivered, or lists or dates, is asked last. */
const REFUSALS_MAX = 5
/** A client is asked last when at least UNSEEN_MAX of its last VIDEOS_NOTED videos were answered as never before. */
const VIDEOS_NOTED = 20
const UNSEEN_MAX = 10

export function openClientPool(
  initial: readonly ClientProfile[],
  options: RetirementOptions & { refusedRestMs: number },
): ClientPool {
  const { clock, refusedRestMs } = options
  let profiles = initial
  const askedLast = new Map<string, number>()
  const refusals = new Map<string, number>()
  const lastAnswers = new Map<string, Map<string, boolean>>()
  const retirements = openRetirements(options)

  const isRetired = (client: ClientProfile): boolean => retirements.restMs(client) > 0
  const ofUse = (use: ClientUse): ClientProfile[] => profiles.filter((each) => each.use === use)
  const isLast = ({ name }: ClientProfile): boolean => (askedLast.get(name) ?? 0) > clock()
  const rankOf = (client: ClientProfile): number =>
    Number(isLast(client)) + (newerOf(profiles, client) === null ? 0 : 2)
  const askLast = (name: string): void => void askedLast.set(name, clock() + refusedRestMs)

  return {
    isRetired,
    clientsFor: (use) =>
      ofUse(use)
        .filter((client) => !isRetired(client))
        .toSorted((a, b) => rankOf(a) - rankOf(b)),
    closedMs(use) {
      const rests = ofUse(use).map(retirements.restMs)
      return rests.length === 0 ? 0 : Math.min(...rests)
    },
    refusedVersion: (client, refusal) => retirements.refused(client, refusal, ofUse(client.use)),
    accepted: retirements.accepted,
    delivered({ name }, before, what = 'player') {
      refusals.delete(`${what} ${name}`)
      for (const refused of before) {
        const count = (refusals.get(`${what} ${refused}`) ?? 0) + 1
        refusals.set(`${what} ${refused}`, count)
        if (count >= REFUSALS_MAX) askLast(refused)
      }
    },
    isDoubted: (name) => refusals.has(`player ${name}`),
    noteAnswer({ name }, { videoId, isUnseen }) {
      const videos = lastAnswers.get(name) ?? new Map<string, boolean>()
      lastAnswers.set(name, videos)
      setLatest(videos, videoId, { value: isUnseen, max: VIDEOS_NOTED }) // each video counts once
      if ([...videos.values()].filter(Boolean).length < UNSEEN_MAX) return
      askLast(name)
      lastAnswers.delete(name)
    },
    askLast,
    retired: () => profiles.filter(isRetired).map(({ name }) => name),
    replace(next) {
      profiles = next
      askedLast.clear() // changed profiles are to be tried in their new order
      refusals.clear()
      lastAnswers.clear()
    },
  }
}
