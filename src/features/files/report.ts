/**
 * report.csv: one line per video, failures included. RFC 4180, UTF-8, CRLF.
 *
 * A job may have many more rows than it delivered, so the report is made a batch at a time, twice:
 * once to know its size and hashes before the first byte, once to send it. A report that fits into
 * one chunk is kept from the first time.
 */
import { createHash } from 'node:crypto'
import zlib from 'node:zlib'
import { LIMITS } from '../../config/config.ts'
import { csvHead, type TableStyle } from '../../kit/text/csv.ts'
import { bodyOf, type Chunk, CHUNK_BYTES, chunkOf, type HashedBody } from '../../kit/file-body.ts'
import { setLatest } from '../../kit/latest.ts'
import {
  type ReadReportRows,
  REPORT_COLUMNS,
  reportLine,
  type ReportRow,
} from '../../model/files/job-rows.ts'

export const REPORTED_COLUMNS = [
  'index',
  ...REPORT_COLUMNS,
  'chargedUsd',
] as const satisfies (keyof ReportRow)[]

/** Measures of a report that was made: its batches of rows, each by the index before its first. */
type Measured = {
  crc32: number
  sha256: string
  batches: readonly { after: number; sizeBytes: number }[]
}

/** Reports that this process has made, by what they are of: the same rows, which are finished, and the same head. */
const MEASURED = new Map<string, Measured>()
const MEASURED_MAX = 1_000

/**
 * Returns the report. Under a `name`, which stands for the
 * same rows for ever, it is made to be measured only once; later, its rows are read when they are sent.
 */
export async function reportOf(
  readRows: ReadReportRows,
  { bom, separator, name = null }: TableStyle & { name?: string | null },
): Promise<HashedBody> {
  const head = Buffer.from(csvHead(REPORTED_COLUMNS, { bom, separator }))
  const key = `${name} ${bom} ${separator}`
  const linesOf = (rows: readonly ReportRow[]): Buffer =>
    Buffer.from(rows.map((row) => reportLine(REPORTED_COLUMNS, row, separator)).join(''))
  const measured = name === null ? undefined : MEASURED.get(key)
  if (measured !== undefined) return laidOut(readRows, { head, linesOf }, measured)

  const hash = createHash('sha256').update(head)
  const kept: Buffer[] = [head]
  let [crc32, keptBytes] = [zlib.crc32(head), head.length]
  const batches: Measured['batches'][number][] = []

  for (let after = 0; ;) {
    const ask = { after, limit: LIMITS.reportRowsAtOnce }
    const rows = await readRows(ask)
    const lines = linesOf(rows)
    batches.push({ after, sizeBytes: lines.length })
    hash.update(lines)
    crc32 = zlib.crc32(lines, crc32)
    if (keptBytes < CHUNK_BYTES) {
      kept.push(lines)
      keptBytes += lines.length
    }
    after = rows.at(-1)?.index ?? after
    if (rows.length < ask.limit) break
  }

  const made = { crc32, sha256: hash.digest('hex'), batches }
  if (name !== null) setLatest(MEASURED, key, { value: made, max: MEASURED_MAX })
  const isKept = kept.length === batches.length + 1
  const body = laidOut(readRows, { head, linesOf }, made)
  return isKept ? { ...body, ...bodyOf([chunkOf(Buffer.concat(kept))]) } : body
}

/** Lays out a report whose rows are read when they are sent. */
function laidOut(
  readRows: ReadReportRows,
  { head, linesOf }: { head: Buffer; linesOf(rows: readonly ReportRow[]): Buffer },
  { batches, crc32, sha256 }: Measured,
): HashedBody {
  const limit = LIMITS.reportRowsAtOnce
  const chunks = batches.map(({ after, sizeBytes }): Chunk => {
    return { sizeBytes, load: async () => linesOf(await readRows({ after, limit })) }
  })
  return { ...bodyOf([chunkOf(head), ...chunks]), crc32, sha256 }
}
