/**
 * One ZIP of files whose sizes are not known before they are read, sent as they are made. For files of a job or a
 * collection, whose sizes are recorded, archive.ts makes ZIPs that can be continued and are the same each time.
 */
import { PassThrough, pipeline, Readable } from 'node:stream'
import zlib from 'node:zlib'
import { yieldToEventLoop } from '../../kit/concurrency.ts'
import {
  centralHeader,
  descriptor,
  endOfZip,
  ENTRIES_A_STEP,
  localHeader,
  type PlacedEntry,
  type Streamed,
  type ZipNamed,
} from '../../model/files/zip.ts'

export type SentFile = ZipNamed & {
  /** True where the content is compressed already. */
  isPacked: boolean
  bytes: Readable
}

/** Returns a file that is made when it is sent. */
export function madeFile({ name, at }: ZipNamed, bytes: AsyncIterable<Buffer>): SentFile {
  return { name, at, isPacked: false, bytes: Readable.from(bytes) }
}

/**
 * Sends the files: the next is asked for when the one before is sent. A failure ends the stream and the files with it.
 */
export function sendZip(files: AsyncGenerator<SentFile, void>): Readable {
  const out = new PassThrough()
  let open: Readable | null = null
  out.once('close', () => open?.destroy()) // a file that a reader left unread ends nowhere else
  const zip = zipOf(files, (bytes) => {
    if (out.destroyed) bytes.destroy()
    open = bytes
  })
  pipeline(zip, out, () => undefined) // a failure ends `out` with its error
  return out
}

/** Yields the bytes of the ZIP: each file as it is made, then the directory, a part in each turn of the event loop. */
async function* zipOf(
  files: AsyncGenerator<SentFile, void>,
  onOpen: (bytes: Readable) => void,
): AsyncGenerator<Buffer, void> {
  const entries: PlacedEntry[] = []
  let offset = 0
  for await (const file of files) {
    onOpen(file.bytes)
    await yieldToEventLoop()
    const streamed: Streamed = { isDeflated: !file.isPacked, packedBytes: 0 }
    const entry = { name: file.name, at: file.at, offset, crc32: 0, sizeBytes: 0, streamed }
    const header = localHeader(entry)
    yield header
    for await (const piece of packed(file.bytes, entry)) {
      streamed.packedBytes += piece.length
      yield piece
    }
    const behind = descriptor(entry)
    yield behind
    entries.push(entry)
    offset += header.length + streamed.packedBytes + behind.length
  }
  let sizeBytes = 0
  for (let at = 0; at < entries.length; at += ENTRIES_A_STEP) {
    await yieldToEventLoop()
    const part = Buffer.concat(entries.slice(at, at + ENTRIES_A_STEP).map(centralHeader))
    sizeBytes += part.length
    yield part
  }
  yield endOfZip({ entries: entries.length, offset, sizeBytes })
}

/** Returns the content as it stands in the ZIP, and counts what it is made of. */
function packed(
  bytes: Readable,
  entry: PlacedEntry & { streamed: Streamed },
): AsyncIterable<Buffer> {
  async function* counted(): AsyncGenerator<Buffer, void> {
    for await (const read of bytes as AsyncIterable<Buffer | string>) {
      const piece = typeof read === 'string' ? Buffer.from(read) : read
      entry.crc32 = zlib.crc32(piece, entry.crc32)
      entry.sizeBytes += piece.length
      yield piece
    }
  }
  if (!entry.streamed.isDeflated) return counted()
  return pipeline(counted(), zlib.createDeflateRaw(), () => undefined) // its reader gets the error
}
