/**
 * Opens a file over a whole collection: one ZIP, one text, one report, made of what the jobs stored. Nothing is
 * compressed again, and each length is known before the first byte, as in the files of a job.
 */
import { LIMITS } from '../../kit/config/config.ts'
import { allTextSteps } from '../transcripts/all-text.ts'
import type { ArchiveOrder } from '../transcripts/archive.ts'
import { datedStem } from '../../model/transcripts/file-names.ts'
import type { DeliveredRow, RowReaders } from '../../model/transcripts/job-rows.ts'
import { formReaders } from '../transcripts/members.ts'
import type { OpenFile } from '../transcripts/open-file.ts'
import { eachInSteps, type Steps } from '../../model/transcripts/steps.ts'
import { inTurns } from '../transcripts/turns.ts'
import type { Db } from '../../store/database.ts'
import { findCollection } from '../../store/collections.ts'
import { type LibraryRow, listReportedVideos, listTexts } from '../../store/library-rows.ts'
import {
  addRecorded,
  type FactsByForm,
  listRecorded,
  type RecordedForms,
} from '../../store/transcripts.ts'
import { FILE_FORMS, type FileForm } from '../../model/transcripts/formats.ts'
import { createCollectionReport } from './create-collection-report.ts'
import { openCollectionZip, tooManyForZip } from './open-collection-zip.ts'

export type CollectionFile = 'zip' | 'all.txt' | 'report.csv'

export type CollectionFileInput = {
  accountId: string
  collectionId: string
  file: CollectionFile
  /** Which forms go into the ZIP; a text has those that its job was asked for. */
  forms: readonly FileForm[]
}

type Content = Pick<OpenFile, 'sha256' | 'identity' | 'gzip'>

/** Null where the account has nothing of the collection. */
export async function openCollectionFile(
  db: Db,
  input: CollectionFileInput,
): Promise<OpenFile | null> {
  const { accountId, collectionId, file } = input
  const collection = await findCollection(db, { accountId, id: collectionId })
  if (collection === null) return null
  const facts = { kind: 'zip', stability: 'growing' } as const
  switch (file) {
    case 'zip':
      return {
        ...facts,
        ...(await openCollectionZip(db, input)),
        contentType: 'application/zip',
        name: `transcripts-${collectionId}.zip`,
      }
    case 'all.txt':
      return {
        ...facts,
        ...(await textContent(db, input)),
        contentType: 'text/plain; charset=utf-8',
        name: `all-transcripts-${collectionId}.txt`,
      }
    case 'report.csv': {
      const report = await createCollectionReport(await listReportedVideos(db, input))
      const content = { identity: report, sha256: report.sha256, gzip: null }
      return {
        ...facts,
        ...content,
        contentType: 'text/csv; charset=utf-8',
        name: `report-${collectionId}.csv`,
      }
    }
    default:
      return file satisfies never
  }
}

/** What a collection's ZIP with exports is made of. `exports`: how many files of a video are made while it is sent. */
export async function collectionZip(
  db: Db,
  input: CollectionFileInput,
  exports: readonly string[],
): Promise<{ order: ArchiveOrder; texts: LibraryRow[] }> {
  const { forms } = input
  // The texts are in the ZIP whatever was asked for: all-transcripts.txt is made of them.
  const stored = FILE_FORMS.filter(
    (form) => form === 'txt' || forms.includes(form) || (form === 'json' && exports.length > 0),
  )
  const { texts, rows, readers } = await readTexts(db, input, stored)
  if (!fitsZip(rows, forms, exports)) throw tooManyForZip(rows.length)
  const report = await createCollectionReport(await listReportedVideos(db, input))
  const order = {
    rows,
    forms: (row: DeliveredRow) => forms.filter((form) => row.members[form] !== undefined),
    naming: datedStem,
    report,
    readers,
  }
  return { order, texts }
}

/** Whether a ZIP can name the files and their bytes; some are left for its records and all-transcripts.txt's heads. */
function fitsZip(
  rows: readonly DeliveredRow[],
  forms: readonly FileForm[],
  exports: readonly string[],
): boolean {
  let [files, bytes] = [0, 0]
  for (const { members } of rows) {
    bytes += members.txt?.sizeBytes ?? 0 // all-transcripts.txt is stored as it is
    for (const form of forms) {
      files += members[form] === undefined ? 0 : 1
      bytes += members[form]?.gzipBytes ?? 0
    }
    // Packed, an export is shorter than the segments of which it is made.
    files += exports.length
    bytes += exports.length * (members.json?.sizeBytes ?? 0)
  }
  return files <= LIMITS.zipEntriesMax && bytes <= LIMITS.zipBytesMax
}

async function textContent(db: Db, input: CollectionFileInput): Promise<Content> {
  const { rows, readers } = await readTexts(db, input, ['txt'])
  const { gzip, ...identity } = await inTurns(allTextSteps(rows, readers))
  return { identity, sha256: identity.sha256, gzip }
}

/** The texts, each under its place in the collection. */
async function readTexts(
  db: Db,
  { accountId, collectionId }: CollectionFileInput,
  forms: readonly FileForm[],
): Promise<{ texts: LibraryRow[]; rows: DeliveredRow[]; readers: RowReaders }> {
  const owned = { accountId, collectionId }
  const [texts, recorded] = await Promise.all([
    listTexts(db, owned),
    listRecorded(db, { rows: owned, forms }),
  ])
  const rows = await inTurns(rowsSteps(texts, recorded, forms))
  return { texts, rows, readers: formReaders(db, (place) => texts[place - 1]) }
}

/** A text that came between the two questions has no forms here; the next download has it. */
function* rowsSteps(
  texts: readonly LibraryRow[],
  recorded: readonly RecordedForms[],
  forms: readonly FileForm[],
): Steps<DeliveredRow[]> {
  const stored = new Map<string, FactsByForm<FileForm>>()
  yield* eachInSteps(recorded, (row) => {
    const found = stored.get(keyOf(row)) ?? {}
    addRecorded(found, row, forms)
    stored.set(keyOf(row), found)
  })
  const rows: DeliveredRow[] = []
  yield* eachInSteps(texts, (text, at) => {
    const found = stored.get(keyOf(text))
    if (found?.txt !== undefined) rows.push(rowAt(text, at + 1, found))
  })
  return rows
}

function rowAt(text: LibraryRow, place: number, members: DeliveredRow['members']): DeliveredRow {
  const { videoId, title, url, channelName, publishedAt, languageCode, trackKind } = text
  return {
    index: place,
    videoId,
    title,
    url,
    channelName,
    publishedAt,
    languageCode,
    trackKind,
    members,
  }
}

function keyOf({ jobId, index }: { jobId: string; index: number }): string {
  return `${jobId} ${index}`
}
