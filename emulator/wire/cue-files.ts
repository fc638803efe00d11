/**
 * The cue files of a caption track. Automatic VTT rolls: every line comes word by word under the line above it and then
 * plain for ten milliseconds, so a client that joins cues gets every word twice.
 */
import type { Line } from '../captions.ts'
import { clock } from './timed-xml.ts'
import { rawOf, repeated, shownUntil, type TrackText } from './track-text.ts'

const PLACE = ' align:start position:0%'
const PLAIN_MS = 10

export function rollingVtt({ lines, track }: TrackText): string {
  const cues = lines.flatMap((line, index) => {
    const next = lines[index + 1]
    const endMs = Math.min(shownUntil(line), next?.startMs ?? Infinity)
    const above = index === 0 ? ' ' : rawOf(lines[index - 1] as Line)
    const spokenEndMs = Math.max(endMs - PLAIN_MS, line.startMs)
    return [
      `${clock(line.startMs)} --> ${clock(spokenEndMs)}${PLACE}\n${safe(above)}\n${karaoke(line)}`,
      `${clock(spokenEndMs)} --> ${clock(endMs)}${PLACE}\n${safe(rawOf(line))}\n `,
    ]
  })
  return `${header(track.languageCode)}${cues.join('\n\n')}\n\n`
}

function karaoke(line: Line): string {
  return line.pieces
    .map(({ raw, offsetMs }) =>
      offsetMs === 0 ? safe(raw) : `<${clock(line.startMs + offsetMs)}><c>${safe(raw)}</c>`,
    )
    .join('')
}

export function plainVtt({ lines, track }: TrackText): string {
  const cues = repeated(track, lines).map(
    (line) =>
      `${clock(line.startMs)} --> ${clock(line.startMs + (line.durationMs ?? 0))}\n` +
      safe(rawOf(line)),
  )
  return `${header(track.languageCode)}${cues.join('\n\n')}\n\n`
}

function header(languageCode: string): string {
  return `WEBVTT\nKind: captions\nLanguage: ${languageCode}\n\n`
}

function safe(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
