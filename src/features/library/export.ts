/** Exports of texts for readers and for machines: Markdown and passages, one by one or in a ZIP. */
import { Readable } from 'node:stream'
import { gather, streamBody } from '../../kit/file-body.ts'
import { Problem } from '../../kit/problem.ts'
import { inTurns, yieldToEventLoop } from '../../kit/concurrency.ts'
import { textsDeleted } from '../../model/jobs/job.ts'
import { collectionUrl, type LibraryRow } from '../../model/library/collection.ts'
import { frontMatter, markdownOf } from '../../model/library/markdown.ts'
import { type ExportedVideo, passageLines } from '../../model/library/passages.ts'
import { ALL_TEXT_NAME, REPORT_NAME } from '../../model/transcripts/file-names.ts'
import type { FileForm } from '../../model/transcripts/formats.ts'
import { segmentsOfStored } from '../../model/transcripts/transcript-body.ts'
import type { Segment } from '../../model/transcripts/transcript.ts'
import { findCollection } from '../../store/collections.ts'
import type { Db } from '../../store/database.ts'
import { findJob, type JobRecord } from '../../store/jobs.ts'
import { listTexts, listTextsOfJob } from '../../store/library-rows.ts'
import { readWordsOf } from '../../store/transcripts.ts'
import { allTextSteps } from '../transcripts/all-text.ts'
import { type ArchiveOrder, entriesOf, type RowEntries } from '../transcripts/archive.ts'
import { type SentFile, sendZip } from '../transcripts/send-zip.ts'
import { type FileInput, zipOrder } from '../transcripts/open-file.ts'
import type { TextSource } from '../transcripts/write-stored.ts'
import { collectionZip } from './open-collection-file.ts'
import { withMetadata } from './read-library.ts'

/** Number of transcripts that an export holds in memory at once. */
const EXPORTED_AT_ONCE = 16

export const EXPORTS = ['export.md', 'export.jsonl'] as const
export type ExportFile = (typeof EXPORTS)[number]

export type ExportOrder = {
  accountId: string
  of: { jobId: string } | { collectionId: string }
  file: ExportFile
  /** The greatest length of a passage in JSON lines, in milliseconds. */
  passageMs: number
}

export type Export = { name: string; contentType: string; bytes: AsyncIterable<Buffer> }

const TYPES: Record<ExportFile, string> = {
  'export.md': 'text/markdown; charset=utf-8',
  'export.jsonl': 'application/jsonl; charset=utf-8',
}

/**
 * Opens all texts of a job or a collection as one Markdown document or as JSON lines, made while it is sent. Returns
 * null where the account has no such job or collection; throws not_found with a message of its own for a job whose
 * texts are deleted. Texts are read a few at a time, as the reader takes them.
 */
export async function openExport(db: Db, order: ExportOrder): Promise<Export | null> {
  const found = await findExported(db, order)
  if (found === null) return null
  const ending = order.file.slice('export.'.length)
  return {
    name: `transcripts-${found.id}.${ending}`,
    contentType: TYPES[order.file],
    bytes: write(db, order, found),
  }
}

type Exported = { id: string; head: Record<string, string | number | null>; rows: LibraryRow[] }

async function findExported(db: Db, { accountId, of }: ExportOrder): Promise<Exported | null> {
  if ('jobId' in of) {
    const job = await findJobWithTexts(db, { accountId, jobId: of.jobId })
    if (job === null) return null
    const snapshot = { jobId: job.id, doneAfter: 0, doneMax: job.processed }
    const rows = await listTextsOfJob(db, snapshot)
    const head = { title: job.urls[0] ?? '', job: job.id, created: job.createdAt.toISOString() }
    return { id: job.id, head: { ...head, transcripts: rows.length }, rows }
  }
  const collection = await findCollection(db, { accountId, id: of.collectionId })
  if (collection === null) return null
  const { id, kind, title } = collection
  const rows = await listTexts(db, { accountId, collectionId: id })
  const head = { title: title ?? id, kind, source: collectionUrl(collection) }
  return { id, head: { ...head, transcripts: rows.length }, rows }
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

async function* write(
  db: Db,
  { file, passageMs }: ExportOrder,
  { head, rows }: Exported,
): AsyncGenerator<Buffer, void> {
  if (file === 'export.md') yield Buffer.from(frontMatter(head))
  for await (const { video, segments } of readTexts(db, rows))
    yield exportOf(file, { video, segments, passageMs })
}

/** Returns what an export says of one video. */
function exportOf(
  file: ExportFile,
  { video, segments, passageMs }: { video: ExportedVideo; segments: Segment[]; passageMs: number },
): Buffer {
  if (file === 'export.md') return Buffer.from(markdownOf(video, segments))
  return Buffer.from(passageLines(video, segments, passageMs))
}

type ReadText = { row: LibraryRow; video: ExportedVideo; segments: Segment[] }

/** Yields the rows whose text is still kept, in their order; a few texts are in memory at a time. */
async function* readTexts(db: Db, rows: readonly LibraryRow[]): AsyncGenerator<ReadText, void> {
  for (let at = 0; at < rows.length; at += EXPORTED_AT_ONCE)
    yield* readAtOnce(db, rows.slice(at, at + EXPORTED_AT_ONCE))
}

async function* readAtOnce(db: Db, rows: LibraryRow[]): AsyncGenerator<ReadText, void> {
  const [videos, words] = await Promise.all([withMetadata(db, rows), readWordsOf(db, rows)])
  for (const { row, metadata } of videos) {
    const found = words.find(({ jobId, index }) => jobId === row.jobId && index === row.index)
    if (found === undefined) continue
    await yieldToEventLoop() // parsing and rendering one text takes milliseconds
    const segments = segmentsOfStored(found.stored)
    yield { row, video: { ...row, chapters: metadata.chapters ?? [] }, segments }
  }
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

type Zipped = { id: string; order: ArchiveOrder; textOf(index: number): LibraryRow | undefined }

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
  const bytes = sendZip(filesOf(source.db, input, zipped))
  return { name: `transcripts-${zipped.id}.zip`, contentType: 'application/zip', bytes }
}

/** The fixed time of entries, as in the ZIPs of jobs, so that the bytes are the same at every request. */
const NO_TIME = new Date(1980, 0, 1)

/**
 * Yields files sorted by name within a row, and rows by their names, as in the archive; a group of rows is in memory at
 * a time.
 */
async function* filesOf(
  db: Db,
  input: ExportZipOrder,
  { order, textOf }: Zipped,
): AsyncGenerator<SentFile, void> {
  for (const group of gather(await inTurns(entriesOf(order)))) {
    const contentOf = await order.read(group.flatMap(({ entries }) => entries))
    const made = await madeFiles(db, input, group, textOf)
    for (const { row, entries } of group) {
      const stored = entries.map((entry) => ({ name: entry.name, content: contentOf(entry) }))
      const files = [...stored, ...(made.get(row.index) ?? [])]
      files.sort((a, b) => (a.name < b.name ? -1 : 1))
      for (const { name, content } of files) yield sentFile(name, [content])
    }
  }
  const allText = await inTurns(allTextSteps(order.rows, order.read))
  yield sentFile(ALL_TEXT_NAME, streamBody(allText))
  yield sentFile(REPORT_NAME, streamBody(order.report))
}

function sentFile(name: string, bytes: Iterable<Buffer> | AsyncIterable<Buffer>): SentFile {
  return { name, at: NO_TIME, isPacked: false, bytes: Readable.from(bytes) }
}

/** Returns, by index, the exports of rows whose text is still kept. */
async function madeFiles(
  db: Db,
  { exports, passageMs }: ExportZipOrder,
  group: readonly RowEntries[],
  textOf: Zipped['textOf'],
): Promise<Map<number, { name: string; content: Buffer }[]>> {
  const rowOf = new Map(group.map((row) => [textOf(row.row.index), row]))
  const made = new Map<number, { name: string; content: Buffer }[]>()
  const texts = [...rowOf.keys()].filter((text) => text !== undefined)
  for await (const { row: text, video, segments } of readTexts(db, texts)) {
    const row = rowOf.get(text)
    if (row === undefined) continue
    const files = exports.map((file) => ({
      name: `${row.stem}.${file.slice('export.'.length)}`,
      content: exportOf(file, { video, segments, passageMs }),
    }))
    made.set(row.row.index, files)
  }
  return made
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
  return { id: jobId, order, textOf: (index) => byIndex.get(index) }
}

async function zipOfCollection(
  source: TextSource,
  collection: { accountId: string } & ZippedCollection,
  exports: readonly ExportFile[],
): Promise<Zipped | null> {
  const { accountId, collectionId: id } = collection
  if ((await findCollection(source.db, { accountId, id })) === null) return null
  const { order, texts } = await collectionZip(source, { ...collection, file: 'zip' }, exports)
  return { id, order, textOf: (place) => texts[place - 1] }
}
