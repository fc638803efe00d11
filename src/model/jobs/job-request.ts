/** A request for a job: the body of POST /jobs, checked beyond its shape and made complete. */
import { createHash } from 'node:crypto'
import { LIMITS } from '../../kit/config/config.ts'
import { readSource } from '../platform/source.ts'
import { Problem } from '../../kit/problem.ts'
import { type Format, FORMATS } from '../transcripts/formats.ts'
import { type DateBounds, readDateBounds } from './date-bounds.ts'
import { lineNumberOf, readUrlSet } from './url-set.ts'

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
  /** `original` or a caption language code. */
  language: string
  formats: Format[]
  maxVideos: number
  publishedAfter: string | null
  publishedBefore: string | null
  bounds: DateBounds
  /** What the caller should know about how the lines were read. */
  notices: string[]
}

const QUOTE_CHARS_MAX = 120

/** Reads the body. Throws a Problem that names the field, or names and quotes the line that is not a source. */
export function readJobRequest(input: JobInput): JobRequest {
  const set = readUrlSet(input.urls)
  if (set.lineCount > LIMITS.urlsMax) {
    refuse(
      'urls',
      `urls has ${set.lineCount} lines, but a job takes at most ${LIMITS.urlsMax}; send the rest in another job`,
    )
  }
  if (set.urls.length === 0) refuse('urls', 'urls has only blank lines; send at least one URL')

  const fields = {
    publishedAfter: input.publishedAfter ?? null,
    publishedBefore: input.publishedBefore ?? null,
  }
  const reading = readDateBounds(fields)
  if (reading.kind === 'rejected') refuse(reading.field, reading.sentence)

  return {
    urls: set.urls,
    urlSetHash: set.hash,
    language: input.language ?? 'original',
    formats: FORMATS.filter((format) => input.formats?.includes(format) ?? true),
    maxVideos: input.maxVideos ?? LIMITS.videosMax,
    ...fields,
    bounds: reading.bounds,
    notices: set.urls.flatMap((line) => noticesOfLine(line, input.urls)),
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
      `The lines name ${named.size} videos and this job takes up at most ${maxVideos}, in the ` +
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
function noticesOfLine(line: string, sent: JobInput['urls']): string[] {
  const reading = readSource(line)
  if (reading.kind === 'rejected') {
    throw new Problem('invalid_url', {
      field: 'urls',
      message:
        `Line ${lineNumberOf(sent, line)} is not a video, playlist or channel URL: ` +
        `${quote(line)}; ${reading.sentence}.`,
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
 * Returns the SHA-256 (hex) of a body's canonical JSON: keys sorted, white space gone. Two bodies are the same for an
 * Idempotency-Key exactly when this hash is.
 */
export function hashBody(body: unknown): string {
  return createHash('sha256').update(canonicalJson(body)).digest('hex')
}

function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (part === null || typeof part !== 'object' || Array.isArray(part)) return part
    const sorted = Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))
    // A null prototype keeps a key named __proto__ a key.
    return Object.assign(Object.create(null), Object.fromEntries(sorted))
  })
}

function quote(line: string): string {
  const short = line.length > QUOTE_CHARS_MAX ? `${line.slice(0, QUOTE_CHARS_MAX)}…` : line
  return JSON.stringify(short)
}

function refuse(field: keyof JobInput, sentence: string): never {
  throw new Problem('invalid_request', {
    field,
    message: sentence.endsWith('.') ? sentence : `${sentence}.`,
  })
}
