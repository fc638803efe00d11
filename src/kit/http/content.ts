/** Downloads as HTTP has them (RFC 9110): entity tags, ranges, encodings, names. */
import type { ByteRange } from '../file-body.ts'

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
