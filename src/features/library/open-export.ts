/** Opens an export: all texts of a job or a collection as one Markdown document or as JSON lines, made while it is sent. */
import { textsDeleted } from '../../model/jobs/texts-deleted.ts'
import type { Db } from '../../store/database.ts'
import { Problem } from '../../kit/problem.ts'
import { findCollection } from '../../store/collections.ts'
import { findJob } from '../../store/jobs.ts'
import { type LibraryRow, listTexts, listTextsOfJob } from '../../store/library-rows.ts'
import { readWordsOf } from '../../store/transcripts.ts'
import { segmentsOfStored } from '../../model/transcripts/transcript-body.ts'
import type { Segment } from '../../model/transcripts/transcript.ts'
import { yieldToEventLoop } from '../../kit/yield-to-event-loop.ts'
import { collectionUrl } from '../../model/library/collection.ts'
import { frontMatter, markdownOf } from '../../model/library/markdown.ts'
import { type ExportedVideo, passageLines } from '../../model/library/passages.ts'
import { withMetadata } from './read-library.ts'

/** Transcripts that an export holds in memory at once. */
const EXPORTED_AT_ONCE = 16

export const EXPORTS = ['export.md', 'export.jsonl'] as const
export type ExportFile = (typeof EXPORTS)[number]

export type ExportOrder = {
  accountId: string
  of: { jobId: string } | { collectionId: string }
  file: ExportFile
  /** Of a passage, at most, in JSON lines. */
  passageMs: number
}

export type Export = { name: string; contentType: string; bytes: AsyncGenerator<Buffer, void> }

const TYPES: Record<ExportFile, string> = {
  'export.md': 'text/markdown; charset=utf-8',
  'export.jsonl': 'application/jsonl; charset=utf-8',
}

/**
 * Null where the account has no such job or collection; of a job whose texts are deleted, not found with a message
 * that says so. Texts are read a few at a time, as the reader takes them.
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
    const job = await findJob(db, { accountId, jobId: of.jobId })
    if (job === null) return null
    if (job.textsDeletedAt !== null)
      throw new Problem('not_found', { message: textsDeleted(job.textsDeletedAt) })
    const rows = await listTextsOfJob(db, {
      jobId: job.id,
      doneAfter: 0,
      doneMax: job.processed,
    })
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

async function* write(
  db: Db,
  { file, passageMs }: ExportOrder,
  { head, rows }: Exported,
): AsyncGenerator<Buffer, void> {
  if (file === 'export.md') yield Buffer.from(frontMatter(head))
  for await (const { video, segments } of readTexts(db, rows))
    yield exported(file, { video, segments, passageMs })
}

/** What an export says of one video. */
export function exported(
  file: ExportFile,
  { video, segments, passageMs }: { video: ExportedVideo; segments: Segment[]; passageMs: number },
): Buffer {
  const isMarkdown = file === 'export.md'
  return Buffer.from(
    isMarkdown ? markdownOf(video, segments) : passageLines(video, segments, passageMs),
  )
}

type ReadText = { row: LibraryRow; video: ExportedVideo; segments: Segment[] }

/** Those whose text is still kept, in their order; a few are in memory at a time. */
export async function* readTexts(
  db: Db,
  rows: readonly LibraryRow[],
): AsyncGenerator<ReadText, void> {
  for (let at = 0; at < rows.length; at += EXPORTED_AT_ONCE)
    yield* readAtOnce(db, rows.slice(at, at + EXPORTED_AT_ONCE))
}

async function* readAtOnce(db: Db, rows: LibraryRow[]): AsyncGenerator<ReadText, void> {
  const [videos, words] = await Promise.all([withMetadata(db, rows), readWordsOf(db, rows)])
  for (const { row, metadata } of videos) {
    const found = words.find(({ jobId, index }) => jobId === row.jobId && index === row.index)
    if (found === undefined) continue
    await yieldToEventLoop() // parsing and rendering one text takes milliseconds
    const segments = await segmentsOfStored(found.stored)
    yield { row, video: { ...row, chapters: metadata.chapters ?? [] }, segments }
  }
}
