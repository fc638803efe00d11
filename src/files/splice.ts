/**
 * A content laid end to end from plain bytes and stored members, as it is or as one gzip stream:
 * its length is recorded, nothing is compressed again, and the gzip stream is not even inflated.
 */
import assert from 'node:assert/strict'
import zlib from 'node:zlib'
import type { Form } from '../transcripts/formats.ts'
import { gzipParts, type MemberFacts } from '../transcripts/gzip-member.ts'
import type { FormFacts } from '../store/transcripts.ts'
import { type FileBody, bodyOf, type Chunk, chunkOf, gather, totalBytes } from './body.ts'
import { combineCrc32 } from './crc32.ts'
import type { RowReaders, ReadMembers } from './job-rows.ts'
import { atOnce, eachInSteps, type Steps } from './steps.ts'
import { inTurns } from './take-turns.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'

/** The content of a form of a row, in a splice. */
export type StoredPart = { index: number; form: Form; facts: FormFacts }
export type SplicePart = Buffer | StoredPart
/** Parts that are loaded together: one row's. */
export type Item = readonly SplicePart[]

type Sized = { parts: Item; sizeBytes: number }
/** The gzip stream's length may have to be made known first. */
export type Spliced = { identity: FileBody; gzip(): Promise<FileBody> }

/** Rows whose lengths one statement makes known; no job has more. */
const FACTS_AT_ONCE = 500

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
      const sizeBytes = totalBytes(group)
      return { sizeBytes, load: () => readPlain(group, sizeBytes, readers) }
    }),
  )
  const end: Chunk = {
    sizeBytes: gzipParts.endBytes,
    load: () => gzipParts.end(crc32, identity.sizeBytes),
  }
  const gzip = async (): Promise<FileBody> => {
    const packed = await inTurns(sizedSteps(await withMembers(items, readers), packedBytes))
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

/** Members are inflated together, in one call; other forms come as they are. */
async function readPlain(
  group: readonly { parts: Item }[],
  sizeBytes: number,
  readers: RowReaders,
): Promise<Buffer> {
  const stored = storedOf(group.map(({ parts }) => parts))
  if (stored.every(({ facts }) => facts.gzipBytes !== null))
    return gzipParts.inflate(await pack(group, readers.members), sizeBytes)
  const contentOf = await readers.contents(stored)
  const parts = group.flatMap((item) => item.parts)
  return Buffer.concat(parts.map((part) => (isPlainPart(part) ? part : contentOf(part))))
}

/** The same parts with the lengths of their members, which are asked for some rows at a time. */
async function withMembers(items: readonly Item[], readers: RowReaders): Promise<readonly Item[]> {
  const known: Item[] = []
  for (let at = 0; at < items.length; at += FACTS_AT_ONCE) {
    if (at > 0) await yieldToEventLoop()
    const some = items.slice(at, at + FACTS_AT_ONCE)
    const made = storedOf(some).filter(({ facts }) => facts.gzipBytes === null)
    const factsOf = made.length === 0 ? null : await readers.facts(made)
    known.push(
      ...some.map((parts) =>
        parts.map((part) => {
          const isMade = isStored(part) && part.facts.gzipBytes === null
          return isMade && factsOf !== null ? { ...part, facts: factsOf(part) } : part
        }),
      ),
    )
  }
  return known
}

function storedOf(items: readonly Item[]): StoredPart[] {
  return items.flat().filter(isStored)
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
    return isPlainPart(part)
      ? gzipParts.plain(part)
      : gzipParts.member(memberOf(part), memberFactsOf(part))
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
  return isPlainPart(part)
    ? gzipParts.plainBytes(part.length)
    : gzipParts.memberBytes(memberFactsOf(part))
}

function memberFactsOf({ facts }: StoredPart): MemberFacts {
  const { gzipBytes } = facts
  assert(gzipBytes !== null, 'the lengths of members are known before they are laid out')
  return { ...facts, gzipBytes }
}
