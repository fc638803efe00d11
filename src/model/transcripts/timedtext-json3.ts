/**
 * json3: the platform's JSON captions: events with a start, a duration and pieces of text.
 *
 * Long captions are 100,000 objects as JSON and a few hundred lines as text, so the usual layout is
 * scanned instead of parsed; whatever the scan is not sure of is parsed as a whole.
 */
import { scanEvents } from './json3-scan.ts'
import type { PublishedCue } from './transcript.ts'

type Json3Event = { tStartMs?: unknown; dDurationMs?: unknown; segs?: unknown }

/** Null where the body is no json3. Numbers may come as strings; window events have no `segs`. */
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

const HEAD = '{"wireMagic":"pb3",'
const EVENTS = '"events":'

/** The same cues by one pass over the bytes, or null where it is not laid out as always and only parsing can tell. */
export function scanJson3(body: Buffer): PublishedCue[] | null {
  if (body.toString('latin1', 0, HEAD.length) !== HEAD) return null
  const from = body.indexOf(EVENTS)
  if (from === -1) return null
  const list = from + EVENTS.length
  return isHead(body.toString('utf8', 0, list)) ? scanEvents(body, list) : null
}

/** Whether what stands before the events is well-formed, and they are the document's own. */
function isHead(head: string): boolean {
  const document = parsed(`${head}0}`)
  return typeof document === 'object' && document !== null && 'events' in document
}
