/** Opens the ZIP of a job or a collection with exports in it, each video's own, made while it is sent. */
import { streamArchive } from '../transcripts/archive-stream.ts'
import type { ArchiveOrder } from '../transcripts/archive.ts'
import { type FileInput, zipOrder } from '../transcripts/open-file.ts'
import { inTurns } from '../transcripts/turns.ts'
import { textsDeleted } from '../../model/jobs/texts-deleted.ts'
import type { Db } from '../../store/database.ts'
import { Problem } from '../../kit/problem.ts'
import { findCollection } from '../../store/collections.ts'
import { findJob } from '../../store/jobs.ts'
import { type LibraryRow, listTextsOfJob } from '../../store/library-rows.ts'
import type { FileForm } from '../../model/transcripts/formats.ts'
import { collectionZip } from './open-collection-file.ts'
import { type Export, type ExportFile, exported, readTexts } from './open-export.ts'

export type ExportZipOrder = {
  accountId: string
  /** Which forms go in beside the exports: of a job those that it was asked for, where this is not said. */
  of:
    | ({ jobId: string } & Pick<FileInput, 'naming' | 'forms' | 'after'>)
    | { collectionId: string; forms: readonly FileForm[] }
  exports: readonly ExportFile[]
  passageMs: number
}

type Zipped = { id: string; order: ArchiveOrder; textOf(index: number): LibraryRow | undefined }

/** Null where the account has no such job or collection. */
export async function openExportZip(db: Db, input: ExportZipOrder): Promise<Export | null> {
  const zipped = 'jobId' in input.of ? await ofJob(db, input) : await ofCollection(db, input)
  if (zipped === null) return null
  const { id, order, textOf } = zipped
  const bytes = streamArchive({
    ...order,
    inTurns,
    async *makeFiles(rows) {
      const texts = rows.flatMap(({ index }) => textOf(index) ?? [])
      const places = new Map(rows.map(({ index }) => [textOf(index), index]))
      for await (const { row, video, segments } of readTexts(db, texts)) {
        const made = input.exports.map((file) => ({
          ending: file.slice('export.'.length),
          content: exported(file, { video, segments, passageMs: input.passageMs }),
        }))
        yield { index: places.get(row) ?? 0, files: made }
      }
    },
  })
  return { name: `transcripts-${id}.zip`, contentType: 'application/zip', bytes }
}

async function ofJob(db: Db, { accountId, of }: ExportZipOrder): Promise<Zipped | null> {
  if (!('jobId' in of)) return null
  const job = await findJob(db, { accountId, jobId: of.jobId })
  if (job === null) return null
  if (job.textsDeletedAt !== null)
    throw new Problem('not_found', { message: textsDeleted(job.textsDeletedAt) })
  const snapshot = { jobId: job.id, doneAfter: of.after ?? 0, doneMax: job.processed }
  const [order, texts] = await Promise.all([
    zipOrder({ db, job, snapshot, input: { naming: of.naming, bom: false, forms: of.forms } }),
    listTextsOfJob(db, snapshot),
  ])
  const byIndex = new Map(texts.map((text) => [text.index, text]))
  return { id: job.id, order, textOf: (index) => byIndex.get(index) }
}

async function ofCollection(
  db: Db,
  { accountId, of, exports }: ExportZipOrder,
): Promise<Zipped | null> {
  if ('jobId' in of) return null
  const { collectionId, forms } = of
  if ((await findCollection(db, { accountId, id: collectionId })) === null) return null
  const input = { accountId, collectionId, file: 'zip', forms } as const
  const { order, texts } = await collectionZip(db, input, exports)
  return { id: collectionId, order, textOf: (place) => texts[place - 1] }
}
