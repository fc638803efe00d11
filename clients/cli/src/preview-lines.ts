/** What `get --dry-run` says of an order and of its lines. */
import type { Preview, PreviewSource } from '../../typescript/src/index.ts'
import { counted } from './delivery-output.ts'
import type { OpenOrder } from './order.ts'
import { costOf, dollars } from './usd.ts'

/** `open` is an interrupted order that the command would go on with, or null. */
export function begunOf(open: OpenOrder | null): string {
  if (open === null) return 'Nothing was ordered. Without --dry-run this would be sent:'
  const { jobId, batchId } = open
  const what = batchId !== undefined ? ` (${batchId})` : jobId === null ? '' : ` (job ${jobId})`
  return `An interrupted order is waiting${what}: the command continues it.`
}

/** Returns what an order without a limit takes of a line: a preview counts no more than the balance covers. */
export function takenOf(source: PreviewSource, choice: 'skip' | 'again'): number {
  const { videos, delivered, owned, wouldTake } = source
  // What this order delivered before is owned, too.
  const has = choice === 'skip' ? Math.max(owned, delivered) : delivered
  return Math.max(wouldTake, (videos ?? 0) - has)
}

/** Most orders that are named; the others are counted. */
const NAMED_MAX = 3

/**
 * Returns what the account has from other orders, and what it would cost to buy it again; none where it has nothing.
 * `again` is what the order pays for it at most; null where it leaves it out.
 */
export function ownedOf(
  sources: readonly PreviewSource[],
  { again, price }: { again: string | null; price: bigint },
): string[] {
  const owned = sources.reduce((sum, one) => sum + Math.max(0, one.owned - one.delivered), 0)
  if (owned === 0) return []
  const orders = new Map(
    sources.flatMap(({ ownedFrom: from }) => (from === undefined ? [] : [[from.jobId, from]])),
  )
  const named = [...orders.values()]
    .slice(0, NAMED_MAX)
    .map(({ jobId, since }) => `job ${jobId} of ${since.slice(0, 'YYYY-MM-DD'.length)}`)
  if (orders.size > NAMED_MAX) named.push(`${orders.size - NAMED_MAX} more`)
  const from = named.length === 0 ? 'other orders' : named.join(', ')
  return [
    `Owned: ${counted(owned, 'video')}, from ${from}; ` +
      (again === null
        ? `free, and at most ${dollars(costOf(owned, price))} with --again.`
        : `bought again for at most ${dollars(again)}; free without --again.`),
  ]
}

/** Returns what a line would take, and what it is; `isFull` where the order takes as many videos as it may. */
export function rowOf(source: PreviewSource, isFull: boolean): [string, string] {
  const { line, title, owned, error, wouldTake, delivered, knownNegative, videos } = source
  const has = Math.max(owned, delivered) + knownNegative
  const isMissed = isFull && wouldTake === 0 && has < (videos ?? 1)
  const taken = `${wouldTake.toLocaleString('en-US')} to fetch`
  if (error !== null) return [taken, `${title ?? line}: ${error}`]
  const held = owned > 0 ? `, ${owned} you already have` : ''
  const why = isMissed ? ': nothing, the lines before take the maximum' : ''
  return [taken, `${title ?? line} (${sizeOf(source)}${held})${why}`]
}

/** Returns whether a preview takes as many videos as its order may. */
export function isFullOf({ wouldTake, input }: Preview): boolean {
  return wouldTake >= input.maxVideos
}

function sizeOf({ kind, videos, isComplete }: PreviewSource): string {
  if (kind === 'video') return 'video'
  const size = videos === null ? 'of unknown length' : `of ${videos}`
  return `${kind} ${size}${isComplete ? '' : ', read in part'}`
}
