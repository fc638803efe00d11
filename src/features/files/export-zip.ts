/** ZIPs that hold exports of each video beside its files; made while they are sent. */
import assert from 'node:assert/strict'
import { inTurns } from '../../kit/concurrency.ts'
import { gather, heldBytesOf, slicesOf, streamBody } from '../../kit/file-body.ts'
import type { LibraryRow } from '../../model/library/collection.ts'
import { ALL_TEXT_NAME, endingOfExport } from '../../model/files/file-names.ts'
import type { Form } from '../../model/files/formats.ts'
import type { DeliveredRow } from '../../model/files/job-rows.ts'
import {
  type FileForm,
  WORD_FILES,
  type WordFile,
  type ZipExport,
} from '../../model/files/catalogue.ts'
import { allTextSteps } from './all-text.ts'
import {
  type ArchiveOrder,
  entriesOf,
  filesBeside,
  type NamedEntries,
  newestDate,
} from './archive.ts'
import {
  findFiledOrder,
  isOrder,
  type OrderAsked,
  type OrderOfFile,
  readTextsOfOrder,
  stemOfOrder,
} from './filed-order.ts'
import { type ZipOptions, zipOrder } from './open-file.ts'
import type { TextReader, TextSource } from '../transcripts/read-stored.ts'
import { madeFile, type SentFile, sendZip } from './send-zip.ts'
import { type Export, readStored, SIZED_BY, type StoredText } from './export-texts.ts'
import { type CollectedKey, collectionZip, findCollected } from './open-collection-file.ts'

type ZippedOrder = ZipOptions & OrderOfFile
type ZippedCollection = CollectedKey & { forms: readonly FileForm[] }

export type ExportZipOrder = {
  accountId: string
  /** Subject of the ZIP, and the forms that go in beside the exports. */
  of: ZippedOrder | ZippedCollection
  exports: readonly ZipExport[]
  passageMs: number
}

/** `stem` is what the ZIP is called before its ending. */
type Zipped = { stem: string; order: ArchiveOrder; textOf(index: number): LibraryRow | undefined }

/**
 * Opens the ZIP of a job, a batch or a collection that holds an export of each video beside its files; made while it
 * is sent. Returns null where the account has no such order or collection.
 */
export async function openExportZip(
  source: TextSource,
  input: ExportZipOrder,
): Promise<Export | null> {
  const { accountId, of } = input
  const zipped = isOrder(of)
    ? await zipOfOrder(source, { accountId, ...of }, input.exports)
    : await zipOfCollection(source, accountId, { ...of, exports: input.exports })
  if (zipped === null) return null
  const times = input.exports.some(isWordFile) ? WORDS_TO_SEGMENTS : 1
  const texts = zipped.order.rows.map((row) => ({ sizeBytes: exportBytesOf(row) * times }))
  const name = `${zipped.stem}.zip`
  const heldBytes = heldBytesOf({ chunks: texts })
  const begin = async () => sendZip(filesOf(source, input, zipped)) as AsyncIterable<Buffer>
  return { name, contentType: 'application/zip', heldBytes, begin }
}

/** How many times the bytes of its segments the words of a text take as JSON: some seven objects for each segment. */
const WORDS_TO_SEGMENTS = 6

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
    const hasWordTimes = input.exports.some(isWordFile)
    const read = await readStored(source, texts, { hasWordTimes })
    const storedOf = new Map(read.map((text) => [text.row, text]))
    for (const named of group) {
      const text = textOf(named.row.index)
      const stored = text && storedOf.get(text)
      assert(stored !== undefined, `the text of row ${named.row.index} is stored`)
      for (const file of filesOfText(source.textReader, input, { ...named, ...stored }))
        yield madeFile({ name: file.name, at: named.row.publishedAt }, file.bytes)
    }
  }
  const allText = await inTurns(allTextSteps(order.rows, order.read))
  const at = newestDate(order.rows)
  yield madeFile({ name: ALL_TEXT_NAME, at }, streamBody(allText))
  for (const [name, file] of filesBeside(order)) yield madeFile({ name, at }, streamBody(file))
}

type MadeFile = { name: string; bytes: AsyncIterable<Buffer> }

/** Returns a text's files by name; each is made when it is read. */
function filesOfText(
  textReader: TextReader,
  { exports, passageMs }: ExportZipOrder,
  { stem, entries, stored, video, wordTimes }: NamedEntries & StoredText,
): MadeFile[] {
  const forms = entries.map(({ name, form }) => ({ name, bytes: formOf(textReader, stored, form) }))
  const exported = exports.flatMap((file) => {
    if (!isWordFile(file)) {
      const bytes = textReader.writeExport(stored, { file, video, passageMs })
      return [{ name: `${stem}.${endingOfExport(file)}`, bytes }]
    }
    if (wordTimes === null) return []
    const bytes = textReader.writeWordFile(stored, { file, wordTimes })
    return [{ name: `${stem}.${file}`, bytes }]
  })
  return [...forms, ...exported].sort((a, b) => (a.name < b.name ? -1 : 1))
}

async function* formOf(
  textReader: TextReader,
  stored: Buffer,
  form: Form,
): AsyncGenerator<Buffer, void> {
  for (const { content } of await textReader.writeForms(stored, [form])) yield* slicesOf(content)
}

async function zipOfOrder(
  source: TextSource,
  input: OrderAsked & ZipOptions,
  exports: readonly ZipExport[],
): Promise<Zipped | null> {
  const found = await findFiledOrder(source.db, input)
  if (found === null) return null
  const texts = await readTextsOfOrder(source.db, found)
  const order = await zipOrder({ source, order: found, input }, texts, exports.length)
  const byPlace = new Map(texts.map(({ place, row }) => [place, row]))
  return { stem: await stemOfOrder(found), order, textOf: (place) => byPlace.get(place) }
}

async function zipOfCollection(
  source: TextSource,
  accountId: string,
  { forms, exports, ...of }: ZippedCollection & { exports: readonly ZipExport[] },
): Promise<Zipped | null> {
  const found = await findCollected(source.db, accountId, of)
  if (found === null) return null
  const { order, texts } = await collectionZip(source, { ...found.owned, forms }, exports)
  return { stem: found.stem, order, textOf: (place) => texts[place - 1] }
}

function isWordFile(file: ZipExport): file is WordFile {
  return WORD_FILES.some((known) => known === file)
}
