/** The texts of a transcript's segments as bytes: a line each, around which every form is written. */
import type { Segment } from './transcript.ts'

/** `bytes` are the texts with a line feed between them. */
export type Lines = { segments: readonly Segment[]; bytes: Buffer }

/** Of segments as `oneLineSegments` leaves them, whose texts have no line feed. */
export function linesOf(segments: readonly Segment[]): Lines {
  return { segments, bytes: Buffer.from(segments.map(({ text }) => text).join('\n')) }
}
