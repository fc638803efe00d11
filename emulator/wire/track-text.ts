/** A caption track with its lines, from which each file format is written. */
import { BLANKS, type Line } from '../captions.ts'
import type { Track, Video } from '../model.ts'

export type TrackText = { video: Video; track: Track; lines: readonly Line[] }

/**
 * Returns how the event below a line is written, a line break as a rule: when, how long it lasts, null where it says no
 * duration, since the line is over by then, and with what text, null where it has no piece.
 */
export function breakBelow(
  { style }: Track,
  line: Line,
  next: Line | undefined,
): { startMs: number; durationMs: number | null; text: string | null } {
  const startMs = line.clearedMs ?? (next?.startMs ?? 0) - NEWLINE_LEAD_MS
  const leftMs = line.startMs + (line.durationMs ?? 0) - startMs
  return {
    startMs,
    durationMs: line.clearedMs !== null && leftMs <= 0 ? null : Math.max(leftMs, NEWLINE_LEAD_MS),
    text: style === 'blank_ends' ? (BLANKS[line.startMs % BLANKS.length] ?? null) : '\n',
  }
}

/** A line break comes this long before the next line, and lasts no less. */
const NEWLINE_LEAD_MS = 10

/** Returns when the line leaves the screen: after its duration, or later where a line break clears it. */
export function shownUntil({ startMs, durationMs, clearedMs }: Line): number {
  return Math.max(startMs + (durationMs ?? 0), clearedMs ?? 0)
}

/** Returns events as often as the track holds each of them. */
export function repeated<T>({ style }: Track, events: readonly T[]): T[] {
  return events.flatMap((event) =>
    style === 'doubled' || style === 'layers' ? [event, event] : [event],
  )
}

/** A line as it is shown for a while, in a pen and at a place. */
export type Layer = { line: Line; pen: number; place: number }

/** How long two layers of a line overlap, in milliseconds. */
const OVERLAP_MS = 20

/**
 * Returns the layers of a line: a first half, a twin of it with a sign that nobody sees, and what goes on in another
 * pen and at another place.
 */
export function layersOf(line: Line, index: number): Layer[] {
  const halfMs = Math.floor((line.durationMs ?? 0) / 2)
  const first = { ...line, durationMs: halfMs }
  const signed = line.pieces.map((piece) => ({ ...piece, raw: `\u200e${piece.raw}` }))
  const restMs = halfMs - OVERLAP_MS * (index % 2)
  const rest = {
    ...line,
    startMs: line.startMs + restMs,
    durationMs: (line.durationMs ?? 0) - restMs,
  }
  return [
    { line: first, pen: 1, place: 0 },
    { line: { ...first, pieces: signed }, pen: 2, place: 0 },
    { line: rest, pen: 2, place: 1 },
  ]
}

/** Returns the line as it is on the wire, before any escaping. */
export function rawOf(line: Line): string {
  return line.pieces.map(({ raw }) => raw).join('')
}
