/** Exports that are written of one text after the other, and how. */
import { escapedJson } from '../../kit/text/controls.ts'
import { joinedText } from '../../kit/text/joined-text.ts'
import type { Segment } from '../transcripts/transcript.ts'
import type { ExportFile } from './catalogue.ts'
import { FOUR_CAT_HEAD, fourCatLine } from './four-cat.ts'
import { type FrontMatter, frontMatter, markdownOf } from './markdown.ts'
import { noteOf } from './notes.ts'
import { type ExportedVideo, passagesFrom } from './passages.ts'

/** A video to write; `passageMs` is the greatest length of a passage in JSON lines, in milliseconds. */
type VideoAsk = { video: ExportedVideo; passageMs: number }

export type ExportAsk = VideoAsk & { file: TextExport }

/** `next` is the index of the segment at which the next piece begins; null where this is the last. */
export type ExportPiece = { text: string; next: number | null }

type PieceAsk = VideoAsk & { from: number; charsMax: number }

/** The writer of a document of all texts, one after the other. */
type TextWriter = {
  /** Returns what it begins with; `about` is what is known of its job or collection. */
  head?(about: FrontMatter): string
  /** Returns the piece of a text that begins at a segment. */
  piece(segments: readonly Segment[], ask: PieceAsk): ExportPiece
}

const WRITERS = {
  'export.md': { head: frontMatter, piece: inOnePiece(markdownOf) },
  'export.jsonl': {
    piece: (segments, { passageMs: lengthMs, ...ask }) =>
      passagesFrom(segments, { ...ask, lengthMs }),
  },
  'export.videos.jsonl': { piece: inOnePiece(videoJson) },
  'export.4cat.csv': { head: () => FOUR_CAT_HEAD, piece: inOnePiece(fourCatLine) },
  // A note of a vault.
  'note.md': { piece: inOnePiece(noteOf) },
} as const satisfies Partial<Record<ExportFile | 'note.md', TextWriter>>

/** A file to which each text adds its part, or a note of a text. */
export type TextExport = keyof typeof WRITERS

export const TEXT_EXPORTS: Readonly<Record<TextExport, TextWriter>> = WRITERS

export function isTextExport(file: string): file is TextExport {
  return Object.hasOwn(WRITERS, file)
}

/**
 * Returns the piece that begins at a segment. Passages end a piece at `charsMax` characters, since each says all about
 * its video again. The others are one piece: at most some hundred characters for each segment beside its words.
 */
export function exportPiece(
  segments: readonly Segment[],
  { file, ...ask }: ExportAsk & { from: number; charsMax: number },
): ExportPiece {
  return TEXT_EXPORTS[file].piece(segments, ask)
}

function inOnePiece(
  write: (video: ExportedVideo, segments: readonly Segment[]) => string,
): TextWriter['piece'] {
  return (segments, { video }) => ({ text: write(video, segments), next: null })
}

/** Returns one JSON object of plain fields, as tables of data take them: the video and all that is said in it. */
function videoJson(
  { videoId, title, url, channelName, publishedAt, languageCode, trackKind }: ExportedVideo,
  segments: readonly Segment[],
): string {
  const text = joinedText(segments.map((segment) => segment.text))
  const facts = { videoId, title, url, channelName, publishedAt, languageCode, trackKind, text }
  return `${escapedJson(JSON.stringify(facts))}\n`
}
