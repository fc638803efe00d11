/**
 * New videos of a list: those that it did not hold before, never its backlog.
 *
 * One page of a long list shows its beginning only. When an upload is deleted, an older video moves up from
 * behind the page's end and was never seen, either. So a channel's video is new only if a known one stands below
 * it, and so is a playlist's that was not read to its end. A channel's video that the list itself calls older than
 * the subscription is no news, wherever it stands.
 */

/** Pages of a list, in its own order; each video once. */
type ReadPages = {
  listed: { videoId: string; isOld: boolean }[]
  /** True for a channel; a playlist has an order of its own. */
  isNewestFirst: boolean
}

/** A list as it was read. */
export type ReadList = ReadPages & { isComplete: boolean }

/** Number of ids that are remembered: all that one look reads, and some that left the list and may come back. */
export const KNOWN_IDS_MAX = 700

/** Returns the new videos in order of age: a channel's from the bottom up, a playlist's as they stand. */
export function newVideos(known: readonly string[], list: ReadList): string[] {
  const before = new Set(known)
  const lastKnown = list.listed.findLastIndex(({ videoId }) => before.has(videoId))
  const isAnywhere = list.isComplete && (!list.isNewestFirst || lastKnown < 0)
  const reach = isAnywhere ? list.listed.length : lastKnown + 1
  const fresh = list.listed
    .slice(0, reach)
    .filter(({ videoId, isOld }) => !before.has(videoId) && !(isOld && list.isNewestFirst))
    .map(({ videoId }) => videoId)
  return list.isNewestFirst ? fresh.reverse() : fresh
}

/** Returns a playlist's last `count` entries, or a channel's newest uploads, in order of age. */
export function backlogOf(list: ReadList, count: number): string[] {
  if (count === 0) return []
  const ids = list.listed.filter(({ isOld }) => !isOld).map(({ videoId }) => videoId)
  return list.isNewestFirst ? ids.slice(0, count).reverse() : ids.slice(-count)
}

/** Returns the ids that are known after a look. */
export function knownAfter(known: readonly string[], { listed }: ReadList): string[] {
  const ids = listed.map(({ videoId }) => videoId)
  const now = new Set(ids)
  return [...ids, ...known.filter((id) => !now.has(id))].slice(0, KNOWN_IDS_MAX)
}

/** Returns whether to read the next page: of a channel only where none is known yet, or the backlog wants more. */
export function wantsNextPage(
  { known, backlog }: { known: readonly string[] | null; backlog: number },
  list: ReadPages,
): boolean {
  if (!list.isNewestFirst) return true
  if (known === null) return list.listed.length < backlog
  const before = new Set(known)
  return !list.listed.some(({ videoId }) => before.has(videoId))
}
