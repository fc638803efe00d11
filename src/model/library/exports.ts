/** Exports of texts for readers, machines and other programs: those that are written text by text, in pieces. */
import { escapedJson } from '../../kit/text/controls.ts'
import { joinedText } from '../../kit/text/joined-text.ts'
import type { Segment } from '../transcripts/transcript.ts'
import type { WordFile } from '../transcripts/word-files.ts'
import { fourCatLine } from './four-cat.ts'
import { markdownOf } from './markdown.ts'
import { noteOf } from './notes.ts'
import { type ExportedVideo, passagesFrom } from './passages.ts'

/** One document of all texts, in the order of the texts. */
const TEXT_EXPORTS = [
  'export.md',
  'export.jsonl',
  'export.videos.jsonl',
  'export.4cat.csv',
] as const
/** An entry for each video, made without its text. */
const CITATION_EXPORTS = ['export.ris', 'export.csl.json'] as const
/** ZIPs of Markdown: sources of a notebook, and a note for each text. */
const PACK_EXPORTS = ['notebook.zip', 'vault.zip'] as const

export const EXPORTS = [...TEXT_EXPORTS, ...CITATION_EXPORTS, ...PACK_EXPORTS] as const
export type ExportFile = (typeof EXPORTS)[number]
export type CitationExport = (typeof CITATION_EXPORTS)[number]

/** What is written of one text: a part of a document, or a note of its own. */
export const WRITTEN_OF_TEXTS = [...TEXT_EXPORTS, 'note.md'] as const
export type WrittenOfText = (typeof WRITTEN_OF_TEXTS)[number]

/** Files of each video that a ZIP holds on wish, by the word that asks for them. */
export const ZIP_EXPORTS = {
  md: 'export.md',
  jsonl: 'export.jsonl',
  words: 'words.json',
  wordsvtt: 'words.vtt',
} as const satisfies Record<string, WrittenOfText | WordFile>
export type ZipExport = (typeof ZIP_EXPORTS)[keyof typeof ZIP_EXPORTS]

export type ExportAsk = {
  file: WrittenOfText
  video: ExportedVideo
  /** The greatest length of a passage in JSON lines, in milliseconds. */
  passageMs: number
}

/** `next` is the index of the segment at which the next piece begins; null where this is the last. */
export type ExportPiece = { text: string; next: number | null }

/**
 * Returns the piece that begins at a segment. Passages end a piece at `charsMax` characters, since each says all about
 * its video again. The others are one piece: at most some hundred characters for each segment beside its words.
 */
export function exportPiece(
  segments: readonly Segment[],
  { file, video, passageMs, from, charsMax }: ExportAsk & { from: number; charsMax: number },
): ExportPiece {
  switch (file) {
    case 'export.md':
      return { text: markdownOf(video, segments), next: null }
    case 'export.jsonl':
      return passagesFrom(segments, { video, lengthMs: passageMs, from, charsMax })
    case 'export.videos.jsonl':
      return { text: `${videoLine(video, segments)}\n`, next: null }
    case 'export.4cat.csv':
      return { text: fourCatLine(video, segments), next: null }
    case 'note.md':
      return { text: noteOf(video, segments), next: null }
    default:
      return file satisfies never
  }
}

/** Returns one JSON object of plain fields, as tables of data take them: the video and all that is said in it. */
function videoLine(
  { videoId, title, url, channelName, publishedAt, languageCode, trackKind }: ExportedVideo,
  segments: readonly Segment[],
): string {
  const text = joinedText(segments.map((segment) => segment.text))
  const facts = { videoId, title, url, channelName, publishedAt, languageCode, trackKind, text }
  return escapedJson(JSON.stringify(facts))
}
