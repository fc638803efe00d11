/**
 * Timedtext: the platform's caption formats (json3, srv3, srv1), read as clean segments.
 *
 * Automatic captions roll: each line stays on screen while the next one is spoken, so their ends
 * are cut at the next start. The creator's own keep their times, overlap included. vtt and srt are
 * never read: there the rolling repeats every word two or three times.
 */
import { composed } from '../../kit/text/outside-text.ts'
import type { PublishedCue, Segment, TrackKind } from './transcript.ts'
import { parseJson3 } from './timedtext-json3.ts'
import { isMarkup, readXmlCues } from './timedtext-xml.ts'

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
  if (text.trim() === '') return []
  return isMarkup(text) ? readXmlCues(text) : parseJson3(text)
}

/** Returns segments sorted by start, in whole milliseconds, each with a word and at least one millisecond long. */
export function toSegments(cues: readonly PublishedCue[], kind: TrackKind): Segment[] {
  const timed: PublishedCue[] = []
  for (const { startMs, durationMs, text } of cues) {
    const clean = cleanText(text)
    if (clean === '' || !Number.isFinite(startMs)) continue
    timed.push({ startMs: Math.max(0, Math.round(startMs)), durationMs, text: clean })
  }
  timed.sort((a, b) => a.startMs - b.startMs)
  return kind === 'asr' ? cutAtNext(joinEqualStarts(timed)) : keepTimes(timed)
}

function joinEqualStarts(cues: PublishedCue[]): PublishedCue[] {
  const joined: PublishedCue[] = []
  for (const cue of cues) {
    const last = joined.at(-1)
    if (last === undefined || last.startMs !== cue.startMs) joined.push({ ...cue })
    else {
      last.text = `${last.text} ${cue.text}`
      last.durationMs = Math.max(last.durationMs ?? 0, cue.durationMs ?? 0)
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
const INVISIBLE = /[\u200B\uFEFF]/g
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

/** Returns one line of plain words: composed (NFC), without markup, hidden marks and runs of blanks. */
export function cleanText(text: string): string {
  if (!NEEDS_CLEANING.test(text)) return text
  let clean = text
  if (clean.includes('<')) clean = clean.replace(/<br\s*\/?>/gi, ' ').replace(TAG, withoutMarkup)
  if (clean.includes('&nbsp;')) clean = clean.replaceAll('&nbsp;', ' ')
  // U+0000 and unpaired surrogates are not words, and neither files nor the database can store them.
  clean = clean.replaceAll('\0', '').toWellFormed().replace(INVISIBLE, '')
  return composed(clean).replace(/\s+/g, ' ').trim()
}
