/** Exports of texts for readers and for machines: Markdown and passages, one by one or in a ZIP. */
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { inTurns } from '../../kit/concurrency.ts'
import { gather, heldBytesOf, slicesOf, streamBody } from '../../kit/file-body.ts'
import { Problem } from '../../kit/problem.ts'
import { textsDeleted } from '../../model/jobs/job.ts'
import { headOfCollection, type LibraryRow } from '../../model/library/collection.ts'
import type { ExportAsk, ExportFile } from '../../model/library/exports.ts'
import { frontMatter } from '../../model/library/markdown.ts'
import type { ExportedVideo } from '../../model/library/passages.ts'
import { ALL_TEXT_NAME, titledStem } from '../../model/transcripts/file-names.ts'
import type { FileForm, Form } from '../../model/transcripts/formats.ts'
import type { DeliveredRow } from '../../model/transcripts/job-rows.ts'
import { eachInSteps, type Steps } from '../../model/transcripts/steps.ts'
import { findCollection } from '../../store/collections.ts'
import type { Db } from '../../store/database.ts'
import { findJob, type JobRecord } from '../../store/jobs.ts'
import { listTexts, listTextsOfJob } from '../../store/library-rows.ts'
import {
  addRecorded,
  type FactsByForm,
  listRecorded,
  readWordsOf,
  type RecordedForms,
  type RowKey,
} from '../../store/transcripts.ts'
import { titleOf } from '../jobs/job-names.ts'
import { allTextSteps } from '../transcripts/all-text.ts'
import {
  type ArchiveOrder,
  entriesOf,
  filesBeside,
  type RowEntries,
} from '../transcripts/archive.ts'
import { type FileInput, zipOrder } from '../transcripts/open-file.ts'
import type { TextReader, TextSource } from '../transcripts/read-stored.ts'
import { type SentFile, sendZip } from '../transcripts/send-zip.ts'
import { collectionZip, stemOfCollection } from './open-collection-file.ts'
import { withMetadata } from './read-library.ts'

export type ExportOrder = Pick<ExportAsk, 'file' | 'passageMs'> & {
  accountId: string
  of: { jobId: string } | { collectionId: string }
}

export type Export = {
  name: string
  contentType: string
  /** The most bytes that are in memory at once while it is sent. */
  heldBytes: number
  bytes: AsyncIterable<Buffer>
}

const TYPES: Record<ExportFile, string> = {
  'export.md': 'text/markdown; charset=utf-8',
  'export.jsonl': 'application/jsonl; charset=utf-8',
  'export.videos.jsonl': 'application/jsonl; charset=utf-8',
}

/**
 * Opens all texts of a job or a collection as one Markdown document or as JSON lines, made while it is sent. Returns
 * null where the account has no such job or collection; throws not_found with a message of its own for a job whose
 * texts are deleted. Texts are read a few at a time, as the reader takes them.
 */
export async function openExport(source: TextSource, order: ExportOrder): Promise<Export | null> {
  const found = await findExported(source.db, order)
  if (found === null) return null
  const { stem, head, rows, recorded } = found
  const texts = await inTurns(keptSteps(rows, recorded))
  const ending = order.file.slice('export.'.length)
  return {
    name: `${stem}.${ending}`,
    contentType: TYPES[order.file],
    heldBytes: heldBytesOf({ chunks: texts }),
    bytes: write(source, order, { head, texts }),
  }
}

type Head = Record<string, string | number | null>
type Exported = { stem: string; head: Head; rows: LibraryRow[]; recorded: RecordedForms[] }

async function findExported(db: Db, { accountId, of }: ExportOrder): Promise<Exported | null> {
  if ('jobId' in of) {
    const job = await findJobWithTexts(db, { accountId, jobId: of.jobId })
    if (job === null) return null
    const snapshot = { jobId: job.id, doneAfter: 0, doneMax: job.processed }
    const [rows, recorded] = await Promise.all([
      listTextsOfJob(db, snapshot),
      listRecorded(db, { rows: { jobId: job.id }, forms: [SIZED_BY] }),
    ])
    const title = await titleOf(db, job)
    const head = { title, job: job.id, created: job.createdAt.toISOString() }
    const stem = titledStem({ title, id: job.id, at: job.createdAt })
    return { stem, head: { ...head, transcripts: rows.length }, rows, recorded }
  }
  const collection = await findCollection(db, { accountId, id: of.collectionId })
  if (collection === null) return null
  const owned = { accountId, collectionId: collection.id }
  const [rows, recorded] = await Promise.all([
    listTexts(db, owned),
    listRecorded(db, { rows: owned, forms: [SIZED_BY] }),
  ])
  const head = { ...headOfCollection(collection), transcripts: rows.length }
  return { stem: stemOfCollection(collection), head, rows, recorded }
}

/** Returns the job, or null; throws where its texts are deleted. */
async function findJobWithTexts(
  db: Db,
  owned: { accountId: string; jobId: string },
): Promise<JobRecord | null> {
  const job = await findJob(db, owned)
  if (job === null || job.textsDeletedAt === null) return job
  throw new Problem('not_found', { message: textsDeleted(job.textsDeletedAt) })
}

/** The form whose size tells how much memory a text takes when it is read. */
const SIZED_BY = 'json'

type KeptText = { row: LibraryRow; sizeBytes: number }

/** Returns the texts in steps. One that came between the two queries is left out; the next download has it. */
function* keptSteps(
  rows: readonly LibraryRow[],
  recorded: readonly RecordedForms[],
): Steps<KeptText[]> {
  const sizes = new Map<string, number>()
  yield* eachInSteps(recorded, (line) => {
    const facts: FactsByForm<typeof SIZED_BY> = {}
    addRecorded(facts, line, [SIZED_BY])
    sizes.set(keyOf(line), facts[SIZED_BY]?.sizeBytes ?? 0)
  })
  const kept: KeptText[] = []
  yield* eachInSteps(rows, (row) => {
    const sizeBytes = sizes.get(keyOf(row))
    if (sizeBytes !== undefined) kept.push({ row, sizeBytes })
  })
  return kept
}

function keyOf({ jobId, index }: RowKey): string {
  return `${jobId} ${index}`
}

async function* write(
  source: TextSource,
  { file, passageMs }: ExportOrder,
  { head, texts }: { head: Head; texts: readonly KeptText[] },
): AsyncGenerator<Buffer, void> {
  if (file === 'export.md') yield Buffer.from(frontMatter(head))
  for (const group of gather(texts)) {
    for (const { stored, video } of await readStored(
      source.db,
      group.map(({ row }) => row),
    ))
      yield* source.textReader.writeExport(stored, { file, video, passageMs })
  }
}

type StoredText = { row: LibraryRow; video: ExportedVideo; stored: Buffer }

/** Returns the rows whose text is still kept, in their order. */
async function readStored(db: Db, rows: LibraryRow[]): Promise<StoredText[]> {
  const [videos, words] = await Promise.all([withMetadata(db, rows), readWordsOf(db, rows)])
  const storedOf = new Map(words.map((found) => [keyOf(found), found.stored]))
  return videos.flatMap(({ row, metadata }) => {
    const stored = storedOf.get(keyOf(row))
    const video = { ...row, chapters: metadata.chapters ?? [] }
    return stored === undefined ? [] : [{ row, video, stored }]
  })
}

/** A job; its files are those of FileInput. Without `forms`, those go in that the job was asked for. */
type ZippedJob = { jobId: string } & Pick<FileInput, 'naming' | 'forms' | 'after'>
type ZippedCollection = { collectionId: string; forms: readonly FileForm[] }

export type ExportZipOrder = {
  accountId: string
  /** What the ZIP is of, and which forms go in beside the exports. */
  of: ZippedJob | ZippedCollection
  exports: readonly ExportFile[]
  passageMs: number
}

/** `stem` is what the ZIP is called before its ending. */
type Zipped = { stem: string; order: ArchiveOrder; textOf(index: number): LibraryRow | undefined }

/**
 * Opens the ZIP of a job or a collection that holds an export of each video beside its files; made while it is sent.
 * Returns null where the account has no such job or collection.
 */
export async function openExportZip(
  source: TextSource,
  input: ExportZipOrder,
): Promise<Export | null> {
  const { accountId, of } = input
  const zipped =
    'jobId' in of
      ? await zipOfJob(source, accountId, of)
      : await zipOfCollection(source, { accountId, ...of }, input.exports)
  if (zipped === null) return null
  const bytes = sendZip(filesOf(source, input, zipped))
  const texts = zipped.order.rows.map((row) => ({ sizeBytes: exportBytesOf(row) }))
  const name = `${zipped.stem}.zip`
  return { name, contentType: 'application/zip', heldBytes: heldBytesOf({ chunks: texts }), bytes }
}

/** The fixed time of entries, as in the ZIPs of jobs, so that the bytes are the same at every request. */
const NO_TIME = new Date(1980, 0, 1)

/** Returns the size of the segments from which the exports of a row are made. */
function exportBytesOf({ forms }: DeliveredRow): number {
  return forms[SIZED_BY]?.sizeBytes ?? 0
}

/**
 * Yields files sorted by name within a row, and rows by their names, as in the archive. The words of a group of rows
 * are in memory at a time, and one file that is made of them.
 */
async function* filesOf(
  source: TextSource,
  input: ExportZipOrder,
  { order, textOf }: Zipped,
): AsyncGenerator<SentFile, void> {
  const rows = await inTurns(entriesOf(order))
  const sized = rows.map((named) => ({ ...named, sizeBytes: exportBytesOf(named.row) }))
  for (const group of gather(sized)) {
    const texts = group.flatMap(({ row }) => textOf(row.index) ?? [])
    const storedOf = new Map((await readStored(source.db, texts)).map((text) => [text.row, text]))
    for (const named of group) {
      const text = textOf(named.row.index)
      const stored = text && storedOf.get(text)
      assert(stored !== undefined, `the text of row ${named.row.index} is stored`)
      for (const file of filesOfText(source.textReader, input, { ...named, ...stored }))
        yield sentFile(file.name, file.bytes)
    }
  }
  const allText = await inTurns(allTextSteps(order.rows, order.read))
  yield sentFile(ALL_TEXT_NAME, streamBody(allText))
  for (const [name, file] of filesBeside(order)) yield sentFile(name, streamBody(file))
}

type MadeFile = { name: string; bytes: AsyncIterable<Buffer> }

/** Returns a text's files by name; each is made when it is read. */
function filesOfText(
  textReader: TextReader,
  { exports, passageMs }: ExportZipOrder,
  { stem, entries, stored, video }: Pick<RowEntries, 'stem' | 'entries'> & StoredText,
): MadeFile[] {
  const forms = entries.map(({ name, form }) => ({ name, bytes: formOf(textReader, stored, form) }))
  const exported = exports.map((file) => ({
    name: `${stem}.${file.slice('export.'.length)}`,
    bytes: textReader.writeExport(stored, { file, video, passageMs }),
  }))
  return [...forms, ...exported].sort((a, b) => (a.name < b.name ? -1 : 1))
}

async function* formOf(
  textReader: TextReader,
  stored: Buffer,
  form: Form,
): AsyncGenerator<Buffer, void> {
  for (const { content } of await textReader.writeForms(stored, [form])) yield* slicesOf(content)
}

function sentFile(name: string, bytes: AsyncIterable<Buffer>): SentFile {
  return { name, at: NO_TIME, isPacked: false, bytes: Readable.from(bytes) }
}

async function zipOfJob(
  source: TextSource,
  accountId: string,
  { jobId, after = 0, ...input }: ZippedJob,
): Promise<Zipped | null> {
  const job = await findJobWithTexts(source.db, { accountId, jobId })
  if (job === null) return null
  const snapshot = { jobId, doneAfter: after, doneMax: job.processed }
  const [order, texts] = await Promise.all([
    zipOrder({ source, job, snapshot, input: { ...input, bom: false } }),
    listTextsOfJob(source.db, snapshot),
  ])
  const byIndex = new Map(texts.map((text) => [text.index, text]))
  const { createdAt: at } = job
  const stem = titledStem({ title: await titleOf(source.db, job), id: jobId, at })
  return { stem, order, textOf: (index) => byIndex.get(index) }
}

async function zipOfCollection(
  source: TextSource,
  collection: { accountId: string } & ZippedCollection,
  exports: readonly ExportFile[],
): Promise<Zipped | null> {
  const { accountId, collectionId: id } = collection
  const found = await findCollection(source.db, { accountId, id })
  if (found === null) return null
  const { order, texts } = await collectionZip(source, collection, exports)
  return { stem: stemOfCollection(found), order, textOf: (place) => texts[place - 1] }
}
