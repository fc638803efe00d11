/**
 * Reads stored transcripts: in this thread, or in another one where a transcript is so long that other work would wait
 * for it (stored-text-thread.ts). Nothing else of the service makes segments of what is stored
 * (test/house/readers.test.ts).
 */
import { yieldToEventLoop } from '../../kit/concurrency.ts'
import { OPERATOR, type Share } from '../../kit/fair-queue.ts'
import { slicesOf } from '../../kit/file-body.ts'
import { bufferOf, openThreads, type Threads } from '../../kit/threads.ts'
import type { WordFile } from '../../model/files/catalogue.ts'
import type { Form } from '../../model/files/formats.ts'
import type { NotebookAsk, NotebookSize } from '../../model/files/notebook.ts'
import type { RecordedForm } from '../../model/files/recorded-forms.ts'
import { type ExportAsk, type ExportPiece, exportPiece } from '../../model/files/text-exports.ts'
import { type WrittenForm, writeForms } from '../../model/files/transcript-forms.ts'
import type { WordFileAsk } from '../../model/files/word-files.ts'
import type { Beginning } from '../../model/previews/trial.ts'
import type { PageAsk, ReadablePage } from '../../model/transcripts/readable-text.ts'
import {
  contentBytesOf,
  editionOf,
  segmentsOfStored,
} from '../../model/transcripts/transcript-body.ts'
import type { Segment } from '../../model/transcripts/transcript.ts'
import type { WordPageAsk } from '../../model/transcripts/word-lines.ts'
import { wordTimesBytes } from '../../model/transcripts/word-times.ts'
import type { Db } from '../../store/database.ts'
import type { KeptTexts } from './text-store.ts'
import {
  type ReaderAnswer,
  type Asked,
  type Readers,
  readNow,
  type WordPiece,
  type WordPieceAsk,
} from './stored-text-thread.ts'

/**
 * Size of a body's content up to which it is read here: some two hours of speech. The worst content of this size, cues
 * of one letter, takes each reader less than a turn (test/stalls/readers.nightly.test.ts).
 */
export const READ_HERE_BYTES = 128 * 1024
/** Size of word times' content up to which they are read here: an hour of speech, and at most so many words. */
export const WORDS_HERE_BYTES = 16 * 1024

/** Characters after which a piece of an export ends that is made here: two milliseconds of work. */
const PIECE_CHARS = 256 * 1024

type ThreadTasks = typeof import('./stored-text-thread.ts')

/** Each method takes a transcript as it is stored: a body. */
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
}

/** A reader for one account: the accounts whose long texts are read at once share the thread fairly. */
type AccountTextReader = TextReader & { accountId: string }

/** The reader of a process. By itself, it reads for the operator. */
export type ProcessTextReader = TextReader & {
  ofAccount(accountId: string): AccountTextReader
  close(): Promise<void>
}

/** The means to read an account's texts. */
export type TextSource = KeptTexts & { db: Db; textReader: AccountTextReader }

export function textsOf(
  { textReader, ...kept }: KeptTexts & { db: Db; textReader: ProcessTextReader },
  accountId: string,
): TextSource {
  return { db: kept.db, textStore: kept.textStore, textReader: textReader.ofAccount(accountId) }
}

/** Opens the reader; no thread starts before the first long transcript, and a process has one. */
export function openTextReader(): ProcessTextReader {
  const file = new URL('./stored-text-thread.ts', import.meta.url)
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

function readerFor(threads: Threads<ThreadTasks>, share: Share): TextReader {
  const inThread = async <Name extends keyof Readers>(
    stored: Buffer,
    name: Name,
    ask: Asked<Name>,
  ): Promise<ReaderAnswer<Name>> =>
    (await threads.run('readInThread', { stored, name, ask }, { share })) as ReaderAnswer<Name>
  const read = async <Name extends keyof Readers>(
    stored: Buffer,
    name: Name,
    ask: Asked<Name>,
  ): Promise<ReaderAnswer<Name>> =>
    isLong(stored) ? inThread(stored, name, ask) : readNow({ stored, name, ask })
  const readTimed = async <Name extends 'wordPiece' | 'wordFacts' | 'wordPage'>(
    stored: Buffer,
    name: Name,
    ask: Asked<Name>,
  ): Promise<ReaderAnswer<Name>> =>
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
  }
}

async function* exportHere(segments: Segment[], ask: ExportAsk): AsyncGenerator<Buffer, void> {
  yield* exportInPieces(async (from) => {
    await yieldToEventLoop()
    return exportPiece(segments, { ...ask, from, charsMax: PIECE_CHARS })
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

/** Returns whether the content is long: what is stored says so, while its own length depends on how it compresses. */
function isLong(stored: Buffer): boolean {
  return contentBytesOf(stored) > READ_HERE_BYTES
}
