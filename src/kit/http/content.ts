/**
 * Downloads: what HTTP says about them (RFC 9110: entity tags, ranges, encodings, names), and how many an account may
 * have under way.
 */
import { setTimeout } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { openCounts } from '../counts.ts'
import { type ByteRange, CHUNK_BYTES } from '../file-body.ts'
import { Problem } from '../problem.ts'

export const ENCODINGS = ['identity', 'gzip', 'zstd'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** Returns a strong entity tag; each encoding of a content has its own. */
export function etagOf(sha256: string, encoding: Encoding): string {
  return encoding === 'identity' ? `"${sha256}"` : `"${sha256}-${encoding}"`
}

/** Whether an `If-None-Match` names the tag: `*` or a list, compared weakly as the RFC asks. */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header.trim() === '*') return true
  const tags = header.match(/(W\/)?"[^"]*"/g) ?? []
  return tags.some((tag) => tag.replace(/^W\//, '') === etag)
}

/** Reading of a `Range`: everything, some bytes, or nothing that exists (416). */
type RangeReading =
  { kind: 'whole' } | { kind: 'part'; range: ByteRange } | { kind: 'unsatisfiable' }

const ONE_RANGE = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i

/**
 * Reads a `Range` for a content of `sizeBytes`. Several ranges, other units and what is malformed
 * mean everything, as does an `If-Range` that is not exactly `etag` (a date never is).
 */
export function readRange(
  { range, ifRange }: { range: string | undefined; ifRange: string | undefined },
  { sizeBytes, etag }: { sizeBytes: number; etag: string },
): RangeReading {
  const [, first = '', last = ''] = ONE_RANGE.exec(range ?? '') ?? []
  if (first === '' && last === '') return { kind: 'whole' }
  if (ifRange !== undefined && ifRange !== etag) return { kind: 'whole' }
  if (first === '') return part(sizeBytes - Math.min(Number(last), sizeBytes), sizeBytes - 1)
  if (last !== '' && Number(last) < Number(first)) return { kind: 'whole' }
  return part(Number(first), Math.min(last === '' ? Infinity : Number(last), sizeBytes - 1))
}

function part(firstByte: number, lastByte: number): RangeReading {
  return firstByte <= lastByte
    ? { kind: 'part', range: { firstByte, lastByte } }
    : { kind: 'unsatisfiable' }
}

/** Returns `attachment` with the name for every client: in plain ASCII, and in full (RFC 6266, RFC 8187). */
export function contentDisposition(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const full = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${ascii}"; filename*=UTF-8''${full}`
}

/** Whole-job files that one process may be sending to an account at once: each asks the database again and again. */
const DOWNLOADS_AT_ONCE_MAX = 10
const DOWNLOAD_RETRY_SECONDS = 5
/**
 * Answers that hold no more are not counted; that is all but very long texts: two chunks, one on its way and one as the
 * client takes it.
 */
const SMALL_HELD_BYTES = 4 * CHUNK_BYTES
/** Bytes that the other answers of a process may hold together, and those of one account; it may always have one. */
const HELD_BYTES_MAX = 256 * 1024 * 1024
const HELD_BYTES_PER_ACCOUNT_MAX = HELD_BYTES_MAX / 4

export type Downloads = {
  /** Counts the answer until it is sent or aborted. Throws `rate_limited` where too many are under way. */
  begin(accountId: string, reply: FastifyReply): void
  /**
   * Counts bytes that an answer holds in memory; returns what gives them back. Throws `rate_limited` where the
   * account's other answers hold too many, `server_busy` where those of all do.
   */
  hold(accountId: string, bytes: number): () => void
  /** Counts them once there is room. */
  holdLater(accountId: string, bytes: number): Promise<() => void>
}

/** Counts the downloads of this process, whose memory and database connections they hold. */
export function openDownloads(): Downloads {
  const underWay = openCounts()
  const held = openCounts()
  const downloads: Downloads = {
    begin(accountId, { raw }) {
      if (underWay.of(accountId) >= DOWNLOADS_AT_ONCE_MAX) {
        throw refusal(
          'rate_limited',
          `Your account has ${DOWNLOADS_AT_ONCE_MAX} downloads in progress; try again when one has finished.`,
        )
      }
      if (raw.closed) return // the client left already
      underWay.add(accountId, 1)
      raw.once('close', () => underWay.add(accountId, -1))
    },
    hold(accountId, bytes) {
      if (bytes <= SMALL_HELD_BYTES) return () => undefined
      const own = held.of(accountId)
      if (own > 0 && own + bytes > HELD_BYTES_PER_ACCOUNT_MAX) {
        throw refusal(
          'rate_limited',
          'Your account is downloading other very long texts; try again when one has arrived.',
        )
      }
      const all = held.of(ALL_ACCOUNTS)
      if (all > 0 && all + bytes > HELD_BYTES_MAX) {
        throw refusal(
          'server_busy',
          'The server is sending as many very long texts as it has memory for; try again in a few seconds.',
        )
      }
      const add = (by: number): void =>
        [accountId, ALL_ACCOUNTS].forEach((name) => held.add(name, by))
      add(bytes)
      return once(() => add(-bytes))
    },
    async holdLater(accountId, bytes) {
      for (;;) {
        try {
          return downloads.hold(accountId, bytes)
        } catch (error) {
          if (!(error instanceof Problem)) throw error
          await setTimeout(ROOM_AGAIN_MS)
        }
      }
    },
  }
  return downloads
}

/** The interval at which it is asked again whether there is room. */
const ROOM_AGAIN_MS = 500

/** The name under which the bytes of all accounts are counted; no account has this id. */
const ALL_ACCOUNTS = 'all'

function refusal(code: 'rate_limited' | 'server_busy', message: string): Problem {
  return new Problem(code, { message, headers: { 'Retry-After': String(DOWNLOAD_RETRY_SECONDS) } })
}

function once(act: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) act()
    isDone = true
  }
}
