/** Makes the report of a collection, a part at a time. */
import { createHash } from 'node:crypto'
import zlib from 'node:zlib'
import { LIMITS } from '../../kit/config/config.ts'
import { bodyOf, type Chunk, CHUNK_BYTES, chunkOf, type HashedBody } from '../../kit/file-body.ts'
import { yieldToEventLoop } from '../../kit/concurrency.ts'
import { csvLine } from '../../kit/text/csv.ts'
import { COLLECTION_COLUMNS, type ReportedVideo } from '../../model/library/collection.ts'
import { reportLine } from '../../model/transcripts/job-rows.ts'

/** Makes the report and keeps it as a whole: what comes to the collection while it is sent must not change it. */
export async function createCollectionReport(rows: readonly ReportedVideo[]): Promise<HashedBody> {
  const hash = createHash('sha256')
  const chunks: Chunk[] = []
  let crc32 = 0
  const add = (text: string): void => {
    const bytes = Buffer.from(text)
    hash.update(bytes)
    crc32 = zlib.crc32(bytes, crc32)
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
      chunks.push(chunkOf(bytes.subarray(at, at + CHUNK_BYTES)))
  }
  add(csvLine(COLLECTION_COLUMNS))
  for (let at = 0; at < rows.length; at += LIMITS.reportRowsAtOnce) {
    await yieldToEventLoop()
    const page = rows.slice(at, at + LIMITS.reportRowsAtOnce)
    add(page.map((row) => reportLine(COLLECTION_COLUMNS, row)).join(''))
  }
  return { ...bodyOf(chunks), crc32, sha256: hash.digest('hex') }
}
