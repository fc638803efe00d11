/** The content of a reply as it came over the wire, and as it was before it was compressed. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { freeOutput, ownPieceBytes } from '../../kit/zlib-output.ts'

/** `encoding`: as `Content-Encoding` names it, null for none. */
export type Content = { raw: Uint8Array; encoding: string | null }

export type Decoded =
  { kind: 'bytes'; bytes: Buffer } | { kind: 'too_large' } | { kind: 'truncated' }

/** zlib's usual size of a piece of output. */
const PIECE_BYTES = 16_384
/** So many bytes stand for one at most, in deflate. */
const DEFLATE_RATIO_MAX = 1_032
/** How long its content is stands in the last four bytes of gzip. */
const GZIP_SIZE_BYTES = 4

/** Stops at `bytesMax` of decompressed content, so its time is bounded whatever was sent. */
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
  if (encoding === 'gzip')
    return gunzipSync(raw, { maxOutputLength: bytesMax, chunkSize: pieceOf(raw, bytesMax) })
  if (encoding === 'br')
    return brotliDecompressSync(raw, {
      maxOutputLength: bytesMax,
      chunkSize: ownPieceBytes(PIECE_BYTES),
    })
  return Buffer.from(raw.buffer, raw.byteOffset, raw.length)
}

/**
 * One output buffer of the right size instead of a list of small ones. What the sender says of it is believed as far
 * as it can be true.
 */
function pieceOf(raw: Uint8Array, bytesMax: number): number {
  if (raw.length < GZIP_SIZE_BYTES) return ownPieceBytes(PIECE_BYTES)
  const said = Buffer.from(raw.buffer, raw.byteOffset, raw.length).readUInt32LE(
    raw.length - GZIP_SIZE_BYTES,
  )
  const isPossible = said < bytesMax && said <= raw.length * DEFLATE_RATIO_MAX
  return ownPieceBytes(isPossible ? said + 1 : PIECE_BYTES)
}

/** Frees what `decode` made of the content, once nobody reads it any more; what was never compressed stays. */
export function freeDecoded(decoded: Buffer, { raw }: Content): void {
  if (decoded.buffer !== raw.buffer) freeOutput(decoded)
}
