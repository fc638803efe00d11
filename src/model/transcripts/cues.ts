/**
 * Cues, as the caption formats hold them, become the segments of a transcript: clean, in order, each once and as long
 * as the platform shows it.
 */
import { visibleLine } from '../../kit/text/invisible.ts'
import { joinedText } from '../../kit/text/joined-text.ts'
import { composed } from '../../kit/text/outside-text.ts'
import type { Segment, TrackKind } from './transcript.ts'
import { type TimedPiece, wordsOfPieces } from './timed-words.ts'

/** One piece of text as the caption formats hold it. */
export type PublishedCue = {
  startMs: number
  /** Null or zero where the platform gave none. */
  durationMs: number | null
  /** Its lines; a line break alone ends the line above it in a rolling window. */
  text: string
  /** The rolling window that it is written in; null where it is in none. */
  windowId: string | null
  /** The pieces of its text that are timed one by one; absent where none is. */
  pieces?: readonly (TimedPiece | null)[] | undefined
}

/** How long a cue stands that does not say so, at most, in milliseconds. */
const OPEN_CUE_MS_MAX = 5000

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
 * Leaves out what is said once and published again at the same time: all of a track of a video with several sounds
 * (seen in 2026), or the layer for the shadow beside the one for the outline. The longest stays.
 */
function withoutTwins(cues: readonly PublishedCue[]): PublishedCue[] {
  const single: PublishedCue[] = []
  /** The cues of the last start by their words; null while it has one. */
  let together: Map<string, PublishedCue> | null = null
  for (const cue of cues) {
    const last = single.at(-1)
    if (last?.startMs !== cue.startMs) together = null
    else together ??= new Map([[last.text, last]])
    const twin = together?.get(cue.text)
    if (twin === undefined) {
      single.push(cue)
      together?.set(cue.text, cue)
    } else twin.durationMs = longest(twin.durationMs, cue.durationMs)
  }
  return single
}

/**
 * Returns the cues with words. In a rolling window a line break without a duration of its own ends the line above it:
 * sentences of newer automatic captions have a placeholder of three seconds, and stay until then in the platform's own
 * VTT (seen in 2026-08). A line break with a duration lasts as long as the line above it, and says nothing new.
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

function joinEqualStarts(cues: readonly PublishedCue[]): PublishedCue[] {
  const joined: (PublishedCue & { texts: string[] })[] = []
  for (const cue of cues) {
    const last = joined.at(-1)
    if (last === undefined || last.startMs !== cue.startMs)
      joined.push({ ...cue, texts: [cue.text] })
    else {
      last.texts.push(cue.text)
      last.durationMs = longest(last.durationMs, cue.durationMs)
    }
  }
  return joined.map(({ texts, ...cue }) =>
    texts.length === 1 ? cue : { ...cue, text: joinedText(texts), pieces: undefined },
  )
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

function segmentOf({ startMs, text, pieces }: PublishedCue, endMs: number): Segment {
  const segment = { startMs, endMs: Math.max(startMs + 1, endMs), text }
  const words = pieces === undefined ? null : wordsOfPieces(text, pieces, cleanText)
  return words === null ? segment : { ...segment, words }
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

/**
 * Returns one line of plain words: composed (NFC), without markup, hidden marks and runs of blanks; '' where none is.
 */
export function cleanText(text: string): string {
  if (!NEEDS_CLEANING.test(text)) return text
  let clean = text
  if (clean.includes('<')) clean = clean.replace(/<br\s*\/?>/gi, ' ').replace(TAG, withoutMarkup)
  if (clean.includes('&nbsp;')) clean = clean.replaceAll('&nbsp;', ' ')
  // U+0000 and unpaired surrogates are not words, and neither files nor the database can store them.
  return composed(visibleLine(clean.replaceAll('\0', '').toWellFormed()))
}
