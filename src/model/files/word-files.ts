/** The files of a transcript's words: each word with its times, for machines and for players of captions. */
import type { Segment } from '../transcripts/transcript.ts'
import type { OpenedWords, Word } from '../transcripts/word-times.ts'
import { captionClock } from '../../kit/text/clock.ts'
import type { WordFile } from './catalogue.ts'
import { escapeVtt } from './vtt.ts'

/** The file to write, and the packed word times (word-times.ts). */
export type WordFileAsk = { file: WordFile; wordTimes: Uint8Array }

/**
 * Words and cues in a piece of a file, some 4 MB of JSON: the file of a longer text is written piece by piece. A part
 * of the files' layout, since the sizes of the pieces are recorded.
 */
const PIECE_ITEMS = 50_000

/** Returns in how many pieces the files of a text are written. */
export function wordPiecesOf({ sizes }: OpenedWords): number {
  return Math.ceil(sizes.reduce((items, size) => items + itemsOf(size), 0) / PIECE_ITEMS)
}

/** Returns a piece of a file: the same bytes for the same transcript in every release of its layout. */
export function writeWordPiece(
  segments: readonly Segment[],
  words: OpenedWords,
  { file, nth }: { file: WordFile; nth: number },
): Buffer {
  const piece = {
    ...cuesIn(segments, words, nth),
    isFirst: nth === 0,
    isLast: nth === wordPiecesOf(words) - 1,
  }
  return Buffer.from(WRITERS[file](piece))
}

/**
 * The part of a segment that a piece has: its words, behind one of the piece before, where there is one (`from` is 1).
 * `hasHead` and `hasEnd` say whether the cue begins and ends in the piece.
 */
type Cue = {
  segment: Segment
  words: readonly Word[]
  from: number
  hasHead: boolean
  hasEnd: boolean
  isPlain: boolean
}
type Cues = { cues: readonly Cue[]; wordsBefore: number }
type Piece = Cues & { isFirst: boolean; isLast: boolean }

/** Returns what is in a piece, which may begin and end within a cue: the head of a cue is an item, as each word is. */
function cuesIn(segments: readonly Segment[], words: OpenedWords, nth: number): Cues {
  const { sizes } = words
  const [first, end] = [nth * PIECE_ITEMS, (nth + 1) * PIECE_ITEMS]
  let [from, before] = [0, 0]
  while (before + itemsOf(sizes[from]) <= first) before += itemsOf(sizes[from++])
  let [to, after] = [from, before]
  while (to < sizes.length && after < end) after += itemsOf(sizes[to++])

  // The head of the first cue, if the piece before has it, and the words behind it are left out.
  const left = Math.max(first - before - 1, 0)
  const last = itemsOf(sizes[to - 1]) - Math.max(after - end, 0) - 1
  const read = words.of(from, to, { skip: Math.max(left - 1, 0), end: last })
  const cues = segments.slice(from, to).map((segment, at): Cue => {
    const isOf = (place: number): boolean => from + at === place
    return {
      segment,
      words: read[at] ?? [],
      from: isOf(from) ? Math.min(left, 1) : 0,
      hasHead: !isOf(from) || first === before,
      hasEnd: !isOf(to - 1) || after <= end,
      isPlain: sizes[from + at] === 0,
    }
  })
  return { cues, wordsBefore: before - from + left }
}

function itemsOf(size = 0): number {
  return 1 + size
}

const WRITERS: Record<WordFile, (piece: Piece) => string> = {
  'words.json': writeWords,
  'words.vtt': ({ cues, isFirst }) =>
    `${isFirst ? 'WEBVTT\n\n' : ''}${cues.map(timedCue).join('')}`,
}

function writeWords({ cues, wordsBefore, isFirst, isLast }: Piece): string {
  const words = cues.flatMap(({ words: own, from }) => own.slice(from))
  const comma = wordsBefore > 0 && words.length > 0 ? ',' : ''
  const listed = JSON.stringify(words).slice(1, -1)
  return `${isFirst ? '{"words":[' : ''}${comma}${listed}${isLast ? ']}' : ''}`
}

/**
 * Writes a cue of WebVTT in which each word after the first has a time stamp, as players show karaoke. The cue of a
 * segment without word times is plain.
 */
function timedCue(cue: Cue): string {
  const { startMs, endMs, text } = cue.segment
  const head = cue.hasHead ? `${captionClock(startMs, '.')} --> ${captionClock(endMs, '.')}\n` : ''
  const said = cue.isPlain ? escapeVtt(text) : withTimeStamps(cue)
  return `${head}${said}${cue.hasEnd ? '\n\n' : ''}`
}

/** A time stamp must come after the one before it and within its cue (WebVTT, 4.2.2); a word that has none goes on. */
function withTimeStamps({ segment: { startMs, endMs }, words, from }: Cue): string {
  const said = words.map(({ startMs: at, text }, place) => {
    if (place < from) return ''
    const isLater = at > (words[place - 1]?.startMs ?? startMs)
    const word = escapeVtt(text)
    return isLater && at < endMs ? `<${captionClock(at, '.')}><c>${word}</c>` : word
  })
  return said.join('')
}
