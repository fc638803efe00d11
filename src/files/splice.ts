/**
 * A content laid end to end from plain bytes and stored members, as it is or as one gzip stream:
 * its length is recorded, nothing is compressed again, and the gzip stream is not even inflated.
 */
import zlib from 'node:zlib'
import type { Form } from '../transcripts/formats.ts'
import { gzipParts, type MemberFacts } from '../transcripts/gzip-member.ts'
import { type FileBody, bodyOf, type Chunk, chunkOf, gather, totalBytes } from './body.ts'
import { combineCrc32 } from './crc32.ts'
import type { ReadMembers } from './job-rows.ts'

/** The content of a stored member, in a splice. */
export type StoredPart = { index: number; form: Form; facts: MemberFacts }
export type SplicePart = Buffer | StoredPart
/** Parts that are loaded together: one row's. */
export type Item = readonly SplicePart[]

export type Spliced = { identity: FileBody; gzip: FileBody }

/** Nothing is read before a body is streamed. */
export function splice(items: readonly Item[], readMembers: ReadMembers): Spliced {
  const plain = items.map((parts) => ({ parts, sizeBytes: bytesOf(parts, plainBytes) }))
  const packed = items.map((parts) => ({ parts, sizeBytes: bytesOf(parts, packedBytes) }))
  const identity = bodyOf(
    gather(plain).map((group) => {
      const sizeBytes = totalBytes(group)
      const load = async () => gzipParts.inflate(await pack(group, readMembers), sizeBytes)
      return { sizeBytes, load }
    }),
  )
  const groups = gather(packed).map((group) => {
    const load = async () => Buffer.concat(await pack(group, readMembers))
    return { sizeBytes: totalBytes(group), load }
  })
  const end: Chunk = {
    sizeBytes: gzipParts.endBytes,
    load: () => gzipParts.end(splicedCrc32(items), identity.sizeBytes),
  }
  return { identity, gzip: bodyOf([chunkOf(gzipParts.begin), ...groups, end]) }
}

/** The CRC-32 of the whole content, from the recorded ones. */
export function splicedCrc32(items: readonly Item[]): number {
  let crc32 = 0
  for (const part of items.flat()) {
    crc32 = isPlain(part)
      ? zlib.crc32(part, crc32)
      : combineCrc32(crc32, part.facts.crc32, part.facts.sizeBytes)
  }
  return crc32
}

/** The parts of a group as blocks of a deflate stream. */
async function pack(
  group: readonly { parts: Item }[],
  readMembers: ReadMembers,
): Promise<Buffer[]> {
  const parts = group.flatMap((item) => item.parts)
  const stored = parts.filter(isStored)
  const memberOf = await readMembers(stored)
  return parts.map((part) => {
    return isPlain(part) ? gzipParts.plain(part) : gzipParts.member(memberOf(part), part.facts)
  })
}

function isPlain(part: SplicePart): part is Buffer {
  return !isStored(part)
}

function isStored(part: SplicePart): part is StoredPart {
  return 'facts' in part
}

function bytesOf(parts: Item, sizeOf: (part: SplicePart) => number): number {
  return parts.reduce((bytes, part) => bytes + sizeOf(part), 0)
}

function plainBytes(part: SplicePart): number {
  return isPlain(part) ? part.length : part.facts.sizeBytes
}

function packedBytes(part: SplicePart): number {
  return isPlain(part) ? gzipParts.plainBytes(part.length) : gzipParts.memberBytes(part.facts)
}
