/** Timed words: the pieces of a caption line that the platform times one by one, found again in the clean text. */
import type { TimedWord } from './transcript.ts'

/**
 * A piece of a cue as json3 holds it: a word with the blank before it, as a rule. What it holds is not promised;
 * numbers may come as strings.
 */
export type TimedPiece = {
  utf8?: unknown
  /** Milliseconds from the cue's start; missing for the first piece of a line. */
  tOffsetMs?: unknown
  /** The confidence of the speech recognition, 0 to 255. */
  acAsrConf?: unknown
}

const CONFIDENCE_MAX = 255
/** U+0020, the last of the blanks and controls of ASCII. */
const BLANK = 32

/**
 * Returns whether pieces are timed: any of them has an offset, or it is one word of speech recognition alone. The
 * creator's own captions have pieces for their styles, without times.
 */
export function arePiecesTimed(pieces: readonly (TimedPiece | null)[]): boolean {
  const [first] = pieces
  if (pieces.length > 1) return pieces.some((piece) => piece?.tOffsetMs !== undefined)
  if (first === undefined || first === null || first.acAsrConf === undefined) return false
  return typeof first.utf8 === 'string' && !first.utf8.trim().includes(' ')
}

/**
 * Returns the words of a clean text, one for each piece that has a time, so that joined they are the text; null where
 * the pieces do not make it, or their times go back. `clean` is what the whole text was cleaned by.
 */
export function wordsOfPieces(
  text: string,
  pieces: readonly (TimedPiece | null)[],
  clean: (text: string) => string,
): TimedWord[] | null {
  const words: TimedWord[] = []
  let at = 0
  for (const piece of pieces) {
    if (typeof piece?.utf8 !== 'string') continue
    const chars = charsAt(text, at, piece.utf8, clean)
    if (chars === null) return null
    if (chars === 0) continue
    at += chars
    const last = words.at(-1)
    if (last !== undefined && piece.tOffsetMs === undefined) {
      last.chars += chars // no time of its own: it goes on with the word before it
      continue
    }
    const offsetMs = Math.round(Number(piece.tOffsetMs ?? 0))
    if (!Number.isSafeInteger(offsetMs) || offsetMs < (last?.offsetMs ?? 0)) return null
    words.push({ chars, offsetMs, confidence: confidenceOf(piece) })
  }
  return words.length > 0 && at === text.length ? words : null
}

/** Returns how long a piece is in the text from a place on, its blank included; null where it does not stand there. */
function charsAt(
  text: string,
  at: number,
  piece: string,
  clean: (text: string) => string,
): number | null {
  // Most pieces stand in the text as they are; a blank at an end belongs to the word behind it, and is cleaned off.
  const last = piece.charCodeAt(piece.length - 1)
  if (last > BLANK && text.startsWith(piece, at)) return piece.length
  const said = clean(piece)
  if (said === '') return 0
  const blank = at > 0 && text.charAt(at) === ' ' ? 1 : 0
  return text.startsWith(said, at + blank) ? blank + said.length : null
}

function confidenceOf({ acAsrConf }: TimedPiece): number | null {
  const confidence = acAsrConf === undefined ? Number.NaN : Math.round(Number(acAsrConf))
  return confidence >= 0 ? Math.min(confidence, CONFIDENCE_MAX) : null
}
