/** Files that are kept as a whole: what comes to their rows while they are sent must not change them. */
import { createHash } from 'node:crypto'
import zlib from 'node:zlib'
import { bodyOf, type Chunk, CHUNK_BYTES, chunkOf, type HashedBody } from '../../kit/file-body.ts'

/** Keeps a file as a whole while its text is added. */
export function keptText(): { add: (text: string) => void; end: () => HashedBody } {
  const hash = createHash('sha256')
  const chunks: Chunk[] = []
  let crc32 = 0
  return {
    add(text) {
      const bytes = Buffer.from(text)
      hash.update(bytes)
      crc32 = zlib.crc32(bytes, crc32)
      for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
        chunks.push(chunkOf(bytes.subarray(at, at + CHUNK_BYTES)))
    },
    end: () => ({ ...bodyOf(chunks), crc32, sha256: hash.digest('hex') }),
  }
}
