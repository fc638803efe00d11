/** The content of a reply, as received and decompressed. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib'

/** A content as received; `encoding` is as in `Content-Encoding`, null for none. */
export type Content = { raw: Uint8Array; encoding: string | null }

type Decoded = { kind: 'bytes'; bytes: Buffer } | { kind: 'too_large' } | { kind: 'truncated' }

/**
 * The usual ratio of compression, a little more than the sevenfold of captions. Output of that size is one piece, which
 * takes half of the time of many.
 */
const USUAL_RATIO = 8
const PIECE_BYTES = { min: 1_024, max: 1_048_576 }

/** Decompresses a content. It stops at `bytesMax` bytes, so its time is bounded whatever was sent. */
export function decode({ raw, encoding }: Content, bytesMax: number): Decoded {
  if (raw.length === 0) return { kind: 'bytes', bytes: Buffer.alloc(0) }
  try {
    const bytes = decompressed(raw, encoding, bytesMax)
    if (bytes.length > bytesMax) return { kind: 'too_large' }
    return { kind: 'bytes', bytes }
  } catch (error) {
    const isFull =
      error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    return { kind: isFull ? 'too_large' : 'truncated' }
  }
}

function decompressed(raw: Uint8Array, encoding: string | null, bytesMax: number): Buffer {
  const { min, max } = PIECE_BYTES
  const chunkSize = Math.min(max, Math.max(min, raw.length * USUAL_RATIO))
  const options = { maxOutputLength: bytesMax, chunkSize }
  if (encoding === 'gzip') return gunzipSync(raw, options)
  if (encoding === 'br') return brotliDecompressSync(raw, options)
  return Buffer.from(raw.buffer, raw.byteOffset, raw.length)
}
