/**
 * The body of a download: chunks whose sizes are known before any is loaded, so that the length can be sent first and a
 * range loads only its chunks.
 */
import assert from 'node:assert/strict'
import { yieldToEventLoop } from './concurrency.ts'

/** A chunk; `load` returns exactly `sizeBytes` bytes, the same ones each time. */
export type Chunk = { sizeBytes: number; load(): Promise<Buffer> | Buffer }

export type FileBody = { sizeBytes: number; chunks: readonly Chunk[] }

/** A hashed body; `sha256`, in hex, is of the content or of what determines it. */
export type HashedBody = FileBody & { crc32: number; sha256: string }

/** Bytes of a body, both ends included, as in a Content-Range. */
export type ByteRange = { firstByte: number; lastByte: number }

/** The size at which a chunk of many small pieces ends. */
export const CHUNK_BYTES = 512 * 1024
/** The most pieces of a chunk: the rows that one statement reads. */
export const CHUNK_PIECES_MAX = 64

export function bodyOf(chunks: readonly Chunk[]): FileBody {
  return { sizeBytes: totalBytes(chunks), chunks }
}

/** Returns the most bytes that are in memory while the body is streamed: two chunks. */
export function heldBytesOf({ chunks }: { chunks: readonly { sizeBytes: number }[] }): number {
  return 2 * chunks.reduce((most, { sizeBytes }) => Math.max(most, sizeBytes), 0)
}

/** A chunk whose content is in memory. */
export function chunkOf(content: Buffer): Chunk {
  return { sizeBytes: content.length, load: () => content }
}

/** Gathers neighbouring pieces into chunks of about CHUNK_BYTES. */
export function gather<T extends { sizeBytes: number }>(pieces: readonly T[]): T[][] {
  const groups: T[][] = []
  let group: T[] = []
  let groupBytes = 0
  for (const piece of pieces) {
    group.push(piece)
    groupBytes += piece.sizeBytes
    if (groupBytes >= CHUNK_BYTES || group.length === CHUNK_PIECES_MAX) {
      groups.push(group)
      group = []
      groupBytes = 0
    }
  }
  return group.length > 0 ? [...groups, group] : groups
}

/**
 * Yields the body's bytes, or those of `range`, in order. Exactly one chunk is loaded ahead of the reader, so a slow
 * reader holds two; each in a turn of the event loop of its own. Throws where a chunk has another length than it
 * promised.
 */
export async function* streamBody(body: FileBody, range?: ByteRange): AsyncGenerator<Buffer, void> {
  const wanted = within(body.chunks, range ?? { firstByte: 0, lastByte: Infinity })
  let next = loadCut(wanted[0])
  for (let at = 0; at < wanted.length; at++) {
    const content = await next
    next = loadCut(wanted[at + 1])
    if (content !== null) yield* slicesOf(content)
  }
}

/**
 * Yields the content in slices of CHUNK_BYTES: a socket takes what it is given in one turn of the event loop, as long
 * as its reader keeps up, and a ZIP's writer computes the CRC-32 of a slice in one turn.
 */
export function* slicesOf(content: Buffer): Generator<Buffer, void> {
  for (let at = 0; at < content.length; at += CHUNK_BYTES)
    yield content.subarray(at, at + CHUNK_BYTES)
}

/** A chunk and the range of its bytes that is wanted, the end excluded. */
type Cut = { chunk: Chunk; from: number; to: number }

function within(chunks: readonly Chunk[], { firstByte, lastByte }: ByteRange): Cut[] {
  const cuts: Cut[] = []
  let start = 0
  for (const chunk of chunks) {
    const from = Math.max(firstByte - start, 0)
    const to = Math.min(lastByte + 1 - start, chunk.sizeBytes)
    if (from < to) cuts.push({ chunk, from, to })
    start += chunk.sizeBytes
  }
  return cuts
}

function loadCut(cut: Cut | undefined): Promise<Buffer | null> {
  const loading = loadNow(cut)
  loading.catch(() => undefined) // an awaiting reader gets the error; a reader that left awaits nothing
  return loading
}

async function loadNow(cut: Cut | undefined): Promise<Buffer | null> {
  if (cut === undefined) return null
  const content = await cut.chunk.load()
  await yieldToEventLoop() // the directory of a large ZIP is made of chunks that nothing waits for
  assert.equal(content.length, cut.chunk.sizeBytes, 'a chunk is as long as was promised')
  return content.subarray(cut.from, cut.to)
}

export function totalBytes(pieces: readonly { sizeBytes: number }[]): number {
  return pieces.reduce((bytes, piece) => bytes + piece.sizeBytes, 0)
}
