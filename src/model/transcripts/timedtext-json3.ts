/** json3: the platform's JSON captions: events with a start, a duration and pieces of text. */
import type { PublishedCue } from './transcript.ts'

type Json3Event = { tStartMs?: unknown; dDurationMs?: unknown; segs?: unknown }

/** Reads the cues; null where the body is no json3. Numbers may come as strings; window events have no `segs`. */
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
