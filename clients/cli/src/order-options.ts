/** The options of an order: which field of the API each fills, and what the command says of a field that is refused. */
import type { JobRequest } from '../../typescript/src/index.ts'

/** Options whose text is the value of a field as it was typed, in the order in which an order has them. */
const TYPED = { language: 'language', since: 'publishedAfter', until: 'publishedBefore' } as const
/** Options as they were typed; null where one was not given. */
export type Typed = Record<keyof typeof TYPED, string | null>

/** Body of POST /jobs and /batches. All formats are always ordered: they cost nothing, and can be fetched later. */
export type OrderBody = { urls: string[]; maxVideos: number } & Pick<
  JobRequest,
  (typeof TYPED)[keyof Typed]
>

/** Most videos of one job, as in the API; an order of more is a batch. */
export const ORDER_VIDEOS_MAX = 500

/** Returns the fields that these options fill, without those that were not given. */
export function fieldsOf<Name extends keyof Typed>(
  typed: Record<Name, string | null | undefined>,
): { [Field in (typeof TYPED)[Name]]?: string } {
  const names = Object.keys(TYPED) as Name[]
  const given = names.flatMap((name) => (typed[name] == null ? [] : [[TYPED[name], typed[name]]]))
  return Object.fromEntries(given) as { [Field in (typeof TYPED)[Name]]?: string }
}

export function orderOf(urls: string[], maxVideos: number, typed: Typed): OrderBody {
  return { urls, maxVideos, ...fieldsOf(typed) }
}

/** Returns the order with a limit of so many videos, where its own is not lower. */
export function limitedTo(videos: number, order: OrderBody): OrderBody {
  return { ...order, maxVideos: Math.min(order.maxVideos, videos) }
}

/** Returns whether an order takes more than a job may. */
export function isOfBatch({ maxVideos }: OrderBody): boolean {
  return maxVideos > ORDER_VIDEOS_MAX
}

/** Options, or words, by the field of the API that they fill. */
const ASKED: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(TYPED).map(([name, field]) => [field, `--${name}`])),
  after: '--since',
  backlog: '--last',
  before: '--until',
  everyHours: '--every',
  maxVideos: '--max',
  monthlyCap: '--cap',
  q: 'The search',
  urls: 'The list',
}

/** Returns what was typed for a field; undefined for one that no command fills. */
export function askedBy(field: string): string | undefined {
  return ASKED[field]
}
