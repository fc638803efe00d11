/** Exports of one text for readers and for machines, in pieces: Markdown, and passages as JSON lines. */
import type { Segment } from '../transcripts/transcript.ts'
import { markdownOf } from './markdown.ts'
import { type ExportedVideo, passagesFrom } from './passages.ts'

export const EXPORTS = ['export.md', 'export.jsonl'] as const
export type ExportFile = (typeof EXPORTS)[number]

export type ExportAsk = {
  file: ExportFile
  video: ExportedVideo
  /** The greatest length of a passage in JSON lines, in milliseconds. */
  passageMs: number
}

/** `next` is the index of the segment at which the next piece begins; null where this is the last. */
export type ExportPiece = { text: string; next: number | null }

/**
 * Returns the piece that begins at a segment. Passages end a piece at `charsMax` characters, since each says all about
 * its video again. Markdown is one piece: it has at most some hundred characters for each segment beside its words.
 */
export function exportPiece(
  segments: readonly Segment[],
  { file, video, passageMs, from, charsMax }: ExportAsk & { from: number; charsMax: number },
): ExportPiece {
  if (file === 'export.md') return { text: markdownOf(video, segments), next: null }
  return passagesFrom(segments, { video, lengthMs: passageMs, from, charsMax })
}
