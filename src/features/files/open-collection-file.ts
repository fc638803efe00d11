/**
 * Opens a file over a whole collection: one ZIP, one text, one report, made of what the jobs stored. Each length is
 * known before the first byte, as in the files of a job.
 */
import { inTurns, yieldToEventLoop } from '../../kit/concurrency.ts'
import { LIMITS } from '../../config/config.ts'
import type { FileBody, HashedBody } from '../../kit/file-body.ts'
import { csvHead, type TableStyle } from '../../kit/text/csv.ts'
import { allTextSteps } from './all-text.ts'
import { type ArchiveFrame, type ArchiveOrder, archiveSteps, requireRoom } from './archive.ts'
import { readSelectedTexts } from './selected-texts.ts'
import { keptText } from './kept-text.ts'
import { datedStem, folderedStem, titledStem, wholeFileName } from '../../model/files/file-names.ts'
import {
  type DeliveredRow,
  type ReadForms,
  REPORT_COLUMNS,
  reportLine,
} from '../../model/files/job-rows.ts'
import { formReader } from '../transcripts/read-transcripts.ts'
import type { OpenFile } from './open-file.ts'
import { keyOfRow } from '../../model/library/row-key.ts'
import { eachInSteps, type Steps } from '../../model/transcripts/steps.ts'
import type { TextSource } from '../transcripts/read-stored.ts'
import { counted } from '../../kit/text/counted.ts'
import { type ChosenParts, noneLeft } from '../../model/library/selection.ts'
import { findCollection } from '../../store/collections.ts'
import type { Db } from '../../store/database.ts'
import {
  type Collection,
  headOfCollection,
  type LibraryRow,
  type OwnedTexts,
  type ReportedVideo,
} from '../../model/library/collection.ts'
import { projectReadme } from '../../model/files/project-readme.ts'
import { findProject } from '../../store/projects.ts'
import { listReportedVideos, listTexts } from '../../store/library-rows.ts'
import {
  type FactsByForm,
  factsOfForms,
  listRecorded,
  type RecordedForms,
} from '../../store/transcripts.ts'
import { FILE_FORMS, type FileForm, type WholeFile, WHOLES } from '../../model/files/catalogue.ts'

export const COLLECTION_COLUMNS = [
  ...REPORT_COLUMNS,
  'durationSeconds',
  'viewCount',
  'jobId',
  'index',
] as const satisfies (keyof ReportedVideo)[]

/** A file as it is asked for; the report in a ZIP is plain. */
type FileAsked = TableStyle & {
  file: WholeFile
  /** The forms that go into the ZIP; of each text those among them that its job was asked for. */
  forms: readonly FileForm[]
}
type CollectionFileInput = OwnedTexts & FileAsked

/** A collection by its id, or a selection, whose files are alike. */
export type CollectedKey = { collectionId: string } | { selection: ChosenParts }

/** Texts that are filed: `stem` is what a file of all of it is called before its ending. */
type Collected = {
  owned: OwnedTexts
  stem: string
  head: { title: string; kind: string; source?: string }
}

/** Returns null where the account has nothing of the collection. Throws for a selection that has what is not there. */
export async function findCollected(
  db: Db,
  accountId: string,
  of: CollectedKey,
): Promise<Collected | null> {
  if ('selection' in of) {
    const offered = await readSelectedTexts(db, accountId, of.selection)
    const kept = await listTexts(db, { accountId, named: offered })
    if (kept.length === 0) throw noneLeft()
    const named = kept.map(({ jobId, index }) => ({ jobId, index }))
    const title = `Selection of ${counted(kept.length, 'transcript')}`
    return { owned: { accountId, named }, stem: title, head: { title, kind: 'selection' } }
  }
  const collection = await findCollection(db, { accountId, id: of.collectionId })
  if (collection === null) return null
  const head = headOfCollection(collection)
  return { owned: { accountId, collection }, stem: stemOfCollection(collection), head }
}

/** Returns null where the account has nothing of the collection. */
export async function openCollectionFile(
  source: TextSource,
  { accountId, of, ...asked }: FileAsked & { accountId: string; of: CollectedKey },
): Promise<OpenFile | null> {
  const found = await findCollected(source.db, accountId, of)
  if (found === null) return null
  const { owned, stem } = found
  const body = await bodyOfFile(source, { ...owned, ...asked })
  const { media: contentType } = WHOLES[asked.file]
  const name = wholeFileName(asked.file, { stem })
  return { stability: 'growing', contentType, name, sha256: body.sha256, body }
}

async function bodyOfFile(
  source: TextSource,
  input: CollectionFileInput,
): Promise<FileBody & { sha256: string }> {
  switch (input.file) {
    case 'zip': {
      const { order } = await collectionZip(source, input, [])
      return inTurns(archiveSteps(order))
    }
    case 'all.txt': {
      const { rows, read } = await readTexts(source, input, ['txt'])
      return inTurns(allTextSteps(rows, read))
    }
    case 'report.csv':
      return createReport(source, input)
    default:
      return input.file satisfies never
  }
}

/** Returns what a file of a whole collection is called before its ending: its name, and the day of its last change. */
function stemOfCollection({ id, title, changedAt }: Collection): string {
  return titledStem({ title: title ?? '', id, at: changedAt })
}

/** Returns what a collection's ZIP is made of. `exports` are files of each video that are made while it is sent. */
export async function collectionZip(
  source: TextSource,
  input: OwnedTexts & { forms: readonly FileForm[] },
  exports: readonly string[],
): Promise<{ order: ArchiveOrder; texts: LibraryRow[] }> {
  const { forms } = input
  // The `txt` of every text is read whatever was asked for: all-transcripts.txt is made of it.
  const stored = FILE_FORMS.filter(
    (form) => form === 'txt' || forms.includes(form) || (form === 'json' && exports.length > 0),
  )
  const { texts, rows, read } = await readTexts(source, input, stored)
  requireRoom(rows, { forms, exports: exports.length })
  const report = await createReport(source, { ...input, bom: false, separator: 'comma' })
  const order = {
    rows,
    forms: (row: DeliveredRow) => forms.filter((form) => row.forms[form] !== undefined),
    ...(await partsOfProject(source, input, rows)),
    report,
    read,
  }
  return { order, texts }
}

/** Returns how the files of a ZIP are called; those of a project stand in folders, with a description. */
async function partsOfProject(
  { db }: TextSource,
  owned: OwnedTexts,
  rows: readonly DeliveredRow[],
): Promise<ArchiveFrame> {
  if ('named' in owned) return { naming: datedStem }
  const { id: projectId, kind } = owned.collection
  const key = { accountId: owned.accountId, projectId }
  const project = kind === 'project' ? await findProject(db, key) : null
  if (project === null) return { naming: datedStem }
  const texts = Map.groupBy(rows, ({ videoId }) => videoId)
  const videos = await listReportedVideos(db, owned)
  const readme = keptText()
  readme.add(projectReadme(project, videos, rows.length))
  return {
    naming: (row) => folderedStem(row, (texts.get(row.videoId)?.length ?? 1) > 1),
    readme: readme.end(),
  }
}

/** Makes the report and keeps it as a whole: what comes to the collection while it is sent must not change it. */
async function createReport(
  { db }: TextSource,
  input: OwnedTexts & TableStyle,
): Promise<HashedBody> {
  const rows = await listReportedVideos(db, input)
  const { add, end } = keptText()
  add(csvHead(COLLECTION_COLUMNS, input))
  for (let at = 0; at < rows.length; at += LIMITS.reportRowsAtOnce) {
    await yieldToEventLoop()
    const page = rows.slice(at, at + LIMITS.reportRowsAtOnce)
    add(page.map((row) => reportLine(COLLECTION_COLUMNS, row, input.separator)).join(''))
  }
  return end()
}

/** Returns the texts, each under its place in the collection. */
async function readTexts(
  source: TextSource,
  owned: OwnedTexts,
  forms: readonly FileForm[],
): Promise<{ texts: LibraryRow[]; rows: DeliveredRow[]; read: ReadForms }> {
  const [texts, recorded] = await Promise.all([
    listTexts(source.db, owned),
    listRecorded(source.db, owned),
  ])
  const rows = await inTurns(rowsSteps(texts, recorded, forms))
  const keys = texts.map(({ jobId, index }) => ({ jobId, index })) // what a slow reader holds on to
  return { texts, rows, read: formReader(source, (place) => keys[place - 1]) }
}

/** Returns the rows in steps. A text that came between the two queries has no forms here; the next download has it. */
function* rowsSteps(
  texts: readonly LibraryRow[],
  recorded: readonly RecordedForms[],
  forms: readonly FileForm[],
): Steps<DeliveredRow[]> {
  const stored = new Map<string, FactsByForm<FileForm>>()
  yield* eachInSteps(recorded, (row) => {
    stored.set(keyOfRow(row), factsOfForms(row, forms))
  })
  const rows: DeliveredRow[] = []
  yield* eachInSteps(texts, (text, at) => {
    const found = stored.get(keyOfRow(text))
    if (found?.txt !== undefined) rows.push({ ...text, index: at + 1, forms: found })
  })
  return rows
}
