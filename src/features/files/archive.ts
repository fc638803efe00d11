/**
 * The ZIP of a job or a collection: forms of rows, written as they are sent.
 *
 *     <stem>.json  <stem>.srt  …
 *     all-transcripts.txt
 *     report.csv
 *     README.txt         of a project
 *     central directory
 *
 * Entries are stored, not compressed; names are sorted, a file's date is that of its video, as the platform wrote it,
 * and every size and CRC-32 is recorded: the same rows give the same bytes in every release, the length is known before
 * the first byte, and a range loads only what it touches.
 */
import { createHash } from 'node:crypto'
import { LIMITS } from '../../config/config.ts'
import { Problem } from '../../kit/problem.ts'
import type { FileForm } from '../../model/files/catalogue.ts'
import { allTextSteps } from './all-text.ts'
import {
  type FileBody,
  bodyOf,
  type Chunk,
  CHUNK_BYTES,
  chunkOf,
  gather,
  type HashedBody,
  totalBytes,
} from '../../kit/file-body.ts'
import {
  ALL_TEXT_NAME,
  type Naming,
  README_NAME,
  REPORT_NAME,
  stemOf,
} from '../../model/files/file-names.ts'
import { factsOf } from '../transcripts/read-transcripts.ts'
import type { DeliveredRow, FormKey, ReadForms } from '../../model/files/job-rows.ts'
import { eachInSteps, type Steps } from '../../model/transcripts/steps.ts'
import {
  directoryChunks,
  ENTRIES_A_STEP,
  localHeader,
  localHeaderBytes,
  placeEntries,
  type ZipEntry,
  type ZipNamed,
} from '../../model/files/zip.ts'

/** The layout's version, a part of the archive's hash; raise it with any change of its bytes. */
const LAYOUT_VERSION = 4

/** Names of a ZIP's files, and its description. */
export type ArchiveFrame = {
  /** How the rows' files are called; a function gives names of its own, which are unique. */
  naming: Naming | ((row: DeliveredRow) => string)
  /** Text of README.txt, where there is one. */
  readme?: HashedBody
}

export type ArchiveOrder = ArchiveFrame & {
  /** The rows in index order. */
  rows: readonly DeliveredRow[]
  /** The forms that go in, sorted by ending: the same ones for every row, or a function of the row. */
  forms: readonly FileForm[] | ((row: DeliveredRow) => readonly FileForm[])
  report: HashedBody
  read: ReadForms
}

/** The ZIP; `sha256` (hex) is of the entries' names, dates and content hashes and the layout's version. */
export type Archive = FileBody & { sha256: string }

type FormEntry = ZipEntry & FormKey
export type NamedEntries = { stem: string; entries: FormEntry[] }
/** A row's entries, and the bytes that they take. */
type RowEntries = NamedEntries & { row: DeliveredRow; sizeBytes: number }

/** Lays the archive out in steps; nothing is read until it is sent. */
export function* archiveSteps(order: ArchiveOrder): Steps<Archive> {
  const { rows, read } = order
  const allText = yield* allTextSteps(rows, read)
  const perRow = yield* entriesOf(order)
  const at = newestDate(rows)
  const wholes = [
    wholeFile({ name: ALL_TEXT_NAME, at }, allText),
    ...filesBeside(order).map(([name, file]) => wholeFile({ name, at }, file)),
  ]
  const entries: ZipEntry[] = [
    ...perRow.flatMap((row) => row.entries),
    ...wholes.map(({ entry }) => entry),
  ]
  const placed = yield* placeEntries(entries)
  yield
  const chunks: Chunk[] = [
    ...gather(perRow.flatMap(entriesTogether)).map((group) => entriesChunk(group, read)),
    ...wholes.flatMap(({ entry, file }) => [chunkOf(localHeader(entry)), ...file.chunks]),
    ...directoryChunks(placed),
  ]
  yield
  const contents = perRow.flatMap((row) => row.entries.map(({ facts }) => facts.sha256))
  const hashes = wholes.map(({ file }) => file.sha256)
  const sha256 = yield* hashOf(entries, [...contents, ...hashes])
  return { ...bodyOf(chunks), sha256 }
}

/**
 * Throws where a ZIP cannot name the files, `exports` further ones of each row among them, or their bytes; some are
 * left for its records and all-transcripts.txt's heads.
 */
export function requireRoom(
  rows: readonly DeliveredRow[],
  { forms, exports }: { forms: readonly FileForm[]; exports: number },
): void {
  let [files, bytes] = [0, 0]
  for (const { forms: stored } of rows) {
    bytes += stored.txt?.sizeBytes ?? 0 // all-transcripts.txt
    for (const form of forms) {
      files += stored[form] === undefined ? 0 : 1
      bytes += stored[form]?.sizeBytes ?? 0
    }
    files += exports // made on the way: a ZIP with exports may grow beyond 4 GB
  }
  if (files <= LIMITS.zipEntriesMax && bytes <= LIMITS.zipBytesMax) return
  throw new Problem('invalid_request', {
    message: `formats: ${rows.length} texts in these formats are more than the ${LIMITS.zipEntriesMax} files or 4 GB that a ZIP can hold; choose fewer formats, or take all.txt or export.jsonl.`,
    field: 'formats',
  })
}

/** Returns the files that stand behind all texts, by name. */
export function filesBeside({ report, readme }: ArchiveOrder): [name: string, file: HashedBody][] {
  const described: [string, HashedBody][] = readme === undefined ? [] : [[README_NAME, readme]]
  return [[REPORT_NAME, report], ...described]
}

/** Returns the date of a file of several videos: that of the last, as it is written; null where none is known. */
export function newestDate(videos: readonly { publishedAt: string | null }[]): string | null {
  return videos.reduce<string | null>((newest, { publishedAt }) => {
    return newest === null || (publishedAt ?? '') > newest ? publishedAt : newest
  }, null)
}

function wholeFile(named: ZipNamed, file: HashedBody): { entry: ZipEntry; file: HashedBody } {
  const { sizeBytes, crc32 } = file
  return { entry: { ...named, sizeBytes, crc32 }, file }
}

/**
 * Yields the entries row by row. Names begin with the index and a character below any digit, so that a row's files stay
 * together when sorted.
 */
export function* entriesOf({ rows, forms, naming }: ArchiveOrder): Steps<RowEntries[]> {
  const digits = String(rows.at(-1)?.index ?? 1).length
  const nameOf = typeof naming === 'function' ? naming : nameBy(naming, digits)
  const formsOf = typeof forms === 'function' ? forms : () => forms
  const named: { row: DeliveredRow; stem: string; key: string }[] = []
  yield* eachInSteps(rows, (row) => {
    const stem = nameOf(row)
    named.push({ row, stem, key: `${stem}.` })
  })
  named.sort((a, b) => (a.key < b.key ? -1 : 1))
  const perRow: RowEntries[] = []
  yield* eachInSteps(named, ({ row, stem }) => {
    const entries = formsOf(row).map((form) => formEntry(row, form, stem))
    const bytes = entries.map((entry) => localHeaderBytes(entry) + entry.sizeBytes)
    perRow.push({ row, stem, entries, sizeBytes: bytes.reduce((sum, one) => sum + one, 0) })
  })
  return perRow
}

function nameBy(naming: Naming, digits: number): (row: DeliveredRow) => string {
  return (row) => stemOf(row, naming, digits)
}

function formEntry(row: DeliveredRow, form: FileForm, stem: string): FormEntry {
  const facts = factsOf(row, form)
  const { sizeBytes, crc32 } = facts
  return {
    name: `${stem}.${form}`,
    at: row.publishedAt,
    sizeBytes,
    crc32,
    index: row.index,
    form,
    facts,
  }
}

type EntriesTogether = { entries: FormEntry[]; sizeBytes: number }

/** Returns what is read together of a row: all of its entries, or each by itself where they are large. */
function entriesTogether({ entries, sizeBytes }: RowEntries): EntriesTogether[] {
  if (sizeBytes <= CHUNK_BYTES) return [{ entries, sizeBytes }]
  return entries.map((entry) => {
    return { entries: [entry], sizeBytes: localHeaderBytes(entry) + entry.sizeBytes }
  })
}

function entriesChunk(group: readonly EntriesTogether[], read: ReadForms): Chunk {
  const load = async () => {
    const entries = group.flatMap((row) => row.entries)
    const contentOf = await read(entries)
    return Buffer.concat(entries.flatMap((entry) => [localHeader(entry), contentOf(entry)]))
  }
  return { sizeBytes: totalBytes(group), load }
}

function* hashOf(entries: readonly ZipEntry[], contents: readonly string[]): Steps<string> {
  const hash = createHash('sha256').update(`layout ${LAYOUT_VERSION}\n`)
  const add = ({ name, at }: ZipEntry, place: number): void => {
    hash.update(`${JSON.stringify([name, at])} ${contents[place] ?? ''}\n`)
  }
  yield* eachInSteps(entries, add, ENTRIES_A_STEP)
  return hash.digest('hex')
}
