/** How much an order may take: whether it is one job or a batch, and what its lists hold beyond its limit. */
import { cost, formatUsd } from '../../src/model/money/money.ts'
import type { SourcesPreview } from './api/account.ts'
import { BATCH_VIDEOS_MAX, JOB_LINES_MAX, JOB_VIDEOS_MAX } from './api/batches.ts'
import type { JobRequest, Preview } from './api/client.ts'
import { microsOf, usd } from './format.ts'
import type { Options } from './order-fields.ts'

export type Order = { preview: SourcesPreview | undefined; options: Options }

/** `most` is the most videos that can be charged: the limit, or fewer where all lines are single videos. */
type OrderSize = { isBatch: boolean; most: number }

export function orderSize({ preview, options: { maxVideos, owned } }: Order): OrderSize {
  const { links = 0, videos = 0 } = preview ?? {}
  const usual = Math.max(JOB_VIDEOS_MAX, links) // as the service reads an order that does not say
  const typed = /^\d+$/.test(maxVideos) ? Number(maxVideos) : JOB_VIDEOS_MAX
  const limit = typed === JOB_VIDEOS_MAX ? usual : Math.min(Math.max(typed, 1), BATCH_VIDEOS_MAX)
  const free = owned === 'skip' ? (preview?.owned?.videos ?? 0) : 0
  const most = links > 0 && videos === links ? Math.min(videos - free, limit) : limit
  return { isBatch: links > JOB_LINES_MAX || most > JOB_VIDEOS_MAX, most }
}

/** Returns how many videos the lists are known to hold that the account lacks; null where the limit allows them. */
export function videosBeyond({ maxVideos }: Options, { sources }: Preview): number | null {
  const all = sources.reduce((sum, { kind, videos, owned, delivered }) => {
    const known = kind === 'video' ? 1 : (videos ?? 0)
    return sum + Math.max(0, known - Math.max(owned, delivered))
  }, 0)
  const left = Math.min(all, BATCH_VIDEOS_MAX)
  return left > Math.max(Number(maxVideos) || 0, JOB_VIDEOS_MAX) ? left : null
}

/**
 * Promise of a button that spends: the order to send, its maximum, and the price that the button names. Each order
 * reserves its maximum, so that this is what it may cost by now; what is uploaded meanwhile is the next order's.
 */
export type OrderPromise = { request: JobRequest; videos: number; price: string }

/** `found` is what the order would take by now; undefined where that is not known. */
export function promiseOf(
  { maxVideos = JOB_VIDEOS_MAX, ...order }: JobRequest,
  found: Preview | undefined,
): OrderPromise {
  const known = found === undefined ? maxVideos : Number(microsOf(found.costAtMost) / cost(1))
  const videos = Math.max(1, Math.min(maxVideos, known)) // no order takes fewer
  return { request: { ...order, maxVideos: videos }, videos, price: costOf(videos) }
}

/** Returns the promise of the form of a new order. */
export function promiseOfForm(
  request: JobRequest,
  { found, ...order }: Order & { found: Preview | undefined },
): OrderPromise {
  return promiseOf({ ...request, maxVideos: orderSize(order).most }, priced(order, found))
}

/** A preview that the balance lowered does not tell a batch's price: that goes on once there is credit. */
export function priced(order: Order, found: Preview | undefined): Preview | undefined {
  const isLowered = found !== undefined && found.input.maxVideos < found.input.requestedMaxVideos
  return orderSize(order).isBatch && isLowered ? undefined : found
}

/** Returns what so many transcripts cost, such as "$4.00". */
export function costOf(videos = JOB_VIDEOS_MAX): string {
  return usd(formatUsd(cost(videos)))
}
