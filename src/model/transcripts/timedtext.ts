/**
 * Timedtext: the platform's caption formats, read as clean segments. vtt and srt are never read: there the rolling of
 * automatic captions repeats every word two or three times.
 */
import { hasVisible } from '../../kit/text/invisible.ts'
import { type PublishedCue, toSegments } from './cues.ts'
import { lookOf, type PennedRun, pensOf, screenPlace, USUAL } from './look.ts'
import { arePiecesTimed, type TimedPiece } from './timed-words.ts'
import type { CaptionFormat, Segment, TrackKind } from './transcript.ts'

/** An event of json3, the platform's JSON captions: a cue, or the definition of a window, which has an id. */
type Json3Event = {
  id?: unknown
  tStartMs?: unknown
  dDurationMs?: unknown
  wWinId?: unknown
  pPenId?: unknown
  wpWinPosId?: unknown
  wsWinStyleId?: unknown
  segs?: unknown
}

/** Reads the cues; null where the body is no json3. Numbers may come as strings. */
function parseJson3(body: string): PublishedCue[] | null {
  const document = parsed(body)
  if (typeof document !== 'object' || document === null) return null
  // The platform leaves `events` out of a track without words.
  if (!('events' in document)) return 'wireMagic' in document ? [] : null
  if (!Array.isArray(document.events)) return null
  const events = document.events.filter(
    (event: unknown): event is Json3Event => typeof event === 'object' && event !== null,
  )
  const windows: Windows = new Map(
    events.filter(isWindow).map((event) => [String(event.id), placeOfJson3(event)]),
  )
  return events.filter((event) => !isWindow(event)).map((event) => cueOfJson3(event, windows))
}

function isWindow({ id, segs }: Json3Event): boolean {
  return id !== undefined && !Array.isArray(segs)
}

type Json3Piece = TimedPiece & { pPenId?: unknown }

/** The places of rolling windows by their ids. */
type Windows = ReadonlyMap<string, string | null>

function cueOfJson3(event: Json3Event, windows: Windows): PublishedCue {
  let text = ''
  const pieces = Array.isArray(event.segs) ? (event.segs as (Json3Piece | null)[]) : []
  for (const piece of pieces) if (typeof piece?.utf8 === 'string') text += piece.utf8
  const windowId = event.wWinId === undefined ? null : String(event.wWinId)
  const place = placeOfJson3(event) ?? windows.get(windowId ?? '') ?? null
  const pen = String(event.pPenId ?? USUAL)
  const pens = pieces.some((piece) => piece?.pPenId !== undefined)
    ? pensOf(
        pieces.map((piece) => ({
          pen: String(piece?.pPenId ?? pen),
          text: String(piece?.utf8 ?? ''),
        })),
      )
    : pen
  return {
    startMs: Number(event.tStartMs ?? 0),
    durationMs: Number(event.dDurationMs),
    text,
    windowId,
    look: lookOf(place, pens),
    pieces: arePiecesTimed(pieces) ? pieces : undefined,
  }
}

function placeOfJson3({ wpWinPosId, wsWinStyleId }: Json3Event): string | null {
  return screenPlace(wpWinPosId, wsWinStyleId)
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}

// The XML formats of timedtext: srv3 (milliseconds, words in `<s>`) and srv1 (seconds).

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
}
const CODE_POINT_MAX = 0x10ffff

/** Reads the cues; null where it is another document: a web page, a block page, a format that we do not read. */
function readXmlCues(body: string): ReadCues | null {
  const head = body.slice(0, 1000)
  if (/<!doctype html|<html/i.test(head)) return null
  if (/<timedtext[\s>]/.test(head)) return { cues: readSrv3(body), format: 'srv3' }
  return /<transcript[\s/>]/.test(head) ? { cues: readSrv1(body), format: 'srv1' } : null
}

/** Reads srv3, which is escaped once; `<p t d>` in milliseconds, attributes in any order. */
function readSrv3(body: string): PublishedCue[] {
  const names = { start: 't', duration: 'd', window: 'w', unitMs: 1 }
  const windows: Windows = new Map(
    elementsOf(body, 'w').map(({ attributes }) => [
      String(numberIn(attributes, 'id')),
      placeOfSrv3(attributes),
    ]),
  )
  return Array.from(elementsOf(body, 'p'), ({ attributes, inner }) => {
    const lines = inner.replace(/<br\s*\/?>/gi, ' ')
    const words = unescaped(lines.replace(/<\/?s\b[^<>]*>/g, ''))
    const pen = String(numberIn(attributes, 'p') ?? USUAL)
    const read = cueOf(attributes, names, words)
    const place = placeOfSrv3(attributes) ?? windows.get(read.windowId ?? '') ?? null
    read.look = lookOf(place, lines.includes(' p="') ? pensOf(runsOfSrv3(lines, pen)) : pen)
    const pieces = inner.includes('<s') ? piecesOfSrv3(inner) : []
    if (arePiecesTimed(pieces)) read.pieces = pieces
    return read
  })
}

function placeOfSrv3(attributes: string): string | null {
  return screenPlace(numberIn(attributes, 'wp'), numberIn(attributes, 'ws'))
}

/** Returns the text of a cue by its pens, what stands in no `<s p>` in the cue's own. */
function runsOfSrv3(inner: string, own: string): PennedRun[] {
  let pen = own
  return inner.split('<').map((part, at) => {
    const tagEnd = at === 0 ? -1 : part.indexOf('>')
    const tag = part.slice(0, tagEnd + 1)
    if (/^s\b/.test(tag) && !tag.endsWith('/>')) pen = String(numberIn(tag, 'p') ?? own)
    else if (tag === '/s>') pen = own
    return { pen, text: unescaped(part.slice(tagEnd + 1)) }
  })
}

/** Returns the pieces of `<s t ac>`; text outside of them is in none, so that their words do not make the cue's. */
function piecesOfSrv3(inner: string): TimedPiece[] {
  return Array.from(elementsOf(inner, 's'), ({ attributes, inner: text }) => {
    const [offsetMs, confidence] = [numberIn(attributes, 't'), numberIn(attributes, 'ac')]
    return {
      utf8: unescaped(text),
      tOffsetMs: offsetMs ?? undefined,
      acAsrConf: confidence ?? undefined,
    }
  })
}

/** Reads srv1, which is escaped twice (`we&amp;#39;re`); `<text start dur>` in seconds, `dur` may be missing. */
function readSrv1(body: string): PublishedCue[] {
  const names = { start: 'start', duration: 'dur', window: null, unitMs: 1000 }
  return Array.from(elementsOf(body, 'text'), ({ attributes, inner }) =>
    cueOf(attributes, names, unescaped(unescaped(inner))),
  )
}

/** Yields the elements of that name, empty ones too; each character is looked at once, closed or not. */
function* elementsOf(body: string, name: string): Generator<Element> {
  const [opening, closing] = [`<${name}`, `</${name}>`]
  for (let at = body.indexOf(opening); at >= 0; at = body.indexOf(opening, at)) {
    at += opening.length
    if (/\w/.test(body.charAt(at))) continue
    const tagEnd = body.indexOf('>', at)
    if (tagEnd < 0) return
    const attributes = body.slice(at, tagEnd)
    at = tagEnd + 1
    if (attributes.endsWith('/')) {
      yield { attributes, inner: '' }
      continue
    }
    const end = body.indexOf(closing, at)
    if (end < 0) return
    yield { attributes, inner: body.slice(at, end) }
    at = end + closing.length
  }
}

type Element = { attributes: string; inner: string }

function cueOf(
  attributes: string,
  names: { start: string; duration: string; window: string | null; unitMs: number },
  text: string,
): PublishedCue {
  const start = numberIn(attributes, names.start)
  const duration = numberIn(attributes, names.duration)
  const windowId = names.window === null ? null : numberIn(attributes, names.window)
  return {
    startMs: (start ?? 0) * names.unitMs,
    durationMs: duration === null ? null : duration * names.unitMs,
    text,
    windowId: windowId === null ? null : String(windowId),
  }
}

function numberIn(attributes: string, name: string): number | null {
  const opening = `${name}="`
  for (let at = attributes.indexOf(opening); at >= 0; at = attributes.indexOf(opening, at + 1)) {
    if (at > 0 && !/\s/.test(attributes.charAt(at - 1))) continue
    const from = at + opening.length
    const to = attributes.indexOf('"', from)
    const value = to < 0 ? Number.NaN : Number(attributes.slice(from, to))
    return Number.isNaN(value) ? null : value
  }
  return null
}

function unescaped(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-z]{2,4}));/g,
    (all, dec, hex, name) => {
      if (name !== undefined) return ENTITIES[String(name)] ?? all
      const code = dec === undefined ? Number.parseInt(String(hex), 16) : Number(dec)
      return code <= CODE_POINT_MAX ? String.fromCodePoint(code) : all
    },
  )
}

export type TimedtextReading =
  | { kind: 'segments'; segments: Segment[]; format: CaptionFormat }
  /** No body at all, or a track without a word: withheld rather than silent (fact of 2026). */
  | { kind: 'empty' }
  /** A web page, or no caption format that we know. */
  | { kind: 'unreadable' }

export function readTimedtext(body: Buffer, kind: TrackKind): TimedtextReading {
  const read = readCues(body.toString())
  if (read === null) return { kind: 'unreadable' }
  const segments = toSegments(read.cues, kind)
  return segments.length === 0
    ? { kind: 'empty' }
    : { kind: 'segments', segments, format: read.format }
}

type ReadCues = { cues: PublishedCue[]; format: CaptionFormat }

/** Returns the cues: none for a blank body, null for a body that cannot be read. */
function readCues(text: string): ReadCues | null {
  if (!hasVisible(text)) return { cues: [], format: 'json3' }
  if (text.trimStart().startsWith('<')) return readXmlCues(text)
  const cues = parseJson3(text)
  return cues === null ? null : { cues, format: 'json3' }
}
