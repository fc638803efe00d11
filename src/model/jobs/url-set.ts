/**
 * A URL set: the exact lines of a job, compared per account to recognise a repeat: another spelling of the same channel
 * is another set. Language, formats, dates and maxVideos are not part of it.
 */
import { hash } from 'node:crypto'
import { LIMITS } from '../../kit/config/config.ts'
import { hasVisible } from '../../kit/text/invisible.ts'
import { isStorable } from '../../kit/text/outside-text.ts'
import { EARLIER_READINGS } from '../platform/earlier-lines.ts'
import { partsOf, wholeLine } from '../platform/line-parts.ts'
import { withWhatIsMissing } from '../platform/near-miss.ts'
import { type DocumentKind, type FoundLine, readDocument } from '../platform/pasted-document.ts'
import { readSource, sourceKey, type SourceReading } from '../platform/source.ts'
import { SENTENCES } from '../platform/source-refusals.ts'

export type UrlSet = {
  /** Trimmed lines and their parts in the order given, each once. */
  urls: string[]
  /** What stands beside addresses and is none. */
  unclear: ReadonlySet<string>
  /** The number of the line where each was first sent, from 1; blank lines count, as in an editor. */
  lineOf: ReadonlyMap<string, number>
  /** What kinds of documents were among the texts: of these, addresses alone were taken. */
  documents: ReadonlySet<DocumentKind>
  /** Number of non-blank lines before equal ones were joined: what the limit of an order counts. */
  lineCount: number
  /** SHA-256 in lower-case hex over the sorted lines: equal exactly for equal sets. */
  hash: string
  /** The other hashes by which releases up to 1.0 knew the same text: what was delivered for it then is delivered. */
  earlierHashes: string[]
}

/** Every line break that a pasted text may hold; none can be part of a line. */
const LINE_BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/

/**
 * Reads `urls` of a request: one string or several, each of one or more lines or a document. The set may be empty.
 * Lines beyond `linesMax` are only counted.
 */
export function readUrlSet(
  urls: string | readonly string[],
  linesMax: number = LIMITS.urlsMax,
): UrlSet {
  const texts = typeof urls === 'string' ? [urls] : urls
  const { found, lines, kinds } = readTexts(texts, linesMax)
  const parts = found.flatMap((line) => line.parts)
  const ownHash = hashOf(parts)
  const numbers = found.flatMap((line) => line.parts.map((part) => [part, line.number] as const))
  return {
    urls: [...new Set(parts)],
    unclear: new Set(found.flatMap((line) => line.unclear)),
    lineOf: new Map(numbers.toReversed()),
    documents: kinds,
    lineCount: parts.length,
    hash: ownHash,
    earlierHashes: parts.length > LIMITS.urlsMax ? [] : earlierHashesOf(lines, ownHash),
  }
}

type ReadTexts = { found: FoundLine[]; lines: string[]; kinds: Set<DocumentKind> }

/** Reads texts one after another; lines are counted over all of them. `lines` are those that hold anything, as sent. */
function readTexts(texts: readonly string[], linesMax: number): ReadTexts {
  const read: ReadTexts = { found: [], lines: [], kinds: new Set() }
  let count = 0
  let before = 0
  for (const text of texts) {
    const lines = linesOf(text)
    const listed = readLines(lines, { count, linesMax })
    const isList = listed.every(
      ({ parts, unclear }) => unclear.length === 0 && parts.every(isSource),
    )
    const document = isList ? null : readDocument(text)
    if (document !== null) read.kinds.add(document.kind)
    for (const line of document?.lines ?? listed)
      read.found.push({ ...line, number: before + line.number })
    count = read.found.reduce((sum, { parts }) => sum + parts.length, 0)
    before += lines.length
    read.lines.push(...lines.filter(hasVisible))
  }
  return read
}

/** Reads lines; those beyond the most parts that an order takes are only counted, since each costs a reading. */
function readLines(
  lines: readonly string[],
  before: { count: number; linesMax: number },
): FoundLine[] {
  let { count } = before
  return lines.flatMap((line, at) => {
    if (!hasVisible(line)) return []
    const read = count > before.linesMax ? wholeLine(line) : partsOf(line)
    count += read.parts.length
    return [{ number: at + 1, ...read }]
  })
}

function isSource(line: string): boolean {
  return readSource(line).kind === 'source'
}

/** Returns the other hashes of what earlier releases read, where they accepted all of it. */
function earlierHashesOf(lines: readonly string[], ownHash: string): string[] {
  const readings = EARLIER_READINGS.map((read) => lines.flatMap(read)).filter(
    (words) => hashOf(words) !== ownHash,
  )
  const accepted = readings.filter((words) =>
    words.every((word) => readSource(word).kind === 'source'),
  )
  return [...new Set(accepted.map(hashOf))]
}

function hashOf(lines: readonly string[]): string {
  // Sorted by code units, so that every machine and locale agrees.
  return hash('sha256', [...new Set(lines)].toSorted().join('\n'))
}

function linesOf(text: string): string[] {
  return itemsOf(text)
    .flatMap((item) => item.split(LINE_BREAK))
    .map((line) => line.trim())
}

/**
 * Returns the strings of a JSON list, as language models send it in place of a list; any other text is one string, and
 * so is a list with what nothing can store, which the check of the body did not see.
 */
function itemsOf(text: string): readonly string[] {
  if (!/^\s*\[\s*["\]]/.test(text)) return [text]
  try {
    const items: unknown = JSON.parse(text)
    return isTexts(items) ? items : [text]
  } catch {
    return [text]
  }
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string' && isStorable(item))
}

/** Reads a line of a set; what stands beside an address is none, though its letters might be those of an id. */
export function readPart(line: string, { unclear }: Pick<UrlSet, 'unclear'>): SourceReading {
  if (unclear.has(line))
    return { kind: 'rejected', reason: 'not_a_link', sentence: SENTENCES.not_a_link }
  const reading = readSource(line)
  return reading.kind === 'source' ? reading : withWhatIsMissing(reading, line)
}

/** Returns how many lines name what an earlier one names, in the same spelling or another. */
export function repeatsIn({ urls, lineCount }: UrlSet): number {
  const named = urls.map((line) => {
    const reading = readSource(line)
    return reading.kind === 'source' ? sourceKey(reading.source) : line
  })
  return lineCount - new Set(named).size
}
