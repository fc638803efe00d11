/**
 * json3: the platform's JSON captions: events with a start, a duration and pieces of text.
 *
 * Long captions are 100,000 objects as JSON and a few hundred lines as text, so the usual layout is
 * scanned instead of parsed; whatever the scan is not sure of is parsed as a whole.
 */
import type { PublishedCue } from './published-cue.ts'

/** Null where the body is no json3. Numbers may come as strings; window events have no `segs`. */
export function readJson3Cues(body: string): PublishedCue[] | null {
  return scanJson3(body) ?? parseJson3(body)
}

type Json3Event = { tStartMs?: unknown; dDurationMs?: unknown; segs?: unknown }

export function parseJson3(body: string): PublishedCue[] | null {
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
    if (text === '\n' || text === '') continue
    const durationMs = event.dDurationMs === undefined ? null : Number(event.dDurationMs)
    cues.push({ startMs: Number(event.tStartMs ?? 0), durationMs, text })
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

const HEAD = /^\s*\{"wireMagic":"pb3",[^]*?"events":\s*\[/
/** A start, a duration, the beginning of pieces, or a piece of text with its escapes. */
const MARKS =
  /"(?:tStartMs":\s*"?(\d+)|dDurationMs":\s*"?(\d+)|(segs)":|utf8":\s*"((?:[^"\\]|\\.)*)")/g

/**
 * The same cues by one pass over the text, or null where it is not laid out as always (start,
 * duration, pieces) and only parsing can tell. Text cannot deceive it: a quote in it is escaped.
 */
export function scanJson3(body: string): PublishedCue[] | null {
  const head = HEAD.exec(body)
  if (head === null || !body.trimEnd().endsWith('}')) return null
  const cues: PublishedCue[] = []
  let [startMs, durationMs] = [-1, null as number | null]
  let text: string | null = null
  let eventEnd = -1 // the first brace after the start: beyond it, another event has begun
  MARKS.lastIndex = head[0].length
  for (let mark = MARKS.exec(body); mark !== null; mark = MARKS.exec(body)) {
    const [, start, duration, segs, utf8] = mark
    if (utf8 !== undefined) {
      if (text === null) return null
      text += utf8.includes('\\') ? unescaped(utf8) : utf8
    } else if (start !== undefined) {
      if (text !== null && text !== '\n' && text !== '') cues.push({ startMs, durationMs, text })
      startMs = Number(start)
      durationMs = null
      text = null
      // Searched for once: many starts before one far brace would each read all of what is between.
      if (eventEnd < MARKS.lastIndex) eventEnd = body.indexOf('}', MARKS.lastIndex)
      if (eventEnd < 0) return null
    } else if (duration !== undefined) {
      if (mark.index > eventEnd || text !== null || durationMs !== null) return null
      durationMs = Number(duration)
    } else if (segs !== undefined) {
      if (mark.index > eventEnd || text !== null) return null
      text = ''
    }
  }
  if (text !== null && text !== '\n' && text !== '') cues.push({ startMs, durationMs, text })
  return cues
}

function unescaped(text: string): string {
  return text === '\\n' ? '\n' : String(JSON.parse(`"${text}"`))
}
