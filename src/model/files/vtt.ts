/** WebVTT: the captions of the web. */
import { captionClock } from '../../kit/text/clock.ts'
import type { Subtitle } from './subtitles.ts'

const VTT_ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

export function escapeVtt(text: string): string {
  return text.replace(/[&<>]/g, (found) => VTT_ESCAPES[found] ?? found)
}

/** Returns WebVTT with cues without names, point milliseconds; LF, and a blank line after each cue. */
export function writeWebVtt(subtitles: readonly Subtitle[]): string {
  const cues = subtitles.map(
    ({ startMs, endMs, lines }) =>
      `${captionClock(startMs, '.')} --> ${captionClock(endMs, '.')}\n${lines.map(escapeVtt).join('\n')}\n\n`,
  )
  return `WEBVTT\n\n${cues.join('')}`
}
