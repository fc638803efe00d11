/** How much an order may take: whether it is one job or a batch, and what its lists hold beyond its limit. */
import { cost, formatUsd } from '../../src/model/money/money.ts'
import type { SourcesPreview } from './api/account.ts'
import { BATCH_VIDEOS_MAX, JOB_LINES_MAX, JOB_VIDEOS_MAX } from './api/batches.ts'
import type { OwnedChoice, Preview } from './api/client.ts'
import { usd } from './format.ts'

/** `maxVideos` is as it was typed. */
type Order = { preview: SourcesPreview | undefined; maxVideos: string; owned: OwnedChoice }

/** `most` is the most videos that can be charged: the limit, or fewer where all lines are single videos. */
export type OrderSize = { isBatch: boolean; most: number }

export function orderSize({ preview, maxVideos, owned }: Order): OrderSize {
  const { links = 0, videos = 0 } = preview ?? {}
  const usual = Math.max(JOB_VIDEOS_MAX, links) // as the service reads an order that does not say
  const typed = /^\d+$/.test(maxVideos) ? Number(maxVideos) : JOB_VIDEOS_MAX
  const limit = typed === JOB_VIDEOS_MAX ? usual : Math.min(Math.max(typed, 1), BATCH_VIDEOS_MAX)
  const free = owned === 'skip' ? (preview?.owned?.videos ?? 0) : 0
  const most = links > 0 && videos === links ? Math.min(videos - free, limit) : limit
  return { isBatch: links > JOB_LINES_MAX || most > JOB_VIDEOS_MAX, most }
}

/** Returns how many videos of all lines the account does not have, as far as the lists say how long they are. */
export function videosLeft({ sources }: Preview): number {
  return sources.reduce((sum, { kind, videos, owned, delivered }) => {
    const known = kind === 'video' ? 1 : (videos ?? 0)
    return sum + Math.max(0, known - Math.max(owned, delivered))
  }, 0)
}

/**
 * Returns the highest price of an order, in words. `found` is what one job would take: of a batch it does not tell what
 * all of it takes.
 */
export function highestCost(order: Order, found: Preview | undefined): string {
  if ((order.preview?.links ?? 0) === 0) return usd('0')
  const { isBatch, most } = orderSize(order)
  if (found !== undefined && !isBatch) return usd(found.costAtMost)
  return costOf(most)
}

/** Returns what so many transcripts cost, such as "$4.00". */
export function costOf(videos = JOB_VIDEOS_MAX): string {
  return usd(formatUsd(cost(videos)))
}
