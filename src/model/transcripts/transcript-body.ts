/**
 * A transcript's body: its words and times once, from which every form is made when it is read.
 *
 *     1   length   zstd( times of each segment, then the texts with a line feed between them )
 *
 * Times are whole milliseconds as varints: the start counted from the end before, and the length. Segments are as
 * `oneLineSegments` leaves them, so no text has a line feed. The first byte tells a body from a gzip member, which is
 * how transcripts were stored before, and still may be.
 */
import assert from 'node:assert/strict'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { freeOutput, ownPieceBytes } from '../../kit/zlib-output.ts'
import type { Lines } from './lines.ts'
import type { Segment } from './transcript.ts'

/** The layout of what follows. */
const VERSION = 1
/** Level 3: the time of the fastest ones, and within 3 % of the bytes of level 6, measured on captions. */
const LEVEL = 3
/** Above this, the work is done off the main thread; below, handing over costs more than it. */
const COMPRESS_HERE_BYTES = 100_000
const DECOMPRESS_HERE_BYTES = 1_000_000
const VARINT_BYTES_MAX = 8
/** What one byte of a varint carries; more follow where it has the bit of this value. */
const VARINT_BASE = 128
const GZIP_FIRST_BYTE = 0x1f

const zstdCompress = promisify<Buffer, zlib.ZstdOptions, Buffer>(zlib.zstdCompress)
const zstdDecompress = promisify<Buffer, zlib.ZstdOptions, Buffer>(zlib.zstdDecompress)

/** Times that are no whole numbers, and texts of more than a line, have no body. */
export async function packBody({ segments, bytes }: Lines): Promise<Buffer> {
  const content = Buffer.concat([varint(segments.length), packTimes(segments), bytes])
  const options = {
    params: { [zlib.constants.ZSTD_c_compressionLevel]: LEVEL },
    pledgedSrcSize: content.length,
    chunkSize: ownPieceBytes(content.length + zlib.constants.Z_MIN_CHUNK),
  }
  const packed =
    content.length < COMPRESS_HERE_BYTES
      ? zlib.zstdCompressSync(content, options)
      : await zstdCompress(content, options)
  const body = Buffer.concat([Buffer.of(VERSION), varint(content.length), packed])
  freeOutput(packed)
  return body
}

/** The lines of a body. */
export async function unpackBody(body: Uint8Array): Promise<Lines> {
  const { packed, options, isSmall } = openBody(body)
  return linesOfContent(
    isSmall ? zlib.zstdDecompressSync(packed, options) : await zstdDecompress(packed, options),
  )
}

/** Whether bytes that hold a transcript's segments are a body; otherwise they are the gzip member of its JSON. */
export function isBody(stored: Uint8Array): boolean {
  return stored[0] === VERSION
}

/** The segments of what is stored of a transcript: its body, or the gzip member of its JSON. */
export async function segmentsOfStored(stored: Buffer): Promise<Segment[]> {
  if (isBody(stored)) return [...(await unpackBody(stored)).segments]
  return JSON.parse((await gunzip(stored)).toString()) as Segment[]
}

const gunzip = promisify<Buffer, Buffer>(zlib.gunzip)

/** The same at once, for threads of their own. */
export function segmentsOfStoredSync(stored: Uint8Array): Segment[] {
  if (!isBody(stored)) {
    assert(stored[0] === GZIP_FIRST_BYTE, 'what is stored is a body or a gzip member')
    const json = zlib.gunzipSync(stored, { chunkSize: ownPieceBytes(stored.length) })
    const segments = JSON.parse(json.toString()) as Segment[]
    freeOutput(json)
    return segments
  }
  const { packed, options } = openBody(stored)
  return [...linesOfContent(zlib.zstdDecompressSync(packed, options)).segments]
}

function openBody(body: Uint8Array): {
  packed: Buffer
  options: zlib.ZstdOptions
  isSmall: boolean
} {
  assert(isBody(body), 'a body has a layout that we know')
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length)
  const reader = { bytes, at: 1 }
  const contentBytes = readVarint(reader)
  return {
    packed: bytes.subarray(reader.at),
    // One output buffer of the right size instead of a list of small ones.
    options: { chunkSize: ownPieceBytes(contentBytes + zlib.constants.Z_MIN_CHUNK) },
    isSmall: contentBytes < DECOMPRESS_HERE_BYTES,
  }
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

/** Frees the content. */
function linesOfContent(content: Buffer): Lines {
  const reader = { bytes: content, at: 0 }
  const count = readVarint(reader)
  assert(2 * count < content.length, 'a body is as long as it says')
  const segments: Segment[] = []
  let before = 0
  for (let read = 0; read < count; read += 1) {
    const startMs = before + unsigned(readVarint(reader))
    const endMs = startMs + unsigned(readVarint(reader))
    segments.push({ startMs, endMs, text: '' })
    before = endMs
  }
  const bytes = Buffer.from(content.subarray(reader.at))
  freeOutput(content)
  const texts = bytes.toString().split('\n')
  assert(texts.length === Math.max(count, 1), 'a body has a text for each segment')
  for (const [at, segment] of segments.entries()) segment.text = texts[at] ?? ''
  return { segments, bytes }
}

/** Small numbers of either sign as small numbers: 0, -1, 1, -2 … */
function signed(value: number): number {
  return value >= 0 ? value * 2 : -value * 2 - 1
}

function unsigned(value: number): number {
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2
}

function varint(value: number): Buffer {
  const bytes = Buffer.alloc(VARINT_BYTES_MAX)
  return bytes.subarray(0, writeVarint(bytes, 0, value))
}

/** Seven bits a byte, the lowest first; division, not shifts, since times may exceed 32 bits. */
function writeVarint(bytes: Buffer, from: number, value: number): number {
  let at = from
  let rest = value
  for (; rest >= VARINT_BASE; rest = Math.floor(rest / VARINT_BASE))
    at = bytes.writeUInt8((rest % VARINT_BASE) + VARINT_BASE, at)
  return bytes.writeUInt8(rest, at)
}

type Reader = { readonly bytes: Buffer; at: number }

function readVarint(reader: Reader): number {
  const { bytes } = reader
  const first = bytes[reader.at] ?? VARINT_BASE
  if (first < VARINT_BASE) {
    reader.at += 1
    return first
  }
  let value = 0
  for (let weight = 1; ; weight *= VARINT_BASE) {
    const byte = bytes[reader.at++]
    assert(byte !== undefined, 'a body is as long as it says')
    if (byte < VARINT_BASE) return value + byte * weight
    value += (byte - VARINT_BASE) * weight
  }
}
