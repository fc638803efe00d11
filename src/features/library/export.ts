/** Exports of texts for readers and for machines: Markdown and passages of a job or a collection, as one document. */
import { inTurns } from '../../kit/concurrency.ts'
import { gather, heldBytesOf } from '../../kit/file-body.ts'
import { headOfCollection, type LibraryRow } from '../../model/library/collection.ts'
import type { ExportAsk, ExportFile } from '../../model/library/exports.ts'
import { frontMatter } from '../../model/library/markdown.ts'
import { titledStem } from '../../model/transcripts/file-names.ts'
import { eachInSteps, type Steps } from '../../model/transcripts/steps.ts'
import { findCollection } from '../../store/collections.ts'
import type { Db } from '../../store/database.ts'
import { listTexts, listTextsOfJob } from '../../store/library-rows.ts'
import {
  addRecorded,
  type FactsByForm,
  listRecorded,
  type RecordedForms,
} from '../../store/transcripts.ts'
import { titleOf } from '../jobs/job-names.ts'
import type { TextSource } from '../transcripts/read-stored.ts'
import { findJobWithTexts, keyOf, readStored, SIZED_BY } from './export-texts.ts'
import { stemOfCollection } from './open-collection-file.ts'

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
