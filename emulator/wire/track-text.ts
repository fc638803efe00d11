/** A caption track with its lines, from which each file format is written. */
import type { Line } from '../captions.ts'
import type { Track, Video } from '../model.ts'

export type TrackText = { video: Video; track: Track; lines: readonly Line[] }

/**
 * Returns how the line break below a line is written: when, and how long it lasts; null where it says no duration,
 * since the line is over by then.
 */
export function breakBelow(
  line: Line,
  next: Line | undefined,
): { startMs: number; durationMs: number | null } {
  const startMs = line.clearedMs ?? (next?.startMs ?? 0) - NEWLINE_LEAD_MS
  const leftMs = line.startMs + (line.durationMs ?? 0) - startMs
  return {
    startMs,
    durationMs: line.clearedMs !== null && leftMs <= 0 ? null : Math.max(leftMs, 0),
  }
}

/** A line break comes this long before the next line. */
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

/** Returns the line as it is on the wire, before any escaping. */
export function rawOf(line: Line): string {
  return line.pieces.map(({ raw }) => raw).join('')
}
