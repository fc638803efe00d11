/**
 * report.csv: one line per video, failures included. RFC 4180, UTF-8, CRLF.
 *
 * A job may have many more rows than it delivered, so the report is made a batch at a time, twice:
 * once to know its size and hashes before the first byte, once to send it. A report that fits into
 * one chunk is kept from the first time.
 */
import { createHash } from 'node:crypto'
import zlib from 'node:zlib'
import { LIMITS } from '../../kit/config/config.ts'
import { BYTE_ORDER_MARK, csvLine } from '../../kit/text/csv.ts'
import { bodyOf, type Chunk, CHUNK_BYTES, chunkOf, type HashedBody } from '../../kit/file-body.ts'
import {
  type ReadReportRows,
  reportLine,
  type ReportRow,
} from '../../model/transcripts/job-rows.ts'

const COLUMNS = [
  'index',
  'videoId',
  'title',
  'url',
  'channelName',
  'publishedAt',
  'status',
  'label',
  'errorMessage',
  'languageCode',
  'trackKind',
  'chargedUsd',
] as const satisfies (keyof ReportRow)[]

/** Makes the report; `bom` puts a byte order mark first, for old spreadsheets. */
export async function reportOf(
  readRows: ReadReportRows,
  { bom }: { bom: boolean },
): Promise<HashedBody> {
  const head = Buffer.from((bom ? BYTE_ORDER_MARK : '') + csvLine(COLUMNS))
  const hash = createHash('sha256').update(head)
  const kept: Buffer[] = [head]
  let [crc32, keptBytes] = [zlib.crc32(head), head.length]
  const batches: Chunk[] = []

  for (let after = 0; ;) {
    const ask = { after, limit: LIMITS.reportRowsAtOnce }
    const rows = await readRows(ask)
    const lines = linesOf(rows)
    batches.push({ sizeBytes: lines.length, load: async () => linesOf(await readRows(ask)) })
    hash.update(lines)
    crc32 = zlib.crc32(lines, crc32)
    if (keptBytes < CHUNK_BYTES) {
      kept.push(lines)
      keptBytes += lines.length
    }
    after = rows.at(-1)?.index ?? after
    if (rows.length < ask.limit) break
  }

  const isKept = kept.length === batches.length + 1
  const chunks = isKept ? [chunkOf(Buffer.concat(kept))] : [chunkOf(head), ...batches]
  return { ...bodyOf(chunks), crc32, sha256: hash.digest('hex') }
}

function linesOf(rows: readonly ReportRow[]): Buffer {
  return Buffer.from(rows.map((row) => reportLine(COLUMNS, row)).join(''))
}
