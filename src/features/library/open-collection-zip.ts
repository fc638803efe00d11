/**
 * Opens the ZIP of a collection: two questions to the store, about its videos and about lengths, and what it takes up is
 * known. Ten thousand texts are ready within a fifth of a second.
 */
import { createHash } from 'node:crypto'
import { LIMITS } from '../../kit/config/config.ts'
import type { HashedBody } from '../../kit/file-body.ts'
import { datedStem } from '../../model/transcripts/file-names.ts'
import {
  type FormReaders,
  largeArchiveSteps,
  type LargeText,
} from '../transcripts/large-archive.ts'
import type { OpenFile } from '../transcripts/open-file.ts'
import { eachInSteps, type Steps } from '../../model/transcripts/steps.ts'
import { inTurns } from '../transcripts/turns.ts'
import type { Db } from '../../store/database.ts'
import { Problem } from '../../kit/problem.ts'
import { listReportedVideos, type ReportedRow } from '../../store/library-rows.ts'
import { listStoredSizes } from '../../store/library-sizes.ts'
import { listFormsOf, type RowKey } from '../../store/transcripts.ts'
import { FILE_FORMS, type FileForm } from '../../model/transcripts/formats.ts'
import { readContents, readMadeMembers } from '../transcripts/read-forms.ts'
import { createCollectionReport } from './create-collection-report.ts'
import { type StoredSizes, storedSizesSteps } from '../../model/library/stored-sizes.ts'

/** Part of the archive's hash; raise it with any change of its bytes. */
const LAYOUT_VERSION = 2

export type CollectionZipInput = {
  accountId: string
  collectionId: string
  forms: readonly FileForm[]
}

export async function openCollectionZip(
  db: Db,
  input: CollectionZipInput,
): Promise<Pick<OpenFile, 'sha256' | 'identity' | 'gzip'>> {
  const { forms } = input
  // The texts are in the ZIP whatever was asked for: all-transcripts.txt is made of them.
  const stored = FILE_FORMS.filter((form) => form === 'txt' || forms.includes(form))
  const sizing = listStoredSizes(db, { ...input, forms: stored })
  sizing.catch(() => undefined) // told where it is awaited
  const videos = await listReportedVideos(db, input)
  const report = await createCollectionReport(videos)
  const rows = videos.filter(({ hasText }) => hasText)
  const sizes = await inTurns(storedSizesSteps(await sizing, stored))
  const { texts, keys, isThere } = await inTurns(textsSteps(rows, sizes))
  if (!fitsZip(texts, forms)) throw tooManyForZip(texts.length)
  const read = readersOf(db, keys)
  const identity = await inTurns(largeArchiveSteps({ texts, forms, report, read }))
  return { identity, sha256: hashOf({ forms, report, isThere }), gzip: null }
}

/**
 * All that the bytes follow from: the report tells each video's title and dates, and the row that holds its text; a text that is
 * stored never changes, and is there or not.
 */
function hashOf(from: { forms: readonly FileForm[]; report: HashedBody; isThere: string }): string {
  const { forms, report, isThere } = from
  const facts = [`layout ${LAYOUT_VERSION}`, forms.join(), report.sha256, isThere]
  return createHash('sha256').update(facts.join('\n')).digest('hex')
}

type Placed = { texts: LargeText[]; keys: RowKey[]; isThere: string }

/** Each text under its place; one that came or went between the two questions is left out until the next download. */
function* textsSteps(
  rows: readonly ReportedRow[],
  stored: ReadonlyMap<string, ReadonlyMap<number, StoredSizes>>,
): Steps<Placed> {
  const placed: Placed = { texts: [], keys: [], isThere: '' }
  const seen: string[] = []
  yield* eachInSteps(rows, ({ jobId, index, ...video }, at) => {
    const sizes = stored.get(jobId)?.get(index)
    const isStored = sizes !== undefined && sizes.gzipBytes.txt > 0
    seen.push(isStored ? '1' : '0')
    placed.keys.push({ jobId, index })
    if (!isStored) return
    const { videoId, title, url, channelName, publishedAt, languageCode, trackKind } = video
    const known = { videoId, title, url, channelName, publishedAt, languageCode, trackKind }
    placed.texts.push({ row: { ...known, index: at + 1 }, stem: datedStem(video), ...sizes })
  })
  return { ...placed, isThere: seen.join('') }
}

/** `keys`: the rows that hold the texts, by their places. */
function readersOf(db: Db, keys: readonly RowKey[]): FormReaders {
  const rowsOf = (texts: readonly LargeText[]): RowKey[] =>
    texts.flatMap(({ row }) => keys[row.index - 1] ?? [])
  const found = <T extends RowKey & { form: string }>(read: T[]) => {
    const byKey = new Map(read.map((each) => [keyOf(each, each.form), each]))
    return ({ row }: LargeText, form: FileForm): T => {
      const key = keys[row.index - 1]
      const each = key === undefined ? undefined : byKey.get(keyOf(key, form))
      if (each === undefined) throw new Error(`the ${form} of text ${row.index} is not stored`)
      return each
    }
  }
  return {
    facts: async (texts, forms) => found(await listFormsOf(db, { rows: rowsOf(texts), forms })),
    members: async (texts, forms) =>
      found(await readMadeMembers(db, { rows: rowsOf(texts), forms })),
    contents: async (texts, forms) => found(await readContents(db, { rows: rowsOf(texts), forms })),
  }
}

function keyOf({ jobId, index }: RowKey, form: string): string {
  return `${jobId} ${index} ${form}`
}

/** Whether a ZIP can name the files and their bytes; some are left for its records and all-transcripts.txt's heads. */
function fitsZip(texts: readonly LargeText[], forms: readonly FileForm[]): boolean {
  let [files, bytes] = [0, 0]
  for (const { gzipBytes, textBytes } of texts) {
    bytes += textBytes // all-transcripts.txt is stored as it is
    for (const form of forms) {
      files += gzipBytes[form] > 0 ? 1 : 0
      bytes += gzipBytes[form]
    }
  }
  return files <= LIMITS.zipEntriesMax && bytes <= LIMITS.zipBytesMax
}

export function tooManyForZip(texts: number): Problem {
  return new Problem('invalid_request', {
    message: `formats: ${texts} texts in these formats are more than the ${LIMITS.zipEntriesMax} files or 4 GB that a ZIP can hold; choose fewer formats, or take all.txt or export.jsonl.`,
    field: 'formats',
  })
}
