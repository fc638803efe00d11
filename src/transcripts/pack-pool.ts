/**
 * Makes the gzip members of many bodies on threads of their own, since a ZIP of hundreds is a second of work: others are
 * answered meanwhile, and a second core helps. A few are made where they are asked for; handing over costs more.
 */
import os from 'node:os'
import { Tinypool } from 'tinypool'
import { LIMITS } from '../config.ts'
import { type BodyToPack, packBodies } from './pack-thread.ts'

let pool: Tinypool | null = null

/** As `packBodies`. The longest transcript that is stored as a body takes a thread a fifth of a second. */
export async function packAnywhere(bodies: readonly BodyToPack[]): Promise<Buffer> {
  const bytes = bodies.reduce((sum, { body }) => sum + body.length, 0)
  if (bytes <= LIMITS.packedHereBytes) return bufferOf(await packBodies(bodies))
  const parts = partsOf(bodies.map(({ body, wanted }) => ({ body: new Uint8Array(body), wanted })))
  const packed = await Promise.all(parts.map(run))
  return Buffer.concat(packed)
}

/** One for each thread. */
function partsOf(bodies: BodyToPack[]): BodyToPack[][] {
  const each = Math.ceil(bodies.length / threads())
  const parts: BodyToPack[][] = []
  for (let at = 0; at < bodies.length; at += each) parts.push(bodies.slice(at, at + each))
  return parts
}

function run(bodies: BodyToPack[]): Promise<Uint8Array> {
  pool ??= new Tinypool({
    filename: new URL('./pack-thread.ts', import.meta.url).href,
    name: 'packBodies',
    minThreads: 0,
    maxThreads: threads(),
    idleTimeout: LIMITS.packThreadIdleMs,
    execArgv: [],
  })
  return pool.run(bodies) as Promise<Uint8Array>
}

function threads(): number {
  return Math.min(LIMITS.packThreadsMax, os.availableParallelism())
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}
