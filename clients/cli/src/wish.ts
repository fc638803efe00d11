/** What `get` was asked for: its words and options, checked, without facts that only the service knows. */
import { readFileSync } from 'node:fs'
import { usageFailure } from './failure.ts'
import { hasVisible } from '../../../src/kit/text/invisible.ts'
import type { OwnedChoice, WishedTrack } from '../../typescript/src/index.ts'
import { ORDER_VIDEOS_MAX, type OrderBody, orderOf, type Typed } from './order-options.ts'
import type { Options } from './parse-words.ts'
import { numberOption, textOption } from './shell.ts'
import { affordable, microsOf } from './usd.ts'

/** Wish of a command; the same command has the same wish, and nothing in it depends on where files go. */
export type Wish = Typed & {
  /** Words, and all of standard input as one text. */
  urls: string[]
  max: number
  maxUsd: string | null
  /** Buys videos of other orders again; left out where not asked for, so that a wish of before stays the same. */
  again?: true
  /** The kind of track where a video has both; likewise. */
  track?: WishedTrack
}

/** Lines of one job, as in the API; how many a document has only the service can tell. */
export const ORDER_LINES_MAX = 50
/** Most videos of a batch, as in the API: as many as there are. */
export const BATCH_VIDEOS_MAX = 50_000

/** Reads the wish; the word `-` stands for standard input, a list or a document, which the service understands. */
export function readWish(words: readonly string[], options: Options): Wish {
  const texts = words.flatMap((word) =>
    word === '-' ? [withoutComments(readFileSync(0, 'utf8'))] : word.split(LINE_BREAK),
  )
  const urls = [...new Set(texts.map((text) => text.trimEnd()).filter(hasVisible))]
  if (urls.length === 0) throw usageFailure('get needs a URL', 'scriptorium get --help')
  const maxUsd = textOption(options, 'max-usd') ?? null
  if (maxUsd !== null && microsOf(maxUsd) === null) {
    throw usageFailure(`--max-usd is an amount like 2 or 0.50, not "${maxUsd}"`)
  }
  return {
    urls,
    max: readMax(urls, options),
    maxUsd,
    since: textOption(options, 'since') ?? null,
    until: textOption(options, 'until') ?? null,
    language: textOption(options, 'language') ?? null,
    ...(options['again'] === true ? { again: true } : {}),
    ...readTrack(options),
  }
}

function readTrack(options: Options): Pick<Wish, 'track'> {
  const track = textOption(options, 'track')
  if (track === undefined) return {}
  if (track !== 'asr' && track !== 'manual')
    throw usageFailure(`--track is asr or manual, not "${track}"`)
  return { track }
}

/** Returns how many videos the order takes: without a wish 500, or as many as there are lines. */
function readMax(urls: readonly string[], options: Options): number {
  const max = numberOption(options, 'max', { min: 1, max: BATCH_VIDEOS_MAX })
  if (options['all'] !== true) {
    return max ?? Math.min(BATCH_VIDEOS_MAX, Math.max(ORDER_VIDEOS_MAX, linesOf(urls).length))
  }
  if (max !== undefined) throw usageFailure('use either --all or --max')
  return BATCH_VIDEOS_MAX
}

/** Returns the lines of a list, each once; null where some of them may be a document, which the service reads. */
export function plainLines(urls: readonly string[]): string[] | null {
  const lines = linesOf(urls)
  return lines.every((line) => PLAIN_LINE.test(line)) ? lines : null
}

/** Returns what an order says beside its body: what becomes of videos that the account owns, and the kind of track. */
export function choicesOf({ again, track }: Wish): { owned: OwnedChoice; track?: WishedTrack } {
  return { owned: again === true ? 'again' : 'skip', ...(track === undefined ? {} : { track }) }
}

const LINE_BREAK = /\r\n|\r|\n/
/** A line of a list, of which no document is made. */
const PLAIN_LINE = /^[^\s<>{}",;|]+$/
/** A line that is a comment, and an address by itself with one behind it. */
const COMMENT = /^\s*#/
const ADDRESS_AND_COMMENT = /^(\s*[^\s<>{}"',;|]+)\s+#/
const ADDRESS = /https?:|youtu/i

/**
 * Returns a text without what is certainly a comment, so that its lines can be counted, but with all of its lines,
 * since the service tells a line by its number. Other comments the service reads.
 */
function withoutComments(text: string): string {
  return text.split(LINE_BREAK).map(withoutComment).join('\n')
}

/** A hashtag, or a title with a number, may stand before an address: these the service reads. */
function withoutComment(line: string): string {
  const before = COMMENT.test(line) ? '' : ADDRESS_AND_COMMENT.exec(line)?.[1]
  if (before === undefined) return line
  const [mark, ...words] = line.slice(before.length).trim().split(/\s+/)
  const isCertain = mark === '#' && (before === '' || ADDRESS.test(before))
  return isCertain || !ADDRESS.test(words.join(' ')) ? before : line
}

function linesOf(urls: readonly string[]): string[] {
  return [
    ...new Set(urls.flatMap((text) => text.split(LINE_BREAK)).map((line) => line.trim())),
  ].filter(hasVisible)
}

/** Matches lines that are certainly one video: no more is reserved than these can cost. */
const VIDEO_LINE =
  /^(?:[\w-]{11}|https:\/\/(?:www\.|m\.)?youtube\.com\/(?:watch\?v=|shorts\/)[\w-]{11}|https:\/\/youtu\.be\/[\w-]{11})$/

/** Returns how many videos the lines are; null where one of them may be a list. */
export function videosIn(urls: readonly string[]): number | null {
  const lines = linesOf(urls)
  return lines.every((line) => VIDEO_LINE.test(line)) ? lines.length : null
}

/** `priceMicros` is the price of one transcript. Throws a usage failure where the amount does not pay for one. */
export function orderBody(wish: Wish, priceMicros: bigint): OrderBody {
  const { urls, max, maxUsd } = wish
  const amount = maxUsd === null ? null : microsOf(maxUsd)
  const covered = amount === null ? max : affordable(amount, priceMicros)
  if (covered < 1) throw usageFailure(`--max-usd ${maxUsd} does not pay for one transcript`)
  return orderOf(urls, Math.min(max, covered, videosIn(urls) ?? max), wish)
}
