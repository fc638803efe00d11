/**
 * A URL set: the exact lines of a job, compared per account to recognise a repeat.
 *
 * Lines are compared as they were sent, except for blanks at their ends: another spelling of the same
 * channel is another set. Several addresses on one line are compared each by itself. Language, formats,
 * dates and maxVideos are not part of it.
 */
import { createHash } from 'node:crypto'
import { addressesOf } from '../platform/pasted-line.ts'

export type UrlSet = {
  /** Trimmed lines in the order given, each once. */
  urls: string[]
  /** Number of non-blank lines before equal ones were joined: what the limit of 50 counts. */
  lineCount: number
  /** SHA-256 in lower-case hex over the sorted lines: equal exactly for equal sets. */
  hash: string
}

/** Every line break that a pasted text may hold; none can be part of a line. */
const LINE_BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/

/** Reads `urls` of a request: one string or several, each of one or more lines. The set may be empty. */
export function readUrlSet(urls: string | readonly string[]): UrlSet {
  const lines = linesOf(urls)
    .filter((line) => line !== '')
    .flatMap(addressesOf)
  const distinct = [...new Set(lines)]
  return { urls: distinct, lineCount: lines.length, hash: hashOf(distinct) }
}

/** Returns the number of the line where an address was first sent, from 1; blank lines count, as in an editor. */
export function lineNumberOf(urls: string | readonly string[], line: string): number {
  return linesOf(urls).findIndex((each) => addressesOf(each).includes(line)) + 1
}

function linesOf(urls: string | readonly string[]): string[] {
  const texts = typeof urls === 'string' ? [urls] : urls
  return texts.flatMap((text) => text.split(LINE_BREAK)).map((line) => line.trim())
}

/** Returns the hash of the lines, sorted by code units so that every machine and locale agrees. */
function hashOf(lines: readonly string[]): string {
  return createHash('sha256')
    .update([...lines].sort().join('\n'))
    .digest('hex')
}
