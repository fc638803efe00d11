/**
 * A transcript's body: its words and times once, from which every form is written when it is read.
 *
 *     edition   length   zstd( count   times of each segment   the texts with a line feed between them )
 *
 * Numbers are varints: seven bits a byte, the lowest first. Times are whole milliseconds: the start counted from the
 * end before, and the length. Segments are as `oneLineSegments` leaves them, so no text has a line feed. The edition
 * says how forms are written of them (write-form.ts); all editions so far have this layout.
 */
import assert from 'node:assert/strict'
import zlib from 'node:zlib'
import type { Segment } from './transcript.ts'
import {
  type ByteReader,
  readVarint,
  signed,
  unsigned,
  varint,
  VARINT_BYTES_MAX,
  writeVarint,
} from './varints.ts'
import { type Edition, EDITION, EDITIONS } from './editions.ts'

/** Takes the time of the fastest levels; its bytes are within 3 % of those of level 6, measured on captions. */
const LEVEL = 3

/** Returns the body. Throws where a time is no whole number. */
export function packBody(segments: readonly Segment[], edition = EDITION): Buffer {
  const texts = Buffer.from(segments.map(({ text }) => text).join('\n'))
  const content = Buffer.concat([varint(segments.length), packTimes(segments), texts])
  return Buffer.concat([Buffer.of(edition), varint(content.length), compressed(content)])
}

/** Returns a zstd frame of the bytes. */
export function compressed(content: Buffer): Buffer {
  return zlib.zstdCompressSync(content, {
    params: { [zlib.constants.ZSTD_c_compressionLevel]: LEVEL },
    pledgedSrcSize: content.length,
  })
}

/** Returns how long the content of a body is, in bytes. */
export function contentBytesOf(body: Uint8Array): number {
  return openBody(body).contentBytes
}

/** Returns the segments of a body, as they were packed. */
export function segmentsOfStored(body: Uint8Array): Segment[] {
  return segmentsOfContent(zlib.zstdDecompressSync(openBody(body).packed))
}

/** Returns in which edition the forms of a stored transcript are recorded. Throws where it is none of ours. */
export function editionOf(body: Uint8Array): Edition {
  const found = EDITIONS.find((edition) => edition === body[0])
  assert(found !== undefined, 'a body has an edition that we know')
  return found
}

function openBody(body: Uint8Array): { packed: Buffer; contentBytes: number } {
  editionOf(body) // throws where the layout may be another one
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length)
  const reader: ByteReader = { bytes, at: 1 }
  const contentBytes = readVarint(reader)
  return { packed: bytes.subarray(reader.at), contentBytes }
}

function packTimes(segments: readonly Segment[]): Buffer {
  const bytes = Buffer.alloc(segments.length * 2 * VARINT_BYTES_MAX)
  let at = 0
  let before = 0
  for (const { startMs, endMs } of segments) {
    assert(Number.isSafeInteger(startMs) && Number.isSafeInteger(endMs), 'times are whole')
    at = writeVarint(bytes, at, signed(startMs - before))
    at = writeVarint(bytes, at, signed(endMs - startMs))
    before = endMs
  }
  return bytes.subarray(0, at)
}

function segmentsOfContent(content: Buffer): Segment[] {
  const reader = { bytes: content, at: 0 }
  const count = readVarint(reader)
  assert(2 * count < content.length, 'a body is as long as it says')
  const times = Array.from({ length: 2 * count }, () => unsigned(readVarint(reader)))
  const texts = content.toString('utf8', reader.at).split('\n')
  assert(texts.length === Math.max(count, 1), 'a body has a text for each segment')
  if (count === 0) return []
  let before = 0
  return texts.map((text, at) => {
    const startMs = before + (times[2 * at] ?? 0)
    before = startMs + (times[2 * at + 1] ?? 0)
    return { startMs, endMs: before, text }
  })
}
