/** A transcript as it is stored: its words and times once, and what is recorded of each form that its job asked for. */
import assert from 'node:assert/strict'
import { createHash, hash } from 'node:crypto'
import zlib from 'node:zlib'
import { yieldToEventLoop } from '../../kit/concurrency.ts'
import { type Form, FORMS_ALWAYS, requestedForms } from './formats.ts'
import type { Format } from './catalogue.ts'
import { oneLineSegments } from '../transcripts/one-line.ts'
import { contentFacts, type Recordable, type RecordedForm } from './recorded-forms.ts'
import { packBody } from '../transcripts/transcript-body.ts'
import {
  type CaptionSource,
  type Segment,
  textOf,
  type Transcript,
  type TranscriptHead,
  wordsIn,
} from '../transcripts/transcript.ts'
import { type WordFileAsk, wordPiecesOf, writeWordPiece } from './word-files.ts'
import { WORD_FILES, type WordFile } from './catalogue.ts'
import { openWords, packWordTimes } from '../transcripts/word-times.ts'
import { writeForm } from './write-form.ts'
import type { Edition } from '../transcripts/editions.ts'

export type StoredTranscript = {
  body: Buffer
  /** When its words are said (word-times.ts); null where that is not known. */
  wordTimes: Buffer | null
  /** Null where it is not known. */
  source: CaptionSource | null
  /**
   * Facts of `txt`, `json` and `text` always, of `srt` and `vtt` where they were asked for, and of the files of words
   * where there are word times.
   */
  recorded: RecordedForm[]
  /** SHA-256 of the wire's `text`, hex. */
  textSha256: string
  words: number
}

/** A transcript so long that it was written where it was read: every form of it is recorded. */
export type LongTranscript = TranscriptHead & { stored: StoredTranscript }

export type WrittenForm = { form: Form; content: Buffer }

/** Number of segments whose form is written in less than a millisecond. */
const TURN_SEGMENTS = 1_000

/** Writes every form that `formats` ask for and records its facts, beside the body. */
export async function storeTranscript(
  transcript: Transcript | LongTranscript,
  formats: readonly Format[],
): Promise<StoredTranscript> {
  const asked = new Set<Form>([...FORMS_ALWAYS, ...requestedForms(formats)])
  if ('stored' in transcript) {
    const kept = new Set<Recordable>([...asked, ...WORD_FILES])
    const recorded = transcript.stored.recorded.filter(({ form }) => kept.has(form))
    return { ...transcript.stored, source: transcript.source, recorded }
  }
  const segments = oneLineSegments(transcript.segments)
  assert(segments.length > 0, 'a transcript has segments')
  const text = textOf(segments)
  const recorded: RecordedForm[] = []
  for await (const { form, content } of writeForms(segments, asked))
    recorded.push({ form, ...contentFacts(content) })
  const wordTimes = packWordTimes(segments)
  for (const file of WORD_FILES) {
    if (wordTimes === null) break
    if (segments.length > TURN_SEGMENTS) await yieldToEventLoop()
    recorded.push(...recordWordFile(segments, { file, wordTimes }))
  }
  return {
    body: packBody(segments),
    wordTimes,
    source: transcript.source,
    recorded,
    textSha256: hash('sha256', text),
    words: wordsIn(text),
  }
}

/** Yields forms one after another, those of a long transcript each in a turn of the event loop of its own. */
export async function* writeForms(
  segments: readonly Segment[],
  forms: Iterable<Form>,
  edition?: Edition,
): AsyncGenerator<WrittenForm, void> {
  for (const form of forms) {
    if (segments.length > TURN_SEGMENTS) await yieldToEventLoop()
    yield { form, content: writeForm(segments, form, edition) }
  }
}

/** Returns the facts of a file of words and, where it is written in several pieces, those of each behind them. */
export function recordWordFile(
  segments: readonly Segment[],
  { file, wordTimes }: WordFileAsk,
): RecordedForm<WordFile>[] {
  const words = openWords(wordTimes, segments)
  const [whole, pieces] = [createHash('sha256'), [] as RecordedForm<WordFile>[]]
  let [sizeBytes, crc32] = [0, 0]
  for (let nth = 0; nth < wordPiecesOf(words); nth += 1) {
    const content = writeWordPiece(segments, words, { file, nth })
    pieces.push({ form: file, ...contentFacts(content) })
    whole.update(content)
    crc32 = zlib.crc32(content, crc32)
    sizeBytes += content.length
  }
  const facts = { form: file, sizeBytes, crc32, sha256: whole.digest('hex') }
  return pieces.length === 1 ? pieces : [facts, ...pieces]
}
