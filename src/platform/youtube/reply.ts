/** A received reply, judged before it is parsed: its body, or the obstacle that it means. */
import { hash } from 'node:crypto'
import type { WireReply } from '../egress/connections.ts'
import { type Content, decode } from '../egress/content.ts'
import { readTimedtext } from '../../model/transcripts/timedtext.ts'
import type { CaptionDocument, Segment, TrackKind } from '../../model/transcripts/transcript.ts'
import { type ObstacleName, type Obstructed, obstructed } from './obstacle.ts'
import { textAt } from './json.ts'

export type Body = { kind: 'body'; bytes: Buffer } | Obstructed
/** A body that was received whole and is too long to be read here. */
export type LongBody = { kind: 'long'; content: Content }
export type Answer = { kind: 'json'; value: unknown } | Obstructed
export type Captions =
  { kind: 'segments'; segments: Segment[]; document: CaptionDocument } | Obstructed

const BLOCK_PAGE =
  /automated queries|g-recaptcha|\/sorry\/|unusual traffic|consent\.youtube\.com\/s/i
const SIGN_IN = /accounts\.google\.|consent\./

/** How many characters of a page or an error are looked at. */
const PAGE_CHARS = 65_536
/**
 * The most brackets, braces, colons and commas of a reply, since parsing takes time for each. A list page of 100 videos
 * has 39,000 in 670 KB (recorded 2026-01).
 */
const JSON_MARKS_MAX = 98_304

/** Judges status and page, alike for every call. A web page or a torso through a rotating exit may be a block. */
export function readBody(
  reply: WireReply,
  {
    isRotating,
    isPage: isAsked = false,
    textBytesMax,
  }: { isRotating: boolean; isPage?: boolean; textBytesMax: number },
): Body | LongBody {
  if (reply.kind === 'broken') return brokenBody(reply.failure, isRotating)
  const { status, content, location, retryAfterMs } = reply
  const decoded = decode(content, textBytesMax)
  if (decoded.kind === 'truncated') return brokenBody('truncated', isRotating)
  if (status === 200)
    return decoded.kind === 'bytes'
      ? isAsked
        ? { kind: 'body', bytes: decoded.bytes }
        : readContent(decoded.bytes, isRotating)
      : { kind: 'long', content }
  const text = decoded.kind === 'bytes' ? headOf(decoded.bytes, PAGE_CHARS) : ''
  if (status === 429) return obstructed('rate_limited', { retryAfterMs })
  if (status >= 300 && status < 400) {
    if (location?.includes('/sorry/') === true) return obstructed('block_page', { retryAfterMs })
    return obstructed(location !== null && SIGN_IN.test(location) ? 'forbidden' : 'unreadable')
  }
  if (BLOCK_PAGE.test(text)) return obstructed('block_page', { retryAfterMs })
  if (status === 401 || status === 403) return obstructed('forbidden', { retryAfterMs })
  if (status === 407) return obstructed('unreachable')
  if (status >= 500) return obstructed('server_error', { retryAfterMs })
  return refusedCall(status, text)
}

function brokenBody(name: ObstacleName, isRotating: boolean): Body {
  return obstructed(name === 'truncated' && isRotating ? 'page_instead' : name)
}

/** Judges the content of a 200: what was asked for, or a web page in its place. */
export function readContent(bytes: Buffer, isRotating: boolean): Body {
  if (!isPage(bytes)) return { kind: 'body', bytes }
  if (BLOCK_PAGE.test(headOf(bytes, PAGE_CHARS))) return obstructed('block_page')
  return obstructed(isRotating ? 'page_instead' : 'unreadable')
}

/** Returns the obstacle of a refused call. InnerTube's own errors are JSON: `{ error: { code, message, status } }`. */
function refusedCall(status: number, text: string): Body {
  const error = parsed(text)
  const name = textAt(error, 'error', 'status')
  const said = textAt(error, 'error', 'message')
  if (status === 404) return obstructed('not_found', { said: name })
  if (status === 400 && name === 'FAILED_PRECONDITION') {
    return obstructed('retired', { said })
  }
  return obstructed('bad_request', said === null ? { fact: `HTTP ${status}` } : { said })
}

export function readJson(body: Body | LongBody): Answer {
  if (body.kind === 'obstructed') return body
  if (body.kind === 'long') return obstructed('too_large')
  const text = body.bytes.toString()
  if (marksIn(text) > JSON_MARKS_MAX) return obstructed('too_large')
  const value = parsed(text)
  if (typeof value === 'object' && value !== null) return { kind: 'json', value }
  const isTorso = text.trimStart().startsWith('{')
  return obstructed(isTorso || text === '' ? 'truncated' : 'unreadable')
}

/** Reads the body of captions. An empty one is the sign of a missing token. */
export function readCaptions(bytes: Buffer, trackKind: TrackKind): Captions {
  const reading = readTimedtext(bytes, trackKind)
  if (reading.kind === 'segments') {
    const { kind, segments, format } = reading
    const document = { format, sizeBytes: bytes.length, sha256: hash('sha256', bytes) }
    return { kind, segments, document }
  }
  return obstructed(reading.kind === 'empty' ? 'withheld' : 'unreadable')
}

/** Counts the marks of a text; returns 0 for a short one, which cannot have too many. */
function marksIn(text: string): number {
  if (text.length <= JSON_MARKS_MAX) return 0
  let marks = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === COLON || code === COMMA || code === BRACKET || code === BRACE) marks += 1
  }
  return marks
}

const UTF8_BYTES_MAX = 4
const [COLON, COMMA, BRACKET, BRACE] = [':', ',', '[', '{'].map((mark) => mark.charCodeAt(0))

function isPage(bytes: Buffer): boolean {
  return bytes[0] !== BRACE && /^\s*<(?:!doctype html|html)/i.test(headOf(bytes, 200))
}

/** Returns the first `chars` characters of a text. */
function headOf(bytes: Buffer, chars: number): string {
  return bytes.toString('utf8', 0, chars * UTF8_BYTES_MAX).slice(0, chars)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
