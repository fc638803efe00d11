/**
 * Opens a file over a whole collection: one ZIP, one text, one report, made of what the jobs stored. Nothing is
 * compressed again, and each length is known before the first byte, as in the files of a job.
 */
import { LIMITS } from '../config.ts'
import { allTextSteps } from '../files/all-text.ts'
import type { ArchiveOrder } from '../files/archive.ts'
import { datedStem } from '../files/file-names.ts'
import type { DeliveredRow, ReadMembers } from '../files/job-rows.ts'
import type { OpenFile } from '../files/open-file.ts'
import { eachInSteps, type Steps } from '../files/steps.ts'
import type { Db } from '../postgres/database.ts'
import { findCollection } from '../store/collections.ts'
import {
  type LibraryForm,
  type LibraryRow,
  listLibraryForms,
  listReportedVideos,
  listTexts,
} from '../store/library-rows.ts'
import { readMembersOf } from '../store/transcripts.ts'
import { FILE_FORMS, type FileForm } from '../transcripts/formats.ts'
import type { MemberFacts } from '../transcripts/gzip-member.ts'
import { inTurns } from './take-turns.ts'
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
  const { texts, rows, readMembers } = await readTexts(db, input, stored)
  if (!fitsZip(rows, forms, exports)) throw tooManyForZip(rows.length)
  const report = await createCollectionReport(await listReportedVideos(db, input))
  const order = {
    rows,
    forms: (row: DeliveredRow) => forms.filter((form) => row.members[form] !== undefined),
    naming: datedStem,
    report,
    readMembers,
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
  const { rows, readMembers } = await readTexts(db, input, ['txt'])
  const { gzip, ...identity } = await inTurns(allTextSteps(rows, readMembers))
  return { identity, sha256: identity.sha256, gzip }
}

/** The texts, each under its place in the collection. */
async function readTexts(
  db: Db,
  owned: CollectionFileInput,
  forms: readonly FileForm[],
): Promise<{ texts: LibraryRow[]; rows: DeliveredRow[]; readMembers: ReadMembers }> {
  const [texts, recorded] = await Promise.all([
    listTexts(db, owned),
    listLibraryForms(db, { ...owned, forms }),
  ])
  const rows = await inTurns(rowsSteps(texts, recorded))
  return { texts, rows, readMembers: membersOfTexts(db, texts) }
}

/** A text that came between the two questions has no forms here; the next download has it. */
function* rowsSteps(
  texts: readonly LibraryRow[],
  recorded: readonly LibraryForm[],
): Steps<DeliveredRow[]> {
  const stored = new Map<string, Partial<Record<FileForm, MemberFacts>>>()
  yield* eachInSteps(recorded, (form) => {
    const forms = stored.get(keyOf(form)) ?? {}
    forms[form.form] = form
    stored.set(keyOf(form), forms)
  })
  const rows: DeliveredRow[] = []
  yield* eachInSteps(texts, (text, at) => {
    const forms = stored.get(keyOf(text))
    if (forms?.txt !== undefined) rows.push(rowAt(text, at + 1, forms))
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

/** How files over several jobs read their bytes: those asked for at once, in one statement. */
function membersOfTexts(db: Db, texts: readonly { jobId: string; index: number }[]): ReadMembers {
  return async (keys) => {
    const wanted = [...new Set(keys.map(({ index }) => index))].flatMap(
      (place) => texts[place - 1] ?? [],
    )
    const forms = [...new Set(keys.map(({ form }) => form))]
    const read = await readMembersOf(db, { rows: wanted, forms })
    const stored = new Map(read.map((member) => [`${keyOf(member)} ${member.form}`, member.gzip]))
    return ({ index: place, form }) => {
      const text = texts[place - 1]
      const gzip = text === undefined ? undefined : stored.get(`${keyOf(text)} ${form}`)
      if (gzip === undefined) throw new Error(`the ${form} of text ${place} is not stored`)
      return gzip
    }
  }
}
