/**
 * Retirements: the versions of the platform's apps that it no longer accepts.
 *
 * A version is retired once it was refused for several different videos with no answer in between, so a single video
 * never takes a client away from all others. It is not asked for a while, then tried again. Where all clients of a use
 * are retired, none is asked for a minute, then for two, four and so on.
 */
import type { ClientProfile, ClientUse } from './clients.ts'

/**
 * A refusal of a version: `subject` is what was asked for, `weight` how sure such an answer is, out of
 * `RETIRED_AT_WEIGHT`.
 */
export type VersionRefusal = { subject: string; weight: number }

type Retirements = {
  /** Returns how long a client is not asked, in milliseconds; 0 where it may be asked. */
  restMs(client: ClientProfile): number
  /** Notes a refusal; `peers` are all clients of the same use. */
  refused(client: ClientProfile, refusal: VersionRefusal, peers: readonly ClientProfile[]): void
  accepted(client: ClientProfile): void
}

export type RetirementOptions = {
  /** A clock that counts milliseconds and never goes back. */
  clock: () => number
  clientRestMs: number
  /** The first rest where all clients of a use are retired. */
  closedFirstMs: number
  /** Called at each refusal that begins a rest. */
  onRetired?: ((client: ClientProfile) => void) | undefined
  /** Called at the first answer to a version, and at the first one after it was retired. */
  onAccepted?: ((client: ClientProfile, before: { wasRetired: boolean }) => void) | undefined
}

/** The sum of weights of different subjects in a row that retires a client. */
export const RETIRED_AT_WEIGHT = 10

type Retirement = { weights: Map<string, number>; restUntilMs: number; isRetired: boolean }

export function openRetirements(options: RetirementOptions): Retirements {
  const { clock, clientRestMs, closedFirstMs } = options
  const known = new Map<string, Retirement>()
  const answered = new Set<string>()
  const closings = new Map<ClientUse, number>()

  const restMs = (client: ClientProfile): number =>
    Math.max(0, (known.get(versionKey(client))?.restUntilMs ?? 0) - clock())

  /** Shortens the rests of all peers, so that the use is tried again soon: one answer may open it. */
  function close(use: ClientUse, peers: readonly ClientProfile[]): void {
    const earlier = closings.get(use) ?? 0
    closings.set(use, earlier + 1)
    const untilMs = clock() + Math.min(clientRestMs, closedFirstMs * 2 ** earlier)
    for (const peer of peers) {
      const found = known.get(versionKey(peer))
      if (found !== undefined) found.restUntilMs = Math.min(found.restUntilMs, untilMs)
    }
  }

  return {
    restMs,
    refused(client, { subject, weight }, peers) {
      const fresh = { weights: new Map<string, number>(), restUntilMs: 0, isRetired: false }
      const found = known.get(versionKey(client)) ?? fresh
      known.set(versionKey(client), found)
      if (found.restUntilMs > clock()) return // the request was sent before the client was retired
      if (!found.isRetired) found.weights.set(subject, weight)
      const sum = found.weights.values().reduce((total, each) => total + each, 0)
      if (!found.isRetired && sum < RETIRED_AT_WEIGHT) return
      Object.assign(found, { isRetired: true, restUntilMs: clock() + clientRestMs })
      answered.delete(versionKey(client))
      if (peers.every((peer) => restMs(peer) > 0)) close(client.use, peers)
      options.onRetired?.(client)
    },
    accepted(client) {
      const key = versionKey(client)
      const wasRetired = known.get(key)?.isRetired === true
      if (known.delete(key)) closings.delete(client.use)
      if (answered.has(key)) return
      answered.add(key)
      options.onAccepted?.(client, { wasRetired })
    },
  }
}

/** Returns a key of the version, so that a new version counts as another client. */
function versionKey({ name, context }: ClientProfile): string {
  return `${name} ${context.clientVersion}`
}
