/** A request for a job: the body of POST /jobs, checked and made complete. */
import { LIMITS } from '../../kit/config/config.ts'
import { Problem } from '../../kit/problem.ts'
import { suggestionFor } from '../platform/near-miss.ts'
import type { DocumentKind } from '../platform/pasted-document.ts'
import { readSource } from '../platform/source.ts'
import { type Format, FORMATS } from '../files/catalogue.ts'
import type { OwnedChoice } from './owned-text.ts'
import { type DateBounds, NO_BOUNDS, readDateBounds } from './date-bounds.ts'
import { readPart, readUrlSet, repeatsIn, type UrlSet } from './url-set.ts'

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
  const wayOut = `but a job takes at most ${LIMITS.urlsMax}; send the rest in another job, or order all of them as a batch`
  return readRequest(input, { owned, linesMax: LIMITS.urlsMax, wayOut })
}

/** Reads the body of a batch, as that of a job; see there. */
export function readBatchRequest(input: JobInput, owned: OwnedChoice): JobRequest {
  const linesMax = LIMITS.batchLinesMax
  const wayOut = `but a batch takes at most ${linesMax}; send the rest in another batch`
  return readRequest(input, { owned, linesMax, wayOut })
}

type Reading = { owned: OwnedChoice; linesMax: number; wayOut: string }

function readRequest(input: JobInput, { owned, linesMax, wayOut }: Reading): JobRequest {
  const set = readUrlSet(input.urls, linesMax)
  if (set.lineCount > linesMax) {
    const what = set.documents.size === 0 ? 'lines' : 'addresses'
    refuse('urls', `urls has ${set.lineCount} ${what}, ${wayOut}.`)
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
    notices: [
      ...set.urls.flatMap((line) => noticesOfLine(line, set)),
      ...[...set.documents].map(noticeOfDocument),
      ...noticesOfRepeats(set),
    ],
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
function noticesOfLine(line: string, set: UrlSet): string[] {
  const reading = readPart(line, set)
  if (reading.kind === 'rejected') {
    const isPart = set.unclear.has(line)
    const number = set.lineOf.get(line)
    const meant = isPart ? null : suggestionFor(line)
    const question = meant === null ? '' : ` Did you mean ${meant}?`
    throw new Problem('invalid_url', {
      field: 'urls',
      message: isPart
        ? `Line ${number} holds ${quote(line)} beside an address; ${reading.sentence}. Send addresses alone, one per line.`
        : `Line ${number} is not a video, playlist or channel URL: ${quote(line)}; ${reading.sentence}.${question}`,
    })
  }
  const { source } = reading
  if (source.kind !== 'video' || source.besidePlaylistId === null) return []
  return [
    `${quote(line)} is a video in a playlist; this job takes only the video. ` +
      `For the whole playlist, send https://www.youtube.com/playlist?list=${source.besidePlaylistId}`,
  ]
}

function noticeOfDocument(kind: DocumentKind): string {
  const name = kind === 'table' || kind === 'log' ? `a ${kind}` : kind
  return `The text was read as ${name}: the addresses and ids in it were taken, and nothing else.`
}

function noticesOfRepeats(set: UrlSet): string[] {
  const count = repeatsIn(set)
  if (count === 0) return []
  const what = count === 1 ? 'One line names' : `${count} lines name`
  return [`${what} the same as an earlier line; each video is taken once.`]
}

/**
 * Returns the request of a job that takes videos of a single list, whose line was read when it was sent. It is not read
 * anew: a later release may find more on it.
 */
export function requestOfLine(
  given: Pick<JobRequest, 'urlSetHash' | 'language' | 'formats' | 'maxVideos' | 'skipsOwned'> & {
    line: string
  },
): JobRequest {
  const { line, ...order } = given
  const noDates = { publishedAfter: null, publishedBefore: null }
  return {
    ...order,
    ...noDates,
    bounds: NO_BOUNDS,
    urls: [line],
    earlierSetHashes: [],
    notices: [],
  }
}

function quote(line: string): string {
  const short = line.length > QUOTE_CHARS_MAX ? `${line.slice(0, QUOTE_CHARS_MAX)}…` : line
  return JSON.stringify(short)
}

function refuse(field: keyof JobInput, message: string): never {
  throw new Problem('invalid_request', { field, message })
}
