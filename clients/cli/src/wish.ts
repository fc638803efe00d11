/** What `get` was asked for: its words and options, checked, without facts that only the service knows. */
import { readFileSync } from 'node:fs'
import { usageFailure } from './failure.ts'
import { hasVisible } from './invisible.ts'
import type { OrderBody } from './order.ts'
import type { Options } from './parse-words.ts'
import { numberOption, textOption } from './shell.ts'
import { microsOf } from './usd.ts'

/** Wish of a command; the same command has the same wish, and nothing in it depends on where files go. */
export type Wish = {
  urls: string[]
  max: number
  maxUsd: string | null
  since: string | null
  until: string | null
  language: string | null
  /** Buys videos of other orders again; left out where not asked for, so that a wish of before stays the same. */
  again?: true
}

/** Most videos of one order, as in the API. */
export const ORDER_VIDEOS_MAX = 500
const URLS_MAX = 50

/** Reads the wish; the word `-` stands for the lines of standard input. */
export function readWish(words: readonly string[], options: Options): Wish {
  const text = words.map((word) => (word === '-' ? readFileSync(0, 'utf8') : word)).join('\n')
  const urls = text.split(/\r\n|\r|\n/).map((line) => withoutComment(line).trim())
  const lines = [...new Set(urls.filter(hasVisible))]
  if (lines.length === 0) throw usageFailure('get needs a URL', 'scriptorium get --help')
  if (lines.length > URLS_MAX) {
    throw usageFailure(
      `one order takes ${URLS_MAX} URLs, these are ${lines.length}`,
      `split -l ${URLS_MAX} urls.txt part- && for part in part-*; do scriptorium get - < $part; done`,
    )
  }
  const maxUsd = textOption(options, 'max-usd') ?? null
  if (maxUsd !== null && microsOf(maxUsd) === null) {
    throw usageFailure(`--max-usd is an amount like 2 or 0.50, not "${maxUsd}"`)
  }
  return {
    urls: lines,
    max: numberOption(options, 'max', { min: 1, max: ORDER_VIDEOS_MAX }) ?? ORDER_VIDEOS_MAX,
    maxUsd,
    since: textOption(options, 'since') ?? null,
    until: textOption(options, 'until') ?? null,
    language: textOption(options, 'language') ?? null,
    ...(options['again'] === true ? { again: true } : {}),
  }
}

/** Returns what becomes of videos that the account owns by other orders. */
export function ownedChoice({ again }: Wish): 'skip' | 'again' {
  return again === true ? 'again' : 'skip'
}

/** Returns a line up to a `#` at its start or behind a blank; one inside an address is part of it. */
function withoutComment(line: string): string {
  const at = line.search(/(?:^|\s)#/)
  return at === -1 ? line : line.slice(0, at)
}

/** Matches lines that are certainly one video: no more is reserved than these can cost. */
const VIDEO_LINE =
  /^(?:[\w-]{11}|https:\/\/(?:www\.|m\.)?youtube\.com\/(?:watch\?v=|shorts\/)[\w-]{11}|https:\/\/youtu\.be\/[\w-]{11})$/

/** Returns how many videos the lines are; null where one of them may be a list. */
export function videosIn(urls: readonly string[]): number | null {
  return urls.every((url) => VIDEO_LINE.test(url)) ? urls.length : null
}

/** `priceMicros` is the price of one transcript. Throws a usage failure where the amount does not pay for one. */
export function orderBody(wish: Wish, priceMicros: bigint): OrderBody {
  const { urls, max, maxUsd, since, until, language } = wish
  const amount = maxUsd === null ? null : microsOf(maxUsd)
  const affordable = amount === null ? max : Number(amount / priceMicros)
  if (affordable < 1) throw usageFailure(`--max-usd ${maxUsd} does not pay for one transcript`)
  return {
    urls,
    maxVideos: Math.min(max, affordable, videosIn(urls) ?? max),
    ...(language === null ? {} : { language }),
    ...(since === null ? {} : { publishedAfter: since }),
    ...(until === null ? {} : { publishedBefore: until }),
  }
}
