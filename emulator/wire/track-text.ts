/** A caption track with its lines, from which each file format is written. */
import type { Line } from '../captions.ts'
import type { Track, Video } from '../model.ts'

export type TrackText = { video: Video; track: Track; lines: readonly Line[] }

/** Returns the line as it is on the wire, before any escaping. */
export function rawOf(line: Line): string {
  return line.pieces.map(({ raw }) => raw).join('')
}
