/**
 * A content laid end to end from plain bytes and forms of rows, as it is or as one gzip stream: its length is
 * recorded, and no form is compressed again that is stored so.
 */
import zlib from 'node:zlib'
import type { Form } from '../../model/transcripts/formats.ts'
import { gzipParts, type MemberFacts } from '../../model/transcripts/gzip-member.ts'
import {
  type FileBody,
  bodyOf,
  type Chunk,
  chunkOf,
  gather,
  totalBytes,
} from '../../kit/file-body.ts'
import { combineCrc32 } from '../../model/transcripts/crc32.ts'
import type { ReadForms, RowReaders } from '../../model/transcripts/job-rows.ts'
import { atOnce, eachInSteps, type Steps } from '../../model/transcripts/steps.ts'
import { inTurns } from './turns.ts'

/** The content of a form of a row, in a splice. */
export type StoredPart = { index: number; form: Form; facts: MemberFacts }
export type SplicePart = Buffer | StoredPart
/** Parts that are loaded together: one row's. */
export type Item = readonly SplicePart[]

type Sized = { parts: Item; sizeBytes: number }
export type Spliced = { identity: FileBody; gzip(): Promise<FileBody> }

/** Nothing is read before a body is streamed. `crc32` is of the whole content. */
export function splice(
  items: readonly Item[],
  readers: RowReaders,
  crc32 = splicedCrc32(items),
): Spliced {
  return atOnce(spliceSteps(items, readers, crc32))
}

/** The same in steps; the gzip stream is laid out in turns of the event loop when it is asked for. */
export function* spliceSteps(
  items: readonly Item[],
  readers: RowReaders,
  crc32: number,
): Steps<Spliced> {
  const plain = yield* sizedSteps(items, plainBytes)
  yield
  const identity = bodyOf(
    gather(plain).map((group) => {
      return { sizeBytes: totalBytes(group), load: () => readPlain(group, readers) }
    }),
  )
  const end: Chunk = {
    sizeBytes: gzipParts.endBytes,
    load: () => gzipParts.end(crc32, identity.sizeBytes),
  }
  const gzip = async (): Promise<FileBody> => {
    const packed = await inTurns(sizedSteps(items, packedBytes))
    const groups = gather(packed).map((group) => {
      const load = async () => Buffer.concat(await pack(group, readers.members))
      return { sizeBytes: totalBytes(group), load }
    })
    return bodyOf([chunkOf(gzipParts.begin), ...groups, end])
  }
  return { identity, gzip }
}

/** The items with their lengths. */
function* sizedSteps(items: readonly Item[], sizeOf: (part: SplicePart) => number): Steps<Sized[]> {
  const sized: Sized[] = []
  yield* eachInSteps(
    items,
    (parts) => void sized.push({ parts, sizeBytes: bytesOf(parts, sizeOf) }),
  )
  return sized
}

async function readPlain(
  group: readonly { parts: Item }[],
  { contents }: RowReaders,
): Promise<Buffer> {
  const parts = group.flatMap((item) => item.parts)
  const contentOf = await contents(parts.filter(isStored))
  return Buffer.concat(parts.map((part) => (isPlainPart(part) ? part : contentOf(part))))
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
async function pack(group: readonly { parts: Item }[], readMembers: ReadForms): Promise<Buffer[]> {
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
