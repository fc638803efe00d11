/** A request for a job: the body of POST /jobs, checked and made complete, and what recognises a repeat. */
import { hash } from 'node:crypto'
import { LIMITS } from '../../kit/config/config.ts'
import { Problem } from '../../kit/problem.ts'
import { hasVisible } from '../../kit/text/invisible.ts'
import { canonicalJson } from '../../kit/text/canonical-json.ts'
import { isStorable } from '../../kit/text/outside-text.ts'
import { EARLIER_READINGS } from '../platform/earlier-lines.ts'
import { type LineParts, partsOf, wholeLine } from '../platform/line-parts.ts'
import { readSource, type SourceReading } from '../platform/source.ts'
import { SENTENCES } from '../platform/source-refusals.ts'
import { type Format, FORMATS } from '../transcripts/formats.ts'
import type { OwnedChoice } from './owned-text.ts'
import { type DateBounds, NO_BOUNDS, readDateBounds } from './date-bounds.ts'

// A URL set: the exact lines of a job, compared per account to recognise a repeat: another spelling of the same channel
// is another set. Language, formats, dates and maxVideos are not part of it.

export type UrlSet = {
  /** Trimmed lines and their parts in the order given, each once. */
  urls: string[]
  /** What stands beside addresses and is none. */
  unclear: ReadonlySet<string>
  /** Number of non-blank lines before equal ones were joined: what the limit of 50 counts. */
  lineCount: number
  /** SHA-256 in lower-case hex over the sorted lines: equal exactly for equal sets. */
  hash: string
  /** The other hashes by which releases up to 1.0 knew the same text: what was delivered for it then is delivered. */
  earlierHashes: string[]
}

/** Every line break that a pasted text may hold; none can be part of a line. */
const LINE_BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/

/** Reads `urls` of a request: one string or several, each of one or more lines or a JSON list. The set may be empty. */
export function readUrlSet(urls: string | readonly string[]): UrlSet {
  const lines = linesOf(urls).filter(hasVisible)
  const read = readLines(lines)
  const parts = read.flatMap((line) => line.parts)
  const ownHash = hashOf(parts)
  return {
    urls: [...new Set(parts)],
    unclear: new Set(read.flatMap((line) => line.unclear)),
    lineCount: parts.length,
    hash: ownHash,
    earlierHashes: parts.length > LIMITS.urlsMax ? [] : earlierHashesOf(lines, ownHash),
  }
}

/** Reads lines; those beyond the most parts that a job takes are only counted, since each costs a reading. */
function readLines(lines: readonly string[]): LineParts[] {
  let count = 0
  return lines.map((line) => {
    const read = count > LIMITS.urlsMax ? wholeLine(line) : partsOf(line)
    count += read.parts.length
    return read
  })
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

/** Returns the number of the line where an address was first sent, from 1; blank lines count, as in an editor. */
export function lineNumberOf(urls: string | readonly string[], line: string): number {
  return linesOf(urls).findIndex((each) => partsOf(each).parts.includes(line)) + 1
}

function linesOf(urls: string | readonly string[]): string[] {
  const texts = (typeof urls === 'string' ? [urls] : urls).flatMap(itemsOf)
  return texts.flatMap((text) => text.split(LINE_BREAK)).map((line) => line.trim())
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

// Idempotency keys of callers and of subscriptions stand in one column. A caller's key that begins like ours is kept
// with a word in front of it, so that it is never one that a subscription needs, or made.

/** The key as it is kept, and the hash of the body that was sent with it. */
export type Idempotency = { key: string; bodyHash: string }

const OURS = 'follow:'
const SENT = 'sent:'

/** Returns how a key that a caller sent is kept; two keys are never kept as one. */
export function sentIdempotency(key: string, body: unknown): Idempotency {
  const isAside = key.startsWith(OURS) || key.startsWith(SENT)
  return { key: isAside ? SENT + key : key, bodyHash: hashBody(body) }
}

/** Returns the key of the job that a subscription starts for one of its slots. */
export function followIdempotency(
  { subscriptionId, slot }: { subscriptionId: string; slot: number },
  body: unknown,
): Idempotency {
  return { key: `${OURS}${subscriptionId}:${slot}`, bodyHash: hashBody(body) }
}

/** Returns the subscription whose job has this key, as it is kept; null for every other key. */
export function followerOf(key: string | null): string | null {
  return key?.startsWith(OURS) === true ? (key.split(':')[1] ?? null) : null
}

/** The body as its schema admits it. */
export type JobInput = {
  urls: string | string[]
  language?: string
  formats?: Format[]
  maxVideos?: number
  publishedAfter?: string
  publishedBefore?: string
}

export type JobRequest = {
  urls: string[]
  urlSetHash: string
  /** See UrlSet. */
  earlierSetHashes: string[]
  /** `original` or a caption language code. */
  language: string
  formats: Format[]
  maxVideos: number
  publishedAfter: string | null
  publishedBefore: string | null
  bounds: DateBounds
  /** Whether videos that the account owns by another order are left out. */
  skipsOwned: boolean
  /** What the caller should know about how the lines were read. */
  notices: string[]
}

const QUOTE_CHARS_MAX = 120

/**
 * Reads the body, and what the order wishes of owned videos: bought again where it does not say. Throws a Problem that
 * names the field, or names and quotes the line that is not a source.
 */
export function readJobRequest(input: JobInput, owned: OwnedChoice = 'again'): JobRequest {
  const set = readUrlSet(input.urls)
  if (set.lineCount > LIMITS.urlsMax) {
    refuse(
      'urls',
      `urls has ${set.lineCount} lines, but a job takes at most ${LIMITS.urlsMax}; send the rest in another job.`,
    )
  }
  if (set.urls.length === 0) refuse('urls', 'urls has only blank lines; send at least one URL.')

  const fields = {
    publishedAfter: input.publishedAfter ?? null,
    publishedBefore: input.publishedBefore ?? null,
  }
  const reading = readDateBounds(fields)
  if (reading.kind === 'rejected') refuse(reading.field, reading.sentence)

  return {
    urls: set.urls,
    urlSetHash: set.hash,
    earlierSetHashes: set.earlierHashes,
    language: input.language ?? 'original',
    formats: FORMATS.filter((format) => input.formats?.includes(format) ?? true),
    maxVideos: input.maxVideos ?? LIMITS.videosMax,
    ...fields,
    bounds: reading.bounds,
    skipsOwned: owned === 'skip',
    notices: set.urls.flatMap((line) => noticesOfLine(line, set, input.urls)),
  }
}

/**
 * Returns what to expect where the lines name more videos than the job takes up, or so many that a list behind them may
 * never be read. `maxVideos` is the job's own, after the balance cap.
 */
export function noticesOfLimit(urls: readonly string[], maxVideos: number): string[] {
  const named = new Set<string>()
  let isListBehind = false
  for (const reading of urls.map(readSource)) {
    if (reading.kind !== 'source') continue
    if (reading.source.kind === 'video') named.add(reading.source.videoId)
    else isListBehind ||= named.size >= maxVideos
  }
  const notices: string[] = []
  if (named.size > maxVideos) {
    notices.push(
      `The lines name ${named.size} videos and this job takes at most ${maxVideos}, in the ` +
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

/** Returns the notices of one line. Throws `invalid_url` where it names no video, playlist or channel. */
function noticesOfLine(line: string, set: UrlSet, sent: JobInput['urls']): string[] {
  const reading = readPart(line, set)
  if (reading.kind === 'rejected') {
    const isPart = set.unclear.has(line)
    const number = lineNumberOf(sent, line)
    throw new Problem('invalid_url', {
      field: 'urls',
      message: isPart
        ? `Line ${number} holds ${quote(line)} beside an address; ${reading.sentence}. Send addresses alone, one per line.`
        : `Line ${number} is not a video, playlist or channel URL: ${quote(line)}; ${reading.sentence}.`,
    })
  }
  const { source } = reading
  if (source.kind !== 'video' || source.besidePlaylistId === null) return []
  return [
    `${quote(line)} is a video in a playlist; this job takes only the video. ` +
      `For the whole playlist, send https://www.youtube.com/playlist?list=${source.besidePlaylistId}`,
  ]
}

/**
 * Returns the request of a job that takes videos of a single list, whose line was read when it was sent. It is not read
 * anew: a later release may find more on it.
 */
export function requestOfLine(
  given: Pick<JobRequest, 'urlSetHash' | 'language' | 'formats' | 'maxVideos'> & { line: string },
): JobRequest {
  const { line, ...order } = given
  const noDates = { publishedAfter: null, publishedBefore: null }
  return {
    ...order,
    ...noDates,
    bounds: NO_BOUNDS,
    skipsOwned: false,
    urls: [line],
    earlierSetHashes: [],
    notices: [],
  }
}

/** Reads a line of a set; what stands beside an address is none, though its letters might be those of an id. */
export function readPart(line: string, { unclear }: Pick<UrlSet, 'unclear'>): SourceReading {
  if (!unclear.has(line)) return readSource(line)
  return { kind: 'rejected', reason: 'not_a_link', sentence: SENTENCES.not_a_link }
}

/** Returns the SHA-256 (hex) of a body's canonical JSON, by which an Idempotency-Key knows its body again. */
export function hashBody(body: unknown): string {
  return hash('sha256', canonicalJson(body))
}

function quote(line: string): string {
  const short = line.length > QUOTE_CHARS_MAX ? `${line.slice(0, QUOTE_CHARS_MAX)}…` : line
  return JSON.stringify(short)
}

function refuse(field: keyof JobInput, message: string): never {
  throw new Problem('invalid_request', { field, message })
}
