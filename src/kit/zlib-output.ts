/**
 * Output of zlib's calls that end at once. What Node keeps of each until the next collection of the whole heap holds its
 * output buffer, and with one from Buffer's pool all that lies beside it: hundreds of kilobytes for a transcript, which
 * made such collections frequent. So a call is given a buffer of its own, which is freed when its content was read.
 */
import { isMarkedAsUntransferable } from 'node:worker_threads'

/** A size of a piece of output (`chunkSize`), at least `bytes`, that Node does not take from Buffer's pool. */
export function ownPieceBytes(bytes: number): number {
  return Math.max(bytes, Math.ceil(Buffer.poolSize / 2))
}

/** Frees the memory behind it, but for Buffer's pool; nobody may read it any more. */
export function freeOutput(output: Buffer): void {
  const { buffer } = output
  if (buffer instanceof ArrayBuffer && !isMarkedAsUntransferable(buffer)) buffer.transfer(0)
}

/** A copy that may be kept, of an output that is freed. */
export function keptOutput(output: Buffer): Buffer {
  const kept = Buffer.from(output)
  freeOutput(output)
  return kept
}
