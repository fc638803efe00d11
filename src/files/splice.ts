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
import { atOnce, eachInSteps, type Steps } from './steps.ts'

/** The content of a stored member, in a splice. */
export type StoredPart = { index: number; form: Form; facts: MemberFacts }
export type SplicePart = Buffer | StoredPart
/** Parts that are loaded together: one row's. */
export type Item = readonly SplicePart[]

type Sized = { parts: Item; sizeBytes: number }
export type Spliced = { identity: FileBody; gzip: FileBody }

/** Nothing is read before a body is streamed. `crc32` is of the whole content. */
export function splice(
  items: readonly Item[],
  readMembers: ReadMembers,
  crc32 = splicedCrc32(items),
): Spliced {
  return atOnce(spliceSteps(items, readMembers, crc32))
}

/** The same in steps. */
export function* spliceSteps(
  items: readonly Item[],
  readMembers: ReadMembers,
  crc32: number,
): Steps<Spliced> {
  const plain: Sized[] = []
  const packed: Sized[] = []
  yield* eachInSteps(items, (parts) => {
    plain.push({ parts, sizeBytes: bytesOf(parts, plainBytes) })
    packed.push({ parts, sizeBytes: bytesOf(parts, packedBytes) })
  })
  yield
  const identity = bodyOf(
    gather(plain).map((group) => {
      const sizeBytes = totalBytes(group)
      const load = async () => gzipParts.inflate(await pack(group, readMembers), sizeBytes)
      return { sizeBytes, load }
    }),
  )
  yield
  const groups = gather(packed).map((group) => {
    const load = async () => Buffer.concat(await pack(group, readMembers))
    return { sizeBytes: totalBytes(group), load }
  })
  const end: Chunk = {
    sizeBytes: gzipParts.endBytes,
    load: () => gzipParts.end(crc32, identity.sizeBytes),
  }
  return { identity, gzip: bodyOf([chunkOf(gzipParts.begin), ...groups, end]) }
}

/** The CRC-32 of the whole content, from the recorded ones. */
export function splicedCrc32(items: readonly Item[]): number {
  return items.flat().reduce(withPart, 0)
}

/** The CRC-32 of what stood before and the part. */
export function withPart(crc32: number, part: SplicePart): number {
  return isPlainPart(part)
    ? zlib.crc32(part, crc32)
    : combineCrc32(crc32, part.facts.crc32, part.facts.sizeBytes)
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
    return isPlainPart(part) ? gzipParts.plain(part) : gzipParts.member(memberOf(part), part.facts)
  })
}

export function isPlainPart(part: SplicePart): part is Buffer {
  return !isStored(part)
}

function isStored(part: SplicePart): part is StoredPart {
  return 'facts' in part
}

function bytesOf(parts: Item, sizeOf: (part: SplicePart) => number): number {
  return parts.reduce((bytes, part) => bytes + sizeOf(part), 0)
}

function plainBytes(part: SplicePart): number {
  return isPlainPart(part) ? part.length : part.facts.sizeBytes
}

function packedBytes(part: SplicePart): number {
  return isPlainPart(part) ? gzipParts.plainBytes(part.length) : gzipParts.memberBytes(part.facts)
}
