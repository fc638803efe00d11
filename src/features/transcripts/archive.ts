/**
 * The ZIP of a job: gzip members spliced into entries, those stored as they are, the others made as they are sent.
 *
 *     <stem>.json  <stem>.srt  …    deflate, the member without its frame
 *     all-transcripts.txt           stored, made of the texts as it is sent
 *     report.csv                    stored
 *     central directory
 *
 * Names are sorted, the time is fixed and every size is recorded: the same job gives the same bytes
 * for ever, the length is known before the first byte, and a range loads only what it touches.
 */
import { createHash } from 'node:crypto'
import type { FileForm } from '../../model/transcripts/formats.ts'
import {
  deflateStream,
  deflateStreamBytes,
  type MemberFacts,
} from '../../model/transcripts/gzip-member.ts'
import { allTextSteps } from './all-text.ts'
import {
  type FileBody,
  bodyOf,
  type Chunk,
  chunkOf,
  gather,
  type HashedBody,
  totalBytes,
} from '../../kit/file-body.ts'
import {
  ALL_TEXT_NAME,
  type Naming,
  REPORT_NAME,
  stemOf,
} from '../../model/transcripts/file-names.ts'
import type { DeliveredRow, ReadForms, RowReaders } from '../../model/transcripts/job-rows.ts'
import { memberFacts } from './members.ts'
import { atOnce, eachInSteps, type Steps } from '../../model/transcripts/steps.ts'
import {
  directoryChunks,
  ENTRIES_A_STEP,
  localHeader,
  localHeaderBytes,
  placeEntries,
  type ZipEntry,
} from '../../model/transcripts/zip-records.ts'

/** Part of the archive's hash; raise it with any change of its bytes. */
const LAYOUT_VERSION = 1

export type ArchiveOrder = {
  /** In index order. */
  rows: readonly DeliveredRow[]
  /** Which forms go in, sorted by ending: the same of every row, or of each its own. */
  forms: readonly FileForm[] | ((row: DeliveredRow) => readonly FileForm[])
  /** How their files are called; a function gives names of its own, which are unique. */
  naming: Naming | ((row: DeliveredRow) => string)
  report: HashedBody
  readers: RowReaders
}

/** `sha256` (hex) is of the entries' names, sizes and content hashes and the layout's version. */
export type Archive = FileBody & { sha256: string }

type Layout = Pick<ArchiveOrder, 'rows' | 'forms' | 'naming'>
type FormEntry = ZipEntry & { index: number; form: FileForm; facts: MemberFacts }
/** A row's entries, and the bytes that they take. */
export type RowEntries = {
  row: DeliveredRow
  stem: string
  entries: FormEntry[]
  sizeBytes: number
}

/** Lays the archive out; nothing is read until it is sent. */
export function archiveOf(order: ArchiveOrder): Archive {
  return atOnce(archiveSteps(order))
}

/** The same in steps. */
export function* archiveSteps(order: ArchiveOrder): Steps<Archive> {
  const { rows, report, readers } = order
  const allText = yield* allTextSteps(rows, readers)
  const perRow = yield* entriesOf(order)
  const wholeJob = [
    { entry: storedEntry(ALL_TEXT_NAME, allText), file: allText },
    { entry: storedEntry(REPORT_NAME, report), file: report },
  ]
  const entries: ZipEntry[] = [
    ...perRow.flatMap((row) => row.entries),
    ...wholeJob.map(({ entry }) => entry),
  ]
  const placed = yield* placeEntries(entries)
  yield
  const chunks: Chunk[] = [
    ...gather(perRow).map((group) => spliceEntries(group, readers.members)),
    ...wholeJob.flatMap(({ entry, file }) => [chunkOf(localHeader(entry)), ...file.chunks]),
    ...directoryChunks(placed),
  ]
  yield
  const contents = perRow.flatMap((row) => row.entries.map(({ facts }) => facts.sha256))
  const sha256 = yield* hashOf(entries, [...contents, allText.sha256, report.sha256])
  return { ...bodyOf(chunks), sha256 }
}

/** Names begin with the index and a character below any digit: sorted, rows stay together. */
export function* entriesOf({ rows, forms, naming }: Layout): Steps<RowEntries[]> {
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
    const entries = formsOf(row).map((form) => deflateEntry(row, form, stem))
    const sizes = entries.map((entry) => ({
      sizeBytes: localHeaderBytes(entry) + entry.packedBytes,
    }))
    perRow.push({ row, stem, entries, sizeBytes: totalBytes(sizes) })
  })
  return perRow
}

function nameBy(naming: Naming, digits: number): (row: DeliveredRow) => string {
  return (row) => stemOf(row, naming, digits)
}

function deflateEntry(row: DeliveredRow, form: FileForm, stem: string): FormEntry {
  const facts = memberFacts(row, form)
  const { sizeBytes, crc32 } = facts
  const packedBytes = deflateStreamBytes(facts)
  const name = `${stem}.${form}`
  const entry: ZipEntry = { name, method: 'deflate', packedBytes, sizeBytes, crc32 }
  return { ...entry, index: row.index, form, facts }
}

export function storedEntry(
  name: string,
  { sizeBytes, crc32 }: Pick<HashedBody, 'sizeBytes' | 'crc32'>,
): ZipEntry {
  return { name, method: 'store', packedBytes: sizeBytes, sizeBytes, crc32 }
}

function spliceEntries(group: readonly RowEntries[], readMembers: ReadForms): Chunk {
  const load = async () => {
    const entries = group.flatMap((row) => row.entries)
    const memberOf = await readMembers(entries)
    const parts = entries.map((entry) => {
      return [localHeader(entry), deflateStream(memberOf(entry), entry.facts)]
    })
    return Buffer.concat(parts.flat())
  }
  return { sizeBytes: totalBytes(group), load }
}

function* hashOf(entries: readonly ZipEntry[], contents: readonly string[]): Steps<string> {
  const hash = createHash('sha256').update(`layout ${LAYOUT_VERSION}\n`)
  const add = ({ name, method, packedBytes, sizeBytes }: ZipEntry, at: number): void => {
    const facts = `${method} ${packedBytes} ${sizeBytes} ${contents[at] ?? ''}`
    hash.update(`${JSON.stringify(name)} ${facts}\n`)
  }
  yield* eachInSteps(entries, add, ENTRIES_A_STEP)
  return hash.digest('hex')
}
