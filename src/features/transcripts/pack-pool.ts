/**
 * Makes the gzip members of many bodies on threads of their own, since a ZIP of thousands is a second of work: others
 * are answered meanwhile, and a second core helps. A few are made where they are asked for, since handing over costs
 * more, and so are the first ones: threads start once as much work was done without them as starting them is.
 */
import os from 'node:os'
import { Tinypool } from 'tinypool'
import { yieldToEventLoop } from '../../kit/yield-to-event-loop.ts'
import { type BodyToPack, packBodies } from './pack-thread.ts'

/** Threads that compress forms of stored words for downloads, and how long one stays without work. */
const PACK_THREADS_MAX = 2
const PACK_THREAD_IDLE_MS = 60_000
/** Bytes of bodies that are compressed without threads at once, and within the time above: as long as starting them takes. */
export const PACKED_HERE_BYTES = 16_384
export const PACKED_BEFORE_THREADS_BYTES = 2_000_000

let pool: Tinypool | null = null
let isReady = false
/** Bytes of bodies that were compressed without threads, until nothing comes for a while. */
let packedHere = 0
const forgetting = setTimeout(() => (packedHere = 0), PACK_THREAD_IDLE_MS).unref()

/** As `packBodies`. The longest transcript that is stored as a body takes a thread a fifth of a second. */
export async function packAnywhere(bodies: readonly BodyToPack[]): Promise<Buffer> {
  const bytes = bodies.reduce((sum, { body }) => sum + body.length, 0)
  if (bytes <= PACKED_HERE_BYTES) return packHere(bodies)
  forgetting.refresh()
  packedHere += bytes
  const threads = packedHere > PACKED_BEFORE_THREADS_BYTES ? readyPool() : null
  if (threads === null) return packHere(bodies)
  const parts = partsOf(bodies.map(({ body, wanted }) => ({ body: new Uint8Array(body), wanted })))
  const packed = await Promise.all(parts.map((part) => runOn(threads, part)))
  return Buffer.concat(packed)
}

/** A transcript in a turn of the event loop. */
async function packHere(bodies: readonly BodyToPack[]): Promise<Buffer> {
  const { buffer } = await packBodies(bodies, yieldToEventLoop)
  return Buffer.from(buffer)
}

/** Null while its threads start: they end when nothing came for a while. */
function readyPool(): Tinypool | null {
  const open = (pool ??= openPool())
  if (open.threads.length === 0) {
    isReady = false
    const starting = Array.from({ length: threadsMax() }, () => runOn(open, []))
    void Promise.all(starting).then(
      () => (isReady = true),
      () => undefined, // the next one starts them
    )
  }
  return isReady ? open : null
}

function openPool(): Tinypool {
  return new Tinypool({
    filename: new URL('./pack-thread.ts', import.meta.url).href,
    name: 'packBodies',
    minThreads: 0,
    maxThreads: threadsMax(),
    idleTimeout: PACK_THREAD_IDLE_MS,
    execArgv: [],
  })
}

function runOn(threads: Tinypool, bodies: BodyToPack[]): Promise<Uint8Array> {
  return threads.run(bodies) as Promise<Uint8Array>
}

/** One for each thread. */
function partsOf(bodies: BodyToPack[]): BodyToPack[][] {
  const each = Math.ceil(bodies.length / threadsMax())
  const parts: BodyToPack[][] = []
  for (let at = 0; at < bodies.length; at += each) parts.push(bodies.slice(at, at + each))
  return parts
}

function threadsMax(): number {
  return Math.min(PACK_THREADS_MAX, os.availableParallelism())
}
