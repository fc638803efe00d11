/** A job's ZIP, read entry by entry. It lies in a file without a name, which is gone whatever ends us. */
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { type Entry, fromFdPromise } from 'yauzl'
import type { Scriptorium } from '../../typescript/src/index.ts'
import { crc32 } from './crc32.ts'
import { EXIT, Failure } from './failure.ts'

export type JobZip = {
  /** By their ending, of each index. */
  entries: Map<number, Map<string, Entry>>
  /** Throws where the content is not what the ZIP's directory says. */
  read(entry: Entry): Promise<Buffer>
  close(): void
}

/** Of one video's files; `all-transcripts.txt` and the report are left in the ZIP. */
const VIDEO_FILE = /^([1-9]\d{0,9})\.(txt|srt|vtt|json)$/

const STORED = 0

/** `onShare` is told the share that has arrived, from 0 to 1; null where the size is not known. */
export async function downloadZip(
  client: Scriptorium,
  jobId: string,
  { folder, onShare }: { folder: string; onShare: (share: number | null) => void },
): Promise<JobZip> {
  // In a folder that others may write to, nobody can know the name before.
  const file = path.join(folder, `.scriptorium-${process.pid}-${randomUUID()}.zip`)
  const handle = fs.openSync(file, 'wx+', 0o600)
  try {
    fs.rmSync(file, { force: true })
    await receive(client, jobId, handle, onShare)
    return await openZip(handle)
  } catch (error) {
    fs.closeSync(handle)
    throw error
  }
}

async function receive(
  client: Scriptorium,
  jobId: string,
  handle: number,
  onShare: (share: number | null) => void,
): Promise<void> {
  const stream = await client.files.zip(jobId)
  let received = 0
  for await (const chunk of stream) {
    fs.writeSync(handle, chunk, 0, chunk.length, received)
    received += chunk.length
    onShare(stream.sizeBytes === null ? null : received / stream.sizeBytes)
  }
}

async function openZip(handle: number): Promise<JobZip> {
  const zip = await fromFdPromise(handle, { autoClose: false, lazyEntries: true })
  const entries: JobZip['entries'] = new Map()
  for await (const entry of zip.eachEntry()) {
    const [, digits, ending] = VIDEO_FILE.exec(entry.fileName) ?? []
    if (digits === undefined || ending === undefined) continue
    const index = Number(digits)
    entries.set(index, (entries.get(index) ?? new Map()).set(ending, entry))
  }
  return {
    entries,
    async read(entry) {
      const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true })
      // A stream for each text takes four times as long as reading it.
      const raw = Buffer.alloc(entry.compressedSize)
      fs.readSync(handle, raw, 0, raw.length, fileDataStart)
      const content = unpacked(raw, entry)
      if (content !== null && crc32(content) === entry.crc32) return content
      throw new Failure(`${entry.fileName} arrived damaged`, {
        exit: EXIT.busy,
        code: 'damaged',
        hint: 'the same command fetches it again',
      })
    },
    close: () => zip.close(),
  }
}

/** A text is small: inflating it in one piece is three times as quick as by a stream. Null where it is damaged. */
function unpacked(raw: Buffer, { compressionMethod, uncompressedSize }: Entry): Buffer | null {
  if (compressionMethod === STORED) return raw
  try {
    return inflateRawSync(raw, { maxOutputLength: Math.max(1, uncompressedSize) })
  } catch {
    return null
  }
}
