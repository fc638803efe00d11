/** A caption track with its lines, as each of the file formats is written from it. */
import type { Line } from '../captions.ts'
import type { Track, Video } from '../model.ts'

export type TrackText = { video: Video; track: Track; lines: readonly Line[] }

/** The line as it stands on the wire, before any escaping. */
export function rawOf(line: Line): string {
  return line.pieces.map(({ raw }) => raw).join('')
}
