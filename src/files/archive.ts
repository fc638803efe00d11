/**
 * The ZIP of a job: stored gzip members spliced into entries, never compressed again.
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
import type { FileForm } from '../transcripts/formats.ts'
import { deflateStream, deflateStreamBytes, type MemberFacts } from '../transcripts/gzip-member.ts'
import { allTextOf } from './all-text.ts'
import {
  type FileBody,
  bodyOf,
  type Chunk,
  chunkOf,
  gather,
  type HashedBody,
  totalBytes,
} from './body.ts'
import { ALL_TEXT_NAME, type Naming, REPORT_NAME, stemOf } from './file-names.ts'
import type { DeliveredRow, ReadMembers } from './job-rows.ts'
import { memberFacts } from './members.ts'
import {
  directory,
  directoryBytes,
  localHeader,
  localHeaderBytes,
  placeEntries,
  type ZipEntry,
} from './zip-records.ts'

/** Part of the archive's hash; raise it with any change of its bytes. */
const LAYOUT_VERSION = 1

export type ArchiveOrder = {
  /** In index order. */
  rows: readonly DeliveredRow[]
  /** Which forms go in; every row has them. Sorted by ending. */
  forms: readonly FileForm[]
  naming: Naming
  report: HashedBody
  readMembers: ReadMembers
}

/** `sha256` (hex) is of the entries' names, sizes and content hashes and the layout's version. */
export type Archive = FileBody & { sha256: string }

type Layout = Pick<ArchiveOrder, 'rows' | 'forms' | 'naming'>
type FormEntry = ZipEntry & { index: number; form: FileForm; facts: MemberFacts }
type RowEntries = { entries: FormEntry[]; sizeBytes: number }

/** Lays the archive out; nothing is read until it is sent. */
export function archiveOf({ rows, forms, naming, report, readMembers }: ArchiveOrder): Archive {
  const allText = allTextOf(rows, readMembers)
  const perRow = entriesOf({ rows, forms, naming })
  const wholeJob = [
    { entry: storedEntry(ALL_TEXT_NAME, allText), file: allText },
    { entry: storedEntry(REPORT_NAME, report), file: report },
  ]
  const entries: ZipEntry[] = [
    ...perRow.flatMap((row) => row.entries),
    ...wholeJob.map(({ entry }) => entry),
  ]
  const { placed, endOffset } = placeEntries(entries)

  const chunks: Chunk[] = [
    ...gather(perRow).map((group) => spliceEntries(group, readMembers)),
    ...wholeJob.flatMap(({ entry, file }) => [chunkOf(localHeader(entry)), ...file.chunks]),
    { sizeBytes: directoryBytes(entries), load: () => directory(placed, endOffset) },
  ]
  const contents = perRow.flatMap((row) => row.entries.map(({ facts }) => facts.sha256))
  const sha256 = hashOf(entries, [...contents, allText.sha256, report.sha256])
  return { ...bodyOf(chunks), sha256 }
}

/** Names begin with the index and a character below any digit: sorted, rows stay together. */
function entriesOf({ rows, forms, naming }: Layout): RowEntries[] {
  const digits = String(rows.at(-1)?.index ?? 1).length
  const named = rows.map((row) => ({ row, stem: stemOf(row, naming, digits) }))
  named.sort((a, b) => (`${a.stem}.` < `${b.stem}.` ? -1 : 1))
  return named.map(({ row, stem }) => {
    const entries = forms.map((form) => deflateEntry(row, form, stem))
    const sizes = entries.map((entry) => ({
      sizeBytes: localHeaderBytes(entry) + entry.packedBytes,
    }))
    return { entries, sizeBytes: totalBytes(sizes) }
  })
}

function deflateEntry(row: DeliveredRow, form: FileForm, stem: string): FormEntry {
  const facts = memberFacts(row, form)
  const { sizeBytes, crc32 } = facts
  const packedBytes = deflateStreamBytes(facts)
  const name = `${stem}.${form}`
  const entry: ZipEntry = { name, method: 'deflate', packedBytes, sizeBytes, crc32 }
  return { ...entry, index: row.index, form, facts }
}

function storedEntry(name: string, { sizeBytes, crc32 }: HashedBody): ZipEntry {
  return { name, method: 'store', packedBytes: sizeBytes, sizeBytes, crc32 }
}

function spliceEntries(group: readonly RowEntries[], readMembers: ReadMembers): Chunk {
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

function hashOf(entries: readonly ZipEntry[], contents: readonly string[]): string {
  const lines = entries.map(({ name, method, packedBytes, sizeBytes }, at) => {
    return `${JSON.stringify(name)} ${method} ${packedBytes} ${sizeBytes} ${contents[at] ?? ''}\n`
  })
  return createHash('sha256')
    .update(`layout ${LAYOUT_VERSION}\n${lines.join('')}`)
    .digest('hex')
}
