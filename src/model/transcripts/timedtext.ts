/**
 * Timedtext: the platform's caption formats, read as clean segments. vtt and srt are never read: there the rolling of
 * automatic captions repeats every word two or three times.
 */
import { hasVisible, visibleLine } from '../../kit/text/invisible.ts'
import { joinedText } from '../../kit/text/joined-text.ts'
import { composed } from '../../kit/text/outside-text.ts'
import type { PublishedCue, Segment, TrackKind } from './transcript.ts'

/** An event of json3, the platform's JSON captions. */
type Json3Event = {
  tStartMs?: unknown
  dDurationMs?: unknown
  wWinId?: unknown
  segs?: unknown
}

/** Reads the cues; null where the body is no json3. Numbers may come as strings; window events have no `segs`. */
function parseJson3(body: string): PublishedCue[] | null {
  const document = parsed(body)
  if (typeof document !== 'object' || document === null) return null
  // The platform leaves `events` out of a track without words.
  if (!('events' in document)) return 'wireMagic' in document ? [] : null
  if (!Array.isArray(document.events)) return null
  const cues: PublishedCue[] = []
  for (const event of document.events as (Json3Event | null)[]) {
    if (event === null || !Array.isArray(event.segs)) continue
    let text = ''
    for (const piece of event.segs as ({ utf8?: unknown } | null)[]) {
      if (typeof piece?.utf8 === 'string') text += piece.utf8
    }
    const durationMs = event.dDurationMs === undefined ? null : Number(event.dDurationMs)
    const windowId = event.wWinId === undefined ? null : String(event.wWinId)
    cues.push({ startMs: Number(event.tStartMs ?? 0), durationMs, text, windowId })
  }
  return cues
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
function readXmlCues(body: string): PublishedCue[] | null {
  const head = body.slice(0, 1000)
  if (/<!doctype html|<html/i.test(head)) return null
  if (/<timedtext[\s>]/.test(head)) return readSrv3(body)
  return /<transcript[\s/>]/.test(head) ? readSrv1(body) : null
}

/** Reads srv3, which is escaped once; `<p t d>` in milliseconds, attributes in any order. */
function readSrv3(body: string): PublishedCue[] {
  const names = { start: 't', duration: 'd', window: 'w', unitMs: 1 }
  return Array.from(elementsOf(body, 'p'), ({ attributes, inner }) => {
    const words = inner.replace(/<br\s*\/?>/gi, ' ').replace(/<\/?s\b[^<>]*>/g, '')
    return cueOf(attributes, names, unescaped(words))
  })
}

/** Reads srv1, which is escaped twice (`we&amp;#39;re`); `<text start dur>` in seconds, `dur` may be missing. */
function readSrv1(body: string): PublishedCue[] {
  const names = { start: 'start', duration: 'dur', window: null, unitMs: 1000 }
  return Array.from(elementsOf(body, 'text'), ({ attributes, inner }) =>
    cueOf(attributes, names, unescaped(unescaped(inner))),
  )
}

/** Yields the elements of that name that are not empty; each character is looked at once, closed or not. */
function* elementsOf(body: string, name: string): Iterable<{ attributes: string; inner: string }> {
  const [opening, closing] = [`<${name}`, `</${name}>`]
  for (let at = body.indexOf(opening); at >= 0; at = body.indexOf(opening, at)) {
    at += opening.length
    if (/\w/.test(body.charAt(at))) continue
    const tagEnd = body.indexOf('>', at)
    if (tagEnd < 0) return
    const attributes = body.slice(at, tagEnd)
    at = tagEnd + 1
    if (attributes.endsWith('/')) continue
    const end = body.indexOf(closing, at)
    if (end < 0) return
    yield { attributes, inner: body.slice(at, end) }
    at = end + closing.length
  }
}

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
  | { kind: 'segments'; segments: Segment[] }
  /** No body at all, or a track without a word: withheld rather than silent (fact of 2026). */
  | { kind: 'empty' }
  /** A web page, or no caption format that we know. */
  | { kind: 'unreadable' }

/** How long a cue stands that does not say so, at most, in milliseconds. */
const OPEN_CUE_MS_MAX = 5000

export function readTimedtext(body: Buffer, kind: TrackKind): TimedtextReading {
  const cues = parseCues(body.toString())
  if (cues === null) return { kind: 'unreadable' }
  const segments = toSegments(cues, kind)
  return segments.length === 0 ? { kind: 'empty' } : { kind: 'segments', segments }
}

/** Returns the cues: none for a blank body, null for a body that cannot be read. */
function parseCues(text: string): PublishedCue[] | null {
  if (!hasVisible(text)) return []
  return text.trimStart().startsWith('<') ? readXmlCues(text) : parseJson3(text)
}

/** A cue of a line break alone, among cues with words. */
const LINE_BREAK = '\n'

/**
 * Returns segments sorted by start, in whole milliseconds, each with a word and at least one millisecond long.
 * Automatic captions roll: a line stays while the next one is spoken, so their ends are cut at the next start.
 */
export function toSegments(cues: readonly PublishedCue[], kind: TrackKind): Segment[] {
  const timed: PublishedCue[] = []
  for (const cue of cues) {
    if (!Number.isFinite(cue.startMs)) continue
    const startMs = Math.max(0, Math.round(cue.startMs))
    const text = cleanText(cue.text) || (cue.text.includes(LINE_BREAK) ? LINE_BREAK : '')
    if (text !== '') timed.push({ ...cue, startMs, text })
  }
  timed.sort((a, b) => a.startMs - b.startMs)
  const lines = endedLines(withoutTwins(timed), kind)
  return kind === 'asr' ? cutAtNext(joinEqualStarts(lines)) : keepTimes(lines)
}

/**
 * Leaves out what is said once and published again at the same time: all of a track of a video with several sounds (seen
 * in 2026), or the layer for the shadow beside the one for the outline. The longest stays.
 */
function withoutTwins(cues: readonly PublishedCue[]): PublishedCue[] {
  const single: PublishedCue[] = []
  let together = new Map<string, PublishedCue>()
  for (const cue of cues) {
    if (single.at(-1)?.startMs !== cue.startMs) together = new Map()
    const twin = together.get(cue.text)
    if (twin === undefined) {
      const one = { ...cue }
      together.set(cue.text, one)
      single.push(one)
    } else twin.durationMs = longest(twin.durationMs, cue.durationMs)
  }
  return single
}

/**
 * Returns the cues with words. In a rolling window the line break below a line that has no duration of its own ends it: sentences of newer automatic captions have a placeholder of three seconds, and stay until then in the platform's
 * own VTT (seen in 2026-08). One with a duration lasts as long as the line above it.
 */
function endedLines(cues: readonly PublishedCue[], kind: TrackKind): PublishedCue[] {
  const lines: PublishedCue[] = []
  const open = new Map<string | null, PublishedCue>()
  for (const cue of cues) {
    const { startMs, durationMs, text, windowId } = cue
    if (text !== LINE_BREAK) {
      lines.push(cue)
      open.set(windowId, cue)
      continue
    }
    const above = open.get(windowId)
    open.delete(windowId)
    const isEnd = durationMs === null && (windowId !== null || kind === 'asr')
    if (isEnd && above !== undefined)
      above.durationMs = longest(above.durationMs, startMs - above.startMs)
  }
  return lines
}

function longest(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other)
}

function joinEqualStarts(cues: PublishedCue[]): PublishedCue[] {
  const joined: PublishedCue[] = []
  for (const cue of cues) {
    const last = joined.at(-1)
    if (last === undefined || last.startMs !== cue.startMs) joined.push({ ...cue })
    else {
      last.text = joinedText([last.text, cue.text])
      last.durationMs = longest(last.durationMs, cue.durationMs)
    }
  }
  return joined
}

function cutAtNext(cues: PublishedCue[]): Segment[] {
  return cues.map((cue, index) => {
    const next = cues[index + 1]?.startMs ?? Infinity
    return segmentOf(cue, Math.min(cue.startMs + lengthOf(cue, next), next))
  })
}

function keepTimes(cues: PublishedCue[]): Segment[] {
  const segments: Segment[] = []
  let next = Infinity
  for (let at = cues.length - 1; at >= 0; at -= 1) {
    const cue = cues[at]
    if (cue === undefined) continue
    const later = cues[at + 1]
    if (later !== undefined && later.startMs > cue.startMs) next = later.startMs
    segments.push(segmentOf(cue, cue.startMs + lengthOf(cue, next)))
  }
  return segments.reverse()
}

function lengthOf({ startMs, durationMs }: PublishedCue, nextMs: number): number {
  if (durationMs !== null && durationMs > 0) return Math.round(durationMs)
  return Math.min(nextMs - startMs, OPEN_CUE_MS_MAX)
}

function segmentOf({ startMs, text }: PublishedCue, endMs: number): Segment {
  return { startMs, endMs: Math.max(startMs + 1, endMs), text }
}

const NEEDS_CLEANING = /[^!-~ ]| {2}|^ | $|[<&]/
const TAG = /<[^<>]*>/g
/** Known caption markup, and nothing else: `1 < 2` and `<3` are the speaker's. */
const MARKUP = [
  /^<\/?(?:i|b|u|s|em|strong|font|span|c|v|ruby|rt|rp|rb|rtc|lang|p)\s*\/?>$/i,
  /^<(?:i|b|u|s|font|span|p|ruby|rt)(?:\s+[\w-]+\s*=\s*(?:"[^"]*"|'[^']*'|[^\s<>"']+))+\s*\/?>$/i,
  /^<c(?:\.[\w#-]+)+>$/i,
  /^<(?:v|lang)(?:\.[\w-]+)*\s[^<>]*>$/i,
  /^<\d{1,2}(?::\d{2}){1,2}\.\d{3}>$/,
]

function withoutMarkup(tag: string): string {
  return MARKUP.some((form) => form.test(tag)) ? '' : tag
}

/** Returns one line of plain words: composed (NFC), without markup, hidden marks and runs of blanks; '' where none is. */
export function cleanText(text: string): string {
  if (!NEEDS_CLEANING.test(text)) return text
  let clean = text
  if (clean.includes('<')) clean = clean.replace(/<br\s*\/?>/gi, ' ').replace(TAG, withoutMarkup)
  if (clean.includes('&nbsp;')) clean = clean.replaceAll('&nbsp;', ' ')
  // U+0000 and unpaired surrogates are not words, and neither files nor the database can store them.
  return composed(visibleLine(clean.replaceAll('\0', '').toWellFormed()))
}
