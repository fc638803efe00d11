/** Proven videos: what was delivered lately, to ask a route for when it answers with another video than asked. */
import type { ClientPool } from './client-pool.ts'

export type ProvenVideo = { videoId: string; accountId: string }

/** Of different accounts, as far as there are any; the newest last. */
const KEPT_MAX = 4

const proven = new WeakMap<ClientPool, ProvenVideo[]>()

export function noteProven(clients: ClientPool, video: ProvenVideo): void {
  const others = (proven.get(clients) ?? []).filter(
    (each) => each.accountId !== video.accountId && each.videoId !== video.videoId,
  )
  proven.set(clients, [...others, video].slice(-KEPT_MAX))
}

/** One that is none of these, best another account's; null where there is none. */
export function provenVideo(
  clients: ClientPool,
  { not, accountId }: { not: readonly string[]; accountId: string },
): ProvenVideo | null {
  const fit = (proven.get(clients) ?? []).filter(({ videoId }) => !not.includes(videoId))
  return fit.findLast((each) => each.accountId !== accountId) ?? fit.at(-1) ?? null
}
