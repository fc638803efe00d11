/** The content of a reply as it came over the wire, and its text. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib'

/** `encoding`: as `Content-Encoding` names it, null for none. */
export type Content = { raw: Uint8Array; encoding: string | null }

export type Decoded = { kind: 'text'; text: string } | { kind: 'too_large' } | { kind: 'truncated' }

/** Stops at `bytesMax` of decompressed content, so its time is bounded whatever was sent. */
export function decode({ raw, encoding }: Content, bytesMax: number): Decoded {
  if (raw.length === 0) return { kind: 'text', text: '' }
  try {
    const bytes = decompressed(raw, encoding, bytesMax)
    if (bytes.length > bytesMax) return { kind: 'too_large' }
    return {
      kind: 'text',
      text: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString(),
    }
  } catch (error) {
    const isFull =
      error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    return { kind: isFull ? 'too_large' : 'truncated' }
  }
}

function decompressed(raw: Uint8Array, encoding: string | null, bytesMax: number): Uint8Array {
  if (encoding === 'gzip') return gunzipSync(raw, { maxOutputLength: bytesMax })
  if (encoding === 'br') return brotliDecompressSync(raw, { maxOutputLength: bytesMax })
  return raw
}
