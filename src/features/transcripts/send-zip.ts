/**
 * One ZIP of files whose sizes are not known before they are read, sent as they are made. For files of a job or a
 * collection, whose sizes are recorded, archive.ts makes ZIPs that can be continued and are the same each time.
 */
import { once } from 'node:events'
import { PassThrough, type Readable } from 'node:stream'
import { ZipFile } from 'yazl'

export type SentFile = {
  /** The name, with `/` between folders. */
  name: string
  at: Date
  /** True where the content is compressed already. */
  isPacked: boolean
  bytes: Readable
}

/**
 * Sends the files: the next is asked for when the one before is sent. A failure ends the stream and the files with it.
 */
export function sendZip(files: AsyncGenerator<SentFile, void>): Readable {
  const zip = new ZipFile()
  const out = new PassThrough()
  const fail = (error: unknown): void => void out.destroy(error as Error)
  zip.on('error', fail)
  zip.outputStream.pipe(out)
  void addAll(zip, files, out).catch(fail)
  return out
}

async function addAll(
  zip: ZipFile,
  files: AsyncGenerator<SentFile, void>,
  out: PassThrough,
): Promise<void> {
  const left = new AbortController()
  let open: Readable | null = null
  out.once('close', () => {
    left.abort()
    open?.destroy()
  })
  for await (const { name, at, isPacked, bytes } of files) {
    open = bytes
    const ended = once(bytes, 'end', { signal: left.signal })
    zip.addReadStream(bytes, name, { mtime: at, compress: !isPacked })
    await ended
  }
  zip.end()
}
