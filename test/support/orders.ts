/** An order for tests of what does not read it, and texts of lines. */
import { NO_DATES } from '../../src/model/jobs/date-bounds.ts'
import type { OrderLine, Order } from '../../src/model/jobs/order.ts'
import { readingUrlSet, type UrlSet } from '../../src/model/jobs/url-set.ts'
import { atOnce } from '../../src/model/transcripts/steps.ts'

export const PLAIN_ORDER: Order = {
  ...NO_DATES,
  lines: [],
  urlSetHash: 'set',
  earlierSetHashes: [],
  language: 'en',
  wishedTrack: null,
  formats: [],
  maxVideos: 1,
  skipsOwned: false,
  notices: [],
}

export const lineTexts = (lines: readonly Pick<OrderLine, 'text'>[]): string[] =>
  lines.map(({ text }) => text)

/** Reads a URL set at once. */
export const readUrlSet = (urls: string | string[], linesMax?: number): UrlSet =>
  atOnce(readingUrlSet(urls, linesMax))

/** Returns the lines of a URL set. */
export const setTexts = (urls: string | string[]): string[] => lineTexts(readUrlSet(urls).lines)

/** Returns the number of the line where a part was first sent. */
export const numberIn = (urls: string | string[], part: string): number | undefined =>
  readUrlSet(urls).lines.find(({ text }) => text === part)?.number
