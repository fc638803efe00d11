/**
 * Sources of a notebook (NotebookLM, since 2026 Gemini Notebook): Markdown files with many videos each. It takes 50
 * sources, or up to 300 by plan, each of 500,000 words and 200 MB (its help pages and its API's, November 2026).
 *
 *     # A video                     a heading for each video, and its facts
 *     - Channel: …
 *
 *     A paragraph …                 without times, which would count as words
 *
 * A video stands in one source as a whole; only one that is longer than a source is divided, where a paragraph ends.
 */
import { paragraphsOf } from '../transcripts/readable-text.ts'
import type { Segment } from '../transcripts/transcript.ts'
import { eachInSteps, type Steps } from '../transcripts/steps.ts'
import { escapedMarkdown, markdownHead } from './markdown.ts'
import type { ExportedVideo } from './passages.ts'

export const NOTEBOOK_PARTS = { least: 1, most: 300, byDefault: 50 }
export const NOTEBOOK_WORDS = { least: 1_000, most: 1_000_000, byDefault: 500_000 }
const SOURCE_BYTES_MAX = 200_000_000

export type NotebookBounds = { partsMax: number; wordsMax: number }
export type NotebookAsk = { video: ExportedVideo; wordsMax: number }
export type NotebookSize = { words: number; sizeBytes: number }

/** Returns the sizes of a video's pieces: one, but for a video that is longer than a source. */
export function notebookSizes(segments: readonly Segment[], ask: NotebookAsk): NotebookSize[] {
  return notebookPieces(segments, ask).map(({ words, text }) => {
    return { words, sizeBytes: Buffer.byteLength(text) }
  })
}

/** Returns one of a video's pieces, as it stands in its source. */
export function notebookPiece(
  segments: readonly Segment[],
  { nth, ...ask }: NotebookAsk & { nth: number },
): string {
  return notebookPieces(segments, ask)[nth]?.text ?? ''
}

type Piece = { words: number; text: string }

function notebookPieces(segments: readonly Segment[], { video, wordsMax }: NotebookAsk): Piece[] {
  const head = markdownHead(video)
  const headWords = takeWords(head).words
  const room = Math.max(wordsMax - headWords, Math.floor(wordsMax / 2))
  const pieces: Piece[] = []
  for (const { text } of paragraphsOf(segments)) {
    for (const part of cutParagraph(escapedMarkdown(text), room)) {
      const open = pieces.at(-1)
      if (open === undefined || open.words - headWords + part.words > room)
        pieces.push({ words: headWords + part.words, text: `${head}\n${part.text}\n\n` })
      else {
        open.words += part.words
        open.text += `${part.text}\n\n`
      }
    }
  }
  return pieces
}

/** Returns a paragraph as it is, or cut between words where it has more than `wordsMax`. */
function cutParagraph(paragraph: string, wordsMax: number): Piece[] {
  const parts: Piece[] = []
  for (let from = 0; from < paragraph.length;) {
    const { words, to } = takeWords(paragraph, { from, wordsMax })
    parts.push({ words, text: paragraph.slice(from, to) })
    from = to
  }
  return parts
}

/**
 * Counts the words from a place on, and returns where the first word begins that is one too many. A word ends at a
 * blank; where a script has none between words (Chinese, Japanese, Thai, Khmer …), each character counts as one, so
 * that rather too many are counted than too few.
 */
export function takeWords(
  text: string,
  { from = 0, wordsMax = Infinity }: { from?: number; wordsMax?: number } = {},
): { words: number; to: number } {
  let words = 0
  let isInside = false
  for (let at = from; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (isBlank(unit)) {
      isInside = false
      continue
    }
    const isWord = isWordAlone(unit)
    if (isWord || !isInside) {
      if (words === wordsMax) return { words, to: at }
      words += 1
    }
    isInside = !isWord
    if (isWord && isHighSurrogate(unit)) at += 1
  }
  return { words, to: text.length }
}

function isBlank(unit: number): boolean {
  if (unit <= 0x20) return true
  if (unit < 0x85) return false
  return unit === 0x85 || unit === 0xa0 || unit === 0x3000 || (unit >= 0x2000 && unit <= 0x200a)
}

/** Ranges of UTF-16 units of scripts without blanks between words; the last are Han characters of further planes. */
const UNPARTED: readonly [first: number, last: number][] = [
  [0x0e00, 0x0eff],
  [0x1000, 0x109f],
  [0x1780, 0x17ff],
  [0x2e80, 0x312f],
  [0x31a0, 0x9fff],
  [0xf900, 0xfaff],
  [0xff66, 0xff9f],
  [0xd840, 0xd8bf],
]

function isWordAlone(unit: number): boolean {
  return unit >= 0x0e00 && UNPARTED.some(([first, last]) => unit >= first && unit <= last)
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

/** A piece of a text, by their places. */
export type NotebookItem = { text: number; nth: number }

/**
 * Packs the pieces of texts into sources, in their order: a source ends where the next piece would not fit. So the
 * sources of a collection that grows at its end stay as they are, but for the last.
 */
export function* packSources(
  texts: readonly (readonly NotebookSize[])[],
  wordsMax: number,
): Steps<NotebookItem[][]> {
  const sources: NotebookItem[][] = []
  let [words, sizeBytes] = [Infinity, 0]
  yield* eachInSteps(texts, (pieces, text) => {
    for (const [nth, piece] of pieces.entries()) {
      if (words + piece.words > wordsMax || sizeBytes + piece.sizeBytes > SOURCE_BYTES_MAX) {
        sources.push([])
        words = 0
        sizeBytes = 0
      }
      words += piece.words
      sizeBytes += piece.sizeBytes
      sources.at(-1)?.push({ text, nth })
    }
  })
  return sources
}
