/**
 * An order: what a customer wants fetched. Its lines are read once, where they come in (read-order.ts); jobs, previews,
 * batches and followed lists take it from there, and keep it with what was read (store/orders.ts).
 */
import { LIMITS } from '../../config/config.ts'
import type { Format } from '../files/catalogue.ts'
import { readSource, type Source, type SourceReading } from '../platform/source.ts'
import type { TextWish } from '../transcripts/caption-track.ts'
import { datesOf, isBounded, NO_DATES, type OrderDates } from './date-bounds.ts'
import { earlierSetHashesOf, setHashOf } from './url-set.ts'

/** A line as it was sent, and what it names; null where an earlier release took a line that this one does not. */
export type OrderLine = { text: string; source: Source | null }

/** Lines as they are kept, with what each names; null in rows of the release before, which kept the lines alone. */
export type KeptLines = { urls: string[]; sources: (Source | null)[] | null }

export function keptLines({ urls, sources }: KeptLines): OrderLine[] {
  return urls.map((text, at) => ({ text, source: keptSource(text, sources?.[at] ?? null) }))
}

/** Returns what a line was read as when it came in; that of the release before is read now. */
export function keptReading(line: string, kept: Source | null): SourceReading {
  return kept === null ? readSource(line) : { kind: 'source', source: kept }
}

/** Returns what a line names; null where it is no line any more. */
export function keptSource(line: string, kept: Source | null): Source | null {
  const reading = keptReading(line, kept)
  return reading.kind === 'source' ? reading.source : null
}

/** Wishes for each video, whichever it is. */
export type Wish = {
  /** `original` or a caption language code. */
  language: string
  formats: Format[]
  /** Whether videos that the account owns by another order are left out. */
  skipsOwned: boolean
}

/** Terms of an order: all that it says beside its lines. */
export type Terms = Wish & TextWish & OrderDates & { maxVideos: number }

/** Lines with the hash by which a repeat of them is known; see url-set.ts. */
export type LineSet = { lines: OrderLine[]; urlSetHash: string }

export type Order = Terms &
  LineSet & {
    /** The other hashes by which releases up to 1.0 knew the same text. */
    earlierSetHashes: string[]
    /** Sentences about how the lines were read. */
    notices: string[]
  }

/** Returns whether a line names one video, and no list. */
export function isOfVideo({ source }: OrderLine): boolean {
  return source?.kind === 'video'
}

/** Returns whether a line names a playlist or a whole channel, and no part of one. */
export function isOfWholeList({ source }: OrderLine): boolean {
  return source?.kind === 'playlist' || (source?.kind === 'channel' && source.tab === null)
}

/** Returns the lines of a part of an order: as many as a job takes. */
export function linesOfPart({ lines }: { lines: readonly OrderLine[] }, part: number): LineSet {
  const ofPart = lines.slice(part * LIMITS.urlsMax, (part + 1) * LIMITS.urlsMax)
  return { lines: ofPart, urlSetHash: setHashOf(ofPart.map(({ text }) => text)) }
}

/** Returns the order of a job that takes up to `maxVideos` of a part's videos. */
export function orderOfPart(
  order: Wish & TextWish & OrderDates,
  part: LineSet,
  maxVideos: number,
): Order {
  const texts = part.lines.map(({ text }) => text)
  const earlierSetHashes = earlierSetHashesOf(texts, part.urlSetHash)
  const { wishedTrack } = order
  const wish = { ...wishOf(order), wishedTrack, ...datesOf(order) }
  return { ...part, ...wish, maxVideos, earlierSetHashes, notices: [] }
}

function wishOf({ language, formats, skipsOwned }: Wish): Wish {
  return { language, formats, skipsOwned }
}

/**
 * Returns the order of a job that takes videos of a single list, whose line was read when it was sent. No earlier
 * release's order is continued.
 */
export function orderOfList(wish: Wish, { lines, urlSetHash }: LineSet, maxVideos: number): Order {
  const set = { lines, urlSetHash, earlierSetHashes: [] }
  return { ...set, ...wishOf(wish), wishedTrack: null, ...NO_DATES, maxVideos, notices: [] }
}

/** Returns whether taking an order up needs listing. Date bounds need calls of their own, also for single videos. */
export function needsListing(order: Order): boolean {
  return isBounded(order) || !order.lines.every(isOfVideo)
}

/**
 * Returns what to expect where the lines name more videos than the job takes up, or so many that a list behind them may
 * never be read. `maxVideos` is the job's own, after the balance cap.
 */
export function noticesOfLimit(
  lines: readonly OrderLine[],
  maxVideos: number,
  what: 'job' | 'batch' = 'job',
): string[] {
  const named = new Set<string>()
  let isListBehind = false
  for (const { source } of lines) {
    if (source?.kind === 'video') named.add(source.videoId)
    else isListBehind ||= source !== null && named.size >= maxVideos
  }
  const notices: string[] = []
  if (named.size > maxVideos) {
    notices.push(
      `The lines name ${named.size} videos and this ${what} takes at most ${maxVideos}, in the ` +
        'order given. The others come back as `truncated`, free of charge; send the same URLs again ' +
        'to get them.',
    )
  }
  if (isListBehind) {
    notices.push(
      `Channels and playlists after the first ${maxVideos} videos are read only if slots are left, ` +
        'for example because an earlier job delivered some of those videos; send the same URLs again to continue.',
    )
  }
  return notices
}
