/** A transcript as lines that begin with their time, for readers that quote and jump: `[1:02:03] words`. */
import type { Segment } from './transcript.ts'

/**
 * Yields the stored segments in pieces of about `charsEach` characters, each a JSON array of its own, so that a long
 * transcript is parsed piece by piece. JSON text holds no quotation mark without its backslash, so the signs between
 * two segments occur in no words.
 */
export function* segmentPieces(json: string, charsEach: number): Generator<string, void> {
  for (let from = 1; from < json.length - 1;) {
    const parting = json.indexOf(PARTING, from + charsEach)
    const to = parting < 0 ? json.length - 1 : parting + 1
    yield `[${json.slice(from, to)}]`
    from = to + 1
  }
}
const PARTING = '},{"startMs":'

/** Returns lines of segments, each with a line break at its end. */
export function timedLines(segments: readonly Segment[]): string {
  return segments.map(({ startMs, text }) => `[${clockOf(startMs)}] ${text}\n`).join('')
}

function clockOf(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  return `${hours}:${two(minutes)}:${two(seconds % 60)}`
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}
