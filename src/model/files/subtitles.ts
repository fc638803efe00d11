/** Subtitles: what players show, and when; both formats of them are written of these. */
import type { Segment } from '../transcripts/transcript.ts'

/** Lines that are shown from `startMs` to `endMs`. */
export type Subtitle = { startMs: number; endMs: number; lines: string[] }

/**
 * Returns the segments as subtitles, those of the same times as one of several lines where `joins` says so: players
 * draw a subtitle that begins while another is shown above it, so two of the same times would be read from below.
 */
export function subtitlesOf(segments: readonly Segment[], joins: boolean): Subtitle[] {
  const subtitles: Subtitle[] = []
  for (const { startMs, endMs, text } of segments) {
    const last = subtitles.at(-1)
    if (joins && last?.startMs === startMs && last.endMs === endMs) last.lines.push(text)
    else subtitles.push({ startMs, endMs, lines: [text] })
  }
  return subtitles
}
