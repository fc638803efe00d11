/**
 * A ZIP with files that are made while it is sent, beside those of the archive (archive.ts). Its length is not
 * known before the last byte, so no part of it can be asked for; a group of rows is in memory at a time.
 */
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { keptOutput, ownPieceBytes } from '../../kit/zlib-output.ts'
import { deflateStream } from '../../model/transcripts/gzip-member.ts'
import { allTextSteps } from './all-text.ts'
import { type ArchiveOrder, entriesOf, type RowEntries, storedEntry } from './archive.ts'
import { gather, type HashedBody, streamBody } from '../../kit/file-body.ts'
import { ALL_TEXT_NAME, REPORT_NAME } from '../../model/transcripts/file-names.ts'
import type { DeliveredRow } from '../../model/transcripts/job-rows.ts'
import type { Steps } from '../../model/transcripts/steps.ts'
import {
  directoryChunks,
  localHeader,
  localHeaderBytes,
  type PlacedEntry,
  type ZipEntry,
} from '../../model/transcripts/zip-records.ts'

/** Files of one row that are not stored, by their endings. */
export type MadeFiles = { index: number; files: { ending: string; content: Buffer }[] }

export type StreamedArchiveOrder = ArchiveOrder & {
  /** Those of some rows, in no order; of a row whose text is gone none. */
  makeFiles(rows: readonly DeliveredRow[]): AsyncIterable<MadeFiles>
  /** Does long work in steps, as the caller likes it. */
  inTurns<T>(steps: Steps<T>): Promise<T>
}

type ReadyEntry = { entry: ZipEntry; body: Buffer }

/** Above this it is compressed off the main thread. */
const DEFLATE_HERE_BYTES = 100_000

const deflateRaw = promisify<Buffer, Buffer>(zlib.deflateRaw)

/** Names are sorted within a row, rows by their names, as in the archive. */
export async function* streamArchive(order: StreamedArchiveOrder): AsyncGenerator<Buffer, void> {
  const { rows, report, readers, inTurns } = order
  const placed: PlacedEntry[] = []
  let offset = 0
  const place = (entry: ZipEntry): Buffer => {
    placed.push({ ...entry, offset })
    offset += localHeaderBytes(entry) + entry.packedBytes
    return localHeader(entry)
  }

  for (const group of gather(await inTurns(entriesOf(order)))) {
    for await (const { entry, body } of readyEntries(group, order)) {
      yield place(entry)
      yield body
    }
  }
  const allText = await inTurns(allTextSteps(rows, readers))
  const wholes: [string, HashedBody][] = [
    [ALL_TEXT_NAME, allText],
    [REPORT_NAME, report],
  ]
  for (const [name, file] of wholes) {
    yield place(storedEntry(name, file))
    yield* streamBody(file)
  }
  for (const chunk of directoryChunks({ placed, endOffset: offset })) yield chunk.load()
}

/** Stored members as they are, and what is made of the rows. */
async function* readyEntries(
  group: readonly RowEntries[],
  { readers, makeFiles }: StreamedArchiveOrder,
): AsyncGenerator<ReadyEntry, void> {
  const memberOf = await readers.members(group.flatMap(({ entries }) => entries))
  const byIndex = new Map(group.map((entries) => [entries.row.index, entries]))
  const stored = ({ entries }: RowEntries): ReadyEntry[] =>
    entries.map((entry) => ({ entry, body: deflateStream(memberOf(entry), entry.facts) }))
  for await (const { index, files } of makeFiles(group.map(({ row }) => row))) {
    const row = byIndex.get(index)
    if (row === undefined) continue
    byIndex.delete(index)
    const made = await Promise.all(files.map((file) => deflated(row.stem, file)))
    const all = [...stored(row), ...made]
    yield* all.sort((a, b) => (a.entry.name < b.entry.name ? -1 : 1))
  }
  for (const row of byIndex.values()) yield* stored(row)
}

async function deflated(
  stem: string,
  { ending, content }: MadeFiles['files'][number],
): Promise<ReadyEntry> {
  const isSmall = content.length < DEFLATE_HERE_BYTES
  const options = { chunkSize: ownPieceBytes(content.length) }
  const body = isSmall
    ? keptOutput(zlib.deflateRawSync(content, options))
    : await deflateRaw(content)
  const sizes = { packedBytes: body.length, sizeBytes: content.length }
  const entry = { name: `${stem}.${ending}`, method: 'deflate', ...sizes } as const
  return { entry: { ...entry, crc32: zlib.crc32(content) }, body }
}
