/**
 * Cues, as the caption formats hold them, become the segments of a transcript: clean, in order, each once and as long
 * as the platform shows it.
 */
import { visibleLine } from '../../kit/text/invisible.ts'
import { joinedText } from '../../kit/text/joined-text.ts'
import { composed } from '../../kit/text/outside-text.ts'
import type { Segment, TrackKind } from './transcript.ts'
import { type TimedPiece, wordsOfPieces } from './timed-words.ts'
import { lengthen, type ShownLine, saidOnce, withoutTwins } from './twins.ts'

/** An event of a track as the caption formats hold it: a piece of text, or none, which ends what is above it. */
export type PublishedCue = {
  startMs: number
  /** How long the platform says that it lasts; null, zero, less or no number where it does not. */
  durationMs: number | null
  text: string
  /** The rolling window that it is written in; null where it is in none. */
  windowId: string | null
  /** The pens and the place in which it is written; absent in formats that have none. */
  look?: string
  /** The pieces of its text that are timed one by one; absent where none is. */
  pieces?: readonly (TimedPiece | null)[] | undefined
}

/** How long a cue stands that does not say so, at most, in milliseconds. */
const OPEN_CUE_MS_MAX = 5000

/**
 * Returns segments sorted by start, in whole milliseconds, each with a word and at least one millisecond long.
 * Automatic captions roll: a line stays while the next one is spoken, so their ends are cut at the next start.
 */
export function toSegments(cues: readonly PublishedCue[], kind: TrackKind): Segment[] {
  const events = eventsOf(cues)
  clearLines(events, kind)
  const lines = linesOf(events, kind)
  const single = kind === 'asr' ? joinEqualStarts(saidOnce(lines)) : withoutTwins(lines)
  return single.map(({ startMs, endMs, text, words }) =>
    words === null ? { startMs, endMs, text } : { startMs, endMs, text, words },
  )
}

/** An event with its clean text, '' where nothing is seen of it, and null where it has no duration of its own. */
type Event = { startMs: number; durationMs: number | null; text: string; cue: PublishedCue }

function eventsOf(cues: readonly PublishedCue[]): Event[] {
  const events: Event[] = []
  for (const cue of cues) {
    if (!Number.isFinite(cue.startMs)) continue
    const [startMs, durationMs] = [Math.round(cue.startMs), Math.round(cue.durationMs ?? 0)]
    events.push({
      startMs: Math.max(0, startMs),
      durationMs: Number.isSafeInteger(durationMs) && durationMs > 0 ? durationMs : null,
      text: cleanText(cue.text),
      cue,
    })
  }
  return events.sort((a, b) => a.startMs - b.startMs)
}

/**
 * Lengthens each line of a rolling window, as far as it says too little, to the event without words and without a
 * duration of its own that comes below it: sentences of newer automatic captions have a placeholder of three seconds,
 * and stay until then in the platform's own VTT (seen in 2026-08). An event without words that has a duration lasts as
 * long as the line above it, and says nothing new.
 */
function clearLines(events: readonly Event[], kind: TrackKind): void {
  const open = new Map<string | null, Event>()
  for (const event of events) {
    const { startMs, text, durationMs, cue } = event
    if (text !== '') open.set(cue.windowId, event)
    else if (durationMs === null && (cue.windowId !== null || kind === 'asr')) {
      const above = open.get(cue.windowId)
      if (above?.startMs === startMs) continue // a break of the line itself
      open.delete(cue.windowId)
      if (above !== undefined && (kind === 'asr' || above.durationMs !== null))
        above.durationMs = Math.max(above.durationMs ?? 0, startMs - above.startMs)
    }
  }
}

/**
 * Returns the events with words, each with its end. Those without a duration last to the next later event: of the
 * creator's track to any, of automatic captions to a line.
 */
function linesOf(events: readonly Event[], kind: TrackKind): ShownLine[] {
  const lines: ShownLine[] = []
  let [currentMs, nextMs] = [Infinity, Infinity]
  for (const { startMs, durationMs, text, cue } of events.toReversed()) {
    if (text === '' && kind === 'asr') continue
    if (startMs !== currentMs) [currentMs, nextMs] = [startMs, currentMs]
    if (text === '') continue
    const isOpen = durationMs === null
    const endMs = startMs + (durationMs ?? OPEN_CUE_MS_MAX)
    lines.push({
      startMs,
      endMs: Math.max(startMs + 1, kind === 'asr' || isOpen ? Math.min(endMs, nextMs) : endMs),
      isOpen,
      text,
      words: cue.pieces === undefined ? null : wordsOfPieces(text, cue.pieces, cleanText),
      look: cue.look ?? '',
    })
  }
  return lines.reverse()
}

function joinEqualStarts(lines: readonly ShownLine[]): ShownLine[] {
  const joined: { line: ShownLine; texts: string[] }[] = []
  for (const line of lines) {
    const last = joined.at(-1)
    if (last === undefined || last.line.startMs !== line.startMs)
      joined.push({ line, texts: [line.text] })
    else {
      last.texts.push(line.text)
      lengthen(last.line, line)
    }
  }
  return joined.map(({ line, texts }) =>
    texts.length === 1 ? line : { ...line, text: joinedText(texts), words: null },
  )
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
