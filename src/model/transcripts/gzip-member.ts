/**
 * Gzip members: how every form is stored, so that files and archives are assembled from them and never
 * compressed again.
 *
 *     header (10)   deflate blocks, byte-aligned   last block (2)   CRC-32 (4)   size (4)
 *
 * The header carries no name and no time, so equal content is equal bytes. The blocks end on a byte
 * and the last block is empty: blocks of several members follow one another in one stream
 * (`gzipParts`) without being inflated.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { keptOutput, ownPieceBytes } from '../../kit/zlib-output.ts'

/** What is recorded of a content: its length, CRC-32 and SHA-256 (hex). */
export type ContentFacts = { sizeBytes: number; crc32: number; sha256: string }
/** What is recorded of a member: its length, and that of its content. */
export type MemberFacts = ContentFacts & { gzipBytes: number }
export type Member = MemberFacts & { gzip: Buffer }

/** Deflate, no flags, time 0, no hint, unknown system: nothing that differs between machines. */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
/** An empty block with fixed codes that says it is the last one. */
const LAST_BLOCK = Buffer.from([3, 0])
const TRAILER_BYTES = 8
const FRAME_BYTES = HEADER.length + LAST_BLOCK.length + TRAILER_BYTES
/** What one stored block holds at most. */
const STORED_BLOCK_BYTES = 65_535
const STORED_HEADER_BYTES = 5
/** Above this, the work is done off the main thread; below, handing over costs more than it. */
const INFLATE_HERE_BYTES = 1_000_000
const gunzip = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.gunzip)

/** Of the blocks of a content's deflate stream, which end on a byte, none of them the last one. */
export function gzipMember(blocks: Buffer, facts: ContentFacts): Member {
  const { sizeBytes, crc32, sha256 } = facts
  const gzip = Buffer.concat([HEADER, blocks, LAST_BLOCK, trailer(crc32, sizeBytes)])
  return { gzip, gzipBytes: gzip.length, sizeBytes, crc32, sha256 }
}

export function contentFacts(content: Buffer): ContentFacts {
  const sha256 = createHash('sha256').update(content).digest('hex')
  return { sizeBytes: content.length, crc32: zlib.crc32(content), sha256 }
}

/** The content of a member; throws where bytes and recorded facts disagree. */
export async function unpackMember(gzip: Buffer, facts: MemberFacts): Promise<Buffer> {
  assertMember(gzip, facts)
  // One output buffer of the right size instead of a list of small ones.
  const options = { chunkSize: ownPieceBytes(facts.sizeBytes + 1) }
  const isSmall = facts.sizeBytes < INFLATE_HERE_BYTES
  return isSmall ? keptOutput(zlib.gunzipSync(gzip, options)) : gunzip(gzip, options)
}

/** The raw deflate stream of a member, its last block included: the body of a ZIP entry. */
export function deflateStream(gzip: Buffer, facts: MemberFacts): Buffer {
  assertMember(gzip, facts)
  return gzip.subarray(HEADER.length, -TRAILER_BYTES)
}

export function deflateStreamBytes({ gzipBytes }: Pick<MemberFacts, 'gzipBytes'>): number {
  return gzipBytes - HEADER.length - TRAILER_BYTES
}

/** How a gzip stream is made of members and plain bytes without compressing: begin, parts, end. */
export const gzipParts = {
  begin: HEADER,
  /** A member's blocks but the last. */
  member(gzip: Buffer, facts: MemberFacts): Buffer {
    return deflateStream(gzip, facts).subarray(0, -LAST_BLOCK.length)
  },
  memberBytes(facts: MemberFacts): number {
    return facts.gzipBytes - FRAME_BYTES
  },
  /** Bytes that were never compressed, as stored blocks. */
  plain(bytes: Buffer): Buffer {
    if (bytes.length <= STORED_BLOCK_BYTES) return storedBlock(bytes)
    const rest = gzipParts.plain(bytes.subarray(STORED_BLOCK_BYTES))
    return Buffer.concat([storedBlock(bytes.subarray(0, STORED_BLOCK_BYTES)), rest])
  },
  plainBytes(bytes: number): number {
    return bytes + Math.max(1, Math.ceil(bytes / STORED_BLOCK_BYTES)) * STORED_HEADER_BYTES
  },
  endBytes: LAST_BLOCK.length + TRAILER_BYTES,
  /** What closes the stream: CRC-32 and length of all its content. */
  end(crc32: number, sizeBytes: number): Buffer {
    return Buffer.concat([LAST_BLOCK, trailer(crc32, sizeBytes)])
  },
} as const

function storedBlock(bytes: Buffer): Buffer {
  const block = Buffer.alloc(STORED_HEADER_BYTES + bytes.length)
  block.writeUInt16LE(bytes.length, 1)
  block.writeUInt16LE(bytes.length ^ 0xffff, 3)
  bytes.copy(block, STORED_HEADER_BYTES)
  return block
}

function trailer(crc32: number, sizeBytes: number): Buffer {
  const bytes = Buffer.alloc(TRAILER_BYTES)
  bytes.writeUInt32LE(crc32, 0)
  bytes.writeUInt32LE(sizeBytes % 2 ** 32, 4)
  return bytes
}

/** The facts of another member would make an unreadable archive; the trailer shows the mistake. */
function assertMember(gzip: Buffer, { gzipBytes, crc32, sizeBytes }: MemberFacts): void {
  const isWhole = gzip.length === gzipBytes && gzipBytes >= FRAME_BYTES
  const isSame = isWhole && gzip.subarray(-TRAILER_BYTES).equals(trailer(crc32, sizeBytes))
  assert(isSame, 'a stored member is what was recorded of it')
}
