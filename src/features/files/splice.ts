/** A content laid end to end from plain bytes and forms of rows: its length and CRC-32 are known before it is read. */
import zlib from 'node:zlib'
import { type FileBody, bodyOf, gather, totalBytes } from '../../kit/file-body.ts'
import { combineCrc32 } from '../../model/files/crc32.ts'
import type { FormKey, ReadForms } from '../../model/files/job-rows.ts'
import { atOnce, eachInSteps, type Steps } from '../../model/transcripts/steps.ts'

export type SplicePart = Buffer | FormKey
/** Parts that are loaded together: those of one row. */
export type Item = readonly SplicePart[]

type Sized = { parts: Item; sizeBytes: number }

/** Lays the parts end to end; nothing is read before it is streamed. */
export function splice(items: readonly Item[], read: ReadForms): FileBody {
  return atOnce(spliceSteps(items, read))
}

export function* spliceSteps(items: readonly Item[], read: ReadForms): Steps<FileBody> {
  const sized: Sized[] = []
  yield* eachInSteps(items, (parts) => {
    sized.push({ parts, sizeBytes: parts.reduce((bytes, part) => bytes + bytesOf(part), 0) })
  })
  return bodyOf(
    gather(sized).map((group) => {
      return { sizeBytes: totalBytes(group), load: () => load(group, read) }
    }),
  )
}

async function load(group: readonly Sized[], read: ReadForms): Promise<Buffer> {
  const parts = group.flatMap((item) => item.parts)
  const contentOf = await read(parts.flatMap((part) => (Buffer.isBuffer(part) ? [] : part)))
  return Buffer.concat(parts.map((part) => (Buffer.isBuffer(part) ? part : contentOf(part))))
}

/** Returns the CRC-32 of everything before the part, and the part. */
export function withPart(crc32: number, part: SplicePart): number {
  return Buffer.isBuffer(part)
    ? zlib.crc32(part, crc32)
    : combineCrc32(crc32, part.facts.crc32, part.facts.sizeBytes)
}

function bytesOf(part: SplicePart): number {
  return Buffer.isBuffer(part) ? part.length : part.facts.sizeBytes
}
