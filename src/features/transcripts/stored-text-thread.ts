/**
 * What is read of stored transcripts, here or in the thread of this file (see read-stored.ts). All that is returned can
 * be sent between the two.
 */
import { handedOver } from '../../kit/threads.ts'
import type { Edition } from '../../model/transcripts/editions.ts'
import type { Form } from '../../model/files/formats.ts'
import { notebookPiece, notebookSizes } from '../../model/files/notebook.ts'
import { type ExportAsk, type ExportPiece, exportPiece } from '../../model/files/text-exports.ts'
import { recordWordFile } from '../../model/files/transcript-forms.ts'
import { type WordFileAsk, wordPiecesOf, writeWordPiece } from '../../model/files/word-files.ts'
import { writeForm } from '../../model/files/write-form.ts'
import { beginningOf } from '../../model/previews/trial.ts'
import { readablePage } from '../../model/transcripts/readable-text.ts'
import { segmentsOfStored } from '../../model/transcripts/transcript-body.ts'
import type { Segment } from '../../model/transcripts/transcript.ts'
import { wordPage } from '../../model/transcripts/word-lines.ts'
import { type OpenedWords, openWords } from '../../model/transcripts/word-times.ts'

/** Characters after which a piece of an export ends that the thread makes, which bounds its memory. */
const PIECE_CHARS_MAX = 4 * 1024 * 1024

/** The words of the texts that are read piece after piece. */
const OPENED = new WeakMap<Segment[], OpenedWords>()

/** Everything that is read of segments. */
const READERS = {
  forms: (segments: Segment[], { forms, edition }: FormsAsk) =>
    forms.map((form): Uint8Array => writeForm(segments, form, edition)),
  exportPiece: (segments: Segment[], ask: ExportAsk & { from: number }): ExportPiece =>
    exportPiece(segments, { ...ask, charsMax: PIECE_CHARS_MAX }),
  page: readablePage,
  beginning: beginningOf,
  wordPiece: (segments: Segment[], { wordTimes, ...ask }: WordPieceAsk): WordPiece => {
    const words = OPENED.get(segments) ?? openWords(wordTimes, segments)
    OPENED.set(segments, words)
    return { content: writeWordPiece(segments, words, ask), pieces: wordPiecesOf(words) }
  },
  wordFacts: recordWordFile,
  wordPage,
  notebookSizes,
  notebookPiece,
}

type FormsAsk = { forms: readonly Form[]; edition: Edition }
export type WordPieceAsk = WordFileAsk & { nth: number }
export type WordPiece = { content: Uint8Array; pieces: number }
export type Readers = typeof READERS
export type Asked<Name extends keyof Readers> = Parameters<Readers[Name]>[1]
export type ReaderAnswer<Name extends keyof Readers> = ReturnType<Readers[Name]>

type Reading<Name extends keyof Readers> = { stored: Uint8Array; name: Name; ask: Asked<Name> }

/** Returns what is asked of a stored text, or of its segments. */
export function readNow<Name extends keyof Readers>(
  { stored, name, ask }: Reading<Name>,
  segments = segmentsOfStored(stored),
): ReaderAnswer<Name> {
  const reader = READERS[name] as (segments: Segment[], ask: Asked<Name>) => ReaderAnswer<Name>
  return reader(segments, ask)
}

/** The text that the thread read last: a long text is asked for piece after piece. */
let last: { stored: Uint8Array; segments: Segment[] } | null = null

/** Reads what is asked; the thread runs it. */
export function readInThread(reading: Reading<keyof Readers>): ReaderAnswer<keyof Readers> {
  const { stored } = reading
  if (last === null || Buffer.compare(last.stored, stored) !== 0)
    last = { stored, segments: segmentsOfStored(stored) }
  return handedOver(readNow(reading, last.segments))
}
