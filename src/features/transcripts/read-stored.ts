/**
 * Reads stored transcripts: in this thread, or in another one where a transcript is so long that other work would wait
 * for it. No other file of the service makes segments of what is stored (test/house/readers.test.ts).
 */
import { yieldToEventLoop } from '../../kit/concurrency.ts'
import { slicesOf } from '../../kit/file-body.ts'
import { OPERATOR, type Share } from '../../kit/fair-queue.ts'
import { bufferOf, handedOver, openThreads, type Threads } from '../../kit/threads.ts'
import { type ExportAsk, type ExportPiece, exportPiece } from '../../model/files/text-exports.ts'
import {
  type NotebookAsk,
  notebookPiece,
  type NotebookSize,
  notebookSizes,
} from '../../model/files/notebook.ts'
import { type Beginning, beginningOf } from '../../model/previews/trial.ts'
import type { Form } from '../../model/files/formats.ts'
import {
  type PageAsk,
  readablePage,
  type ReadablePage,
} from '../../model/transcripts/readable-text.ts'
import { contentFacts, type RecordedForm } from '../../model/files/recorded-forms.ts'
import type { Segment } from '../../model/transcripts/transcript.ts'
import {
  contentBytesOf,
  editionOf,
  isBody,
  packBody,
  segmentsOfStored,
} from '../../model/transcripts/transcript-body.ts'
import { type WordFileAsk, wordPiecesOf, writeWordPiece } from '../../model/files/word-files.ts'
import type { WordFile } from '../../model/files/catalogue.ts'
import { wordPage, type WordPageAsk } from '../../model/transcripts/word-lines.ts'
import { type OpenedWords, openWords, wordTimesBytes } from '../../model/transcripts/word-times.ts'
import { recordWordFile, type WrittenForm, writeForms } from '../../model/files/transcript-forms.ts'
import { writeForm } from '../../model/files/write-form.ts'
import type { Edition } from '../../model/transcripts/editions.ts'
import type { Db } from '../../store/database.ts'

/**
 * Size of a body's content up to which it is read here: some two hours of speech. The worst content of this size, cues
 * of one letter, takes each reader less than a turn (test/stalls/readers.nightly.test.ts).
 */
export const READ_HERE_BYTES = 128 * 1024
/** Size of word times' content up to which they are read here: an hour of speech, and at most so many words. */
export const WORDS_HERE_BYTES = 16 * 1024
/** Size of as much as JSON, which release 1.0.0 stored. */
const OLD_READ_HERE_BYTES = 512 * 1024
/** A gzip member ends with the size of its content, in four bytes (RFC 1952, ISIZE). */
const GZIP_SIZE_BYTES = 4

/** Characters after which a piece of an export ends: two milliseconds of work here, and memory in a thread. */
const PIECE_CHARS = { here: 256 * 1024, inThread: 4 * 1024 * 1024 }

/** Everything that is read of segments. All run here or in the thread; what they return can be sent between the two. */
const READERS = {
  forms: (segments: Segment[], { forms, edition }: FormsAsk) =>
    forms.map((form): Uint8Array => writeForm(segments, form, edition)),
  packed: (segments: Segment[], { forms, edition }: FormsAsk): PackedMember => {
    const recorded = forms.map((form) => {
      return { form, ...contentFacts(writeForm(segments, form, edition)) }
    })
    return { body: packBody(segments, edition), recorded }
  },
  exportPiece: (segments: Segment[], ask: ExportAsk & { from: number }): ExportPiece =>
    exportPiece(segments, { ...ask, charsMax: PIECE_CHARS.inThread }),
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
/** The words of the texts that are read piece after piece. */
const OPENED = new WeakMap<Segment[], OpenedWords>()
type FormsAsk = { forms: readonly Form[]; edition: Edition }
type WordPieceAsk = WordFileAsk & { nth: number }
type WordPiece = { content: Uint8Array; pieces: number }
type Readers = typeof READERS
type Asked<Name extends keyof Readers> = Parameters<Readers[Name]>[1]
type Answer<Name extends keyof Readers> = ReturnType<Readers[Name]>

/** Each method takes a transcript as it is stored: a body or an old JSON member. */
export type TextReader = {
  /** Returns the forms in the order of `forms`. */
  writeForms(stored: Buffer, forms: readonly Form[]): Promise<WrittenForm[]>
  /** Yields what an export says of the transcript, piece by piece. */
  writeExport(stored: Buffer, ask: ExportAsk): AsyncGenerator<Buffer, void>
  /** Returns how long the pieces are in which a notebook has the transcript, and one of them. */
  sizeNotebook(stored: Buffer, ask: NotebookAsk): Promise<NotebookSize[]>
  writeNotebook(stored: Buffer, ask: NotebookAsk & { nth: number }): Promise<Buffer>
  readPage(stored: Buffer, ask: PageAsk): Promise<ReadablePage>
  readBeginning(stored: Buffer): Promise<Beginning>
  /** Yields a file of the transcript's words, of which `ask` has the times, piece by piece as it is taken. */
  writeWordFile(stored: Buffer, ask: WordFileAsk): AsyncGenerator<Buffer, void>
  /** Returns one of its pieces. */
  writeWordPiece(stored: Buffer, ask: WordPieceAsk): Promise<Buffer>
  /** Returns what is recorded of such a file, which is made for that and kept nowhere. */
  measureWordFile(stored: Buffer, ask: WordFileAsk): Promise<RecordedForm<WordFile>[]>
  /** Returns a page of lines in which each word has its time. */
  readWordPage(stored: Buffer, ask: WordPageAsk): Promise<ReadablePage>
  /**
   * Returns the body that has the words of an old JSON member, and what is recorded of forms as they are written of it;
   * made in the thread.
   */
  pack(json: Buffer, forms: readonly Form[]): Promise<PackedMember>
}

/** A reader for one account: the accounts whose long texts are read at once share the thread fairly. */
type AccountTextReader = TextReader & { accountId: string }

/** The reader of a process. By itself, it reads for the operator. */
export type ProcessTextReader = TextReader & {
  ofAccount(accountId: string): AccountTextReader
  close(): Promise<void>
}

/** The means to read an account's texts. */
export type TextSource = { db: Db; textReader: AccountTextReader }

export function textsOf(
  { db, textReader }: { db: Db; textReader: ProcessTextReader },
  accountId: string,
): TextSource {
  return { db, textReader: textReader.ofAccount(accountId) }
}

type PackedMember = { body: Buffer; recorded: RecordedForm[] }

/** Opens the reader; no thread starts before the first long transcript, and a process has one. */
export function openTextReader(): ProcessTextReader {
  const file = new URL(import.meta.url)
  const threads = openThreads<ThreadTasks>({ file, max: 1 })
  return {
    ...readerFor(threads, OPERATOR),
    ofAccount: (accountId) => ({
      ...readerFor(threads, { accountId, jobId: 'none' }),
      accountId,
    }),
    close: () => threads.close(),
  }
}

type ThreadTasks = { readInThread: typeof readInThread }

function readerFor(threads: Threads<ThreadTasks>, share: Share): TextReader {
  const inThread = async <Name extends keyof Readers>(
    stored: Buffer,
    name: Name,
    ask: Asked<Name>,
  ): Promise<Answer<Name>> =>
    (await threads.run('readInThread', { stored, name, ask }, { share })) as Answer<Name>
  const read = async <Name extends keyof Readers>(
    stored: Buffer,
    name: Name,
    ask: Asked<Name>,
  ): Promise<Answer<Name>> =>
    isLong(stored) ? inThread(stored, name, ask) : readNow({ stored, name, ask })
  const readTimed = async <Name extends 'wordPiece' | 'wordFacts' | 'wordPage'>(
    stored: Buffer,
    name: Name,
    ask: Asked<Name>,
  ): Promise<Answer<Name>> =>
    wordTimesBytes(ask.wordTimes) <= WORDS_HERE_BYTES
      ? read(stored, name, ask)
      : inThread(stored, name, ask)

  const wordPiece = (stored: Buffer, ask: WordPieceAsk): Promise<WordPiece> =>
    readTimed(stored, 'wordPiece', ask)

  return {
    async writeForms(stored, forms) {
      const edition = editionOf(stored)
      if (isLong(stored)) {
        const contents = await inThread(stored, 'forms', { forms, edition })
        return forms.map((form, at) => ({ form, content: bufferOf(contents[at]) }))
      }
      const written: WrittenForm[] = []
      for await (const form of writeForms(segmentsOfStored(stored), forms, edition))
        written.push(form)
      return written
    },
    writeExport: (stored, ask) =>
      isLong(stored)
        ? exportInPieces((from) => inThread(stored, 'exportPiece', { ...ask, from }))
        : exportHere(segmentsOfStored(stored), ask),
    sizeNotebook: (stored, ask) => read(stored, 'notebookSizes', ask),
    writeNotebook: async (stored, ask) => Buffer.from(await read(stored, 'notebookPiece', ask)),
    readPage: (stored, ask) => read(stored, 'page', ask),
    readBeginning: (stored) => read(stored, 'beginning', undefined),
    async *writeWordFile(stored, ask) {
      for (let [nth, count] = [0, 1]; nth < count; nth += 1) {
        const { content, pieces } = await wordPiece(stored, { ...ask, nth })
        yield* slicesOf(bufferOf(content))
        count = pieces
      }
    },
    writeWordPiece: async (stored, ask) => bufferOf((await wordPiece(stored, ask)).content),
    measureWordFile: (stored, ask) => readTimed(stored, 'wordFacts', ask),
    readWordPage: (stored, ask) => readTimed(stored, 'wordPage', ask),
    async pack(json, forms) {
      const packed = await inThread(json, 'packed', { forms, edition: editionOf(json) })
      return { ...packed, body: bufferOf(packed.body) }
    },
  }
}

async function* exportHere(segments: Segment[], ask: ExportAsk): AsyncGenerator<Buffer, void> {
  yield* exportInPieces(async (from) => {
    await yieldToEventLoop()
    return exportPiece(segments, { ...ask, from, charsMax: PIECE_CHARS.here })
  })
}

/** Yields the pieces. Each is made when it is asked for, so that a slow reader holds one. */
async function* exportInPieces(
  pieceAt: (from: number) => Promise<ExportPiece>,
): AsyncGenerator<Buffer, void> {
  for (let from: number | null = 0; from !== null;) {
    const { text, next }: ExportPiece = await pieceAt(from)
    yield* slicesOf(Buffer.from(text))
    from = next
  }
}

type Reading<Name extends keyof Readers> = { stored: Uint8Array; name: Name; ask: Asked<Name> }

function readNow<Name extends keyof Readers>(
  { stored, name, ask }: Reading<Name>,
  segments = segmentsOfStored(stored),
): Answer<Name> {
  const reader = READERS[name] as (segments: Segment[], ask: Asked<Name>) => Answer<Name>
  return reader(segments, ask)
}

/** What the thread read last: a long text is asked for piece after piece. */
let last: { stored: Uint8Array; segments: Segment[] } | null = null

/** Reads what is asked; runs in the thread. */
export function readInThread(reading: Reading<keyof Readers>): Answer<keyof Readers> {
  const { stored } = reading
  if (last === null || Buffer.compare(last.stored, stored) !== 0)
    last = { stored, segments: segmentsOfStored(stored) }
  return handedOver(readNow(reading, last.segments))
}

/** Returns whether the content is long: what is stored says so, while its own length depends on how it compresses. */
function isLong(stored: Buffer): boolean {
  return isBody(stored)
    ? contentBytesOf(stored) > READ_HERE_BYTES
    : stored.readUInt32LE(stored.length - GZIP_SIZE_BYTES) > OLD_READ_HERE_BYTES
}
