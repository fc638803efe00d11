/** The files of words as a whole, for tests that read them; the service writes them piece by piece. */
import type { Segment } from '../../src/model/transcripts/transcript.ts'
import { type WordFileAsk, wordPiecesOf, writeWordPiece } from '../../src/model/files/word-files.ts'
import { openWords } from '../../src/model/transcripts/word-times.ts'

/** Returns the pieces of a file. */
export function wordFilePieces(
  segments: readonly Segment[],
  { file, wordTimes }: WordFileAsk,
): Buffer[] {
  const words = openWords(wordTimes, segments)
  return Array.from({ length: wordPiecesOf(words) }, (_, nth) =>
    writeWordPiece(segments, words, { file, nth }),
  )
}

export function wholeWordFile(segments: readonly Segment[], ask: WordFileAsk): Buffer {
  return Buffer.concat(wordFilePieces(segments, ask))
}
