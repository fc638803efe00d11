/**
 * Sends a ZIP of a hundred thousand files that is made while it is sent, and prints the longest turn of the event loop
 * in milliseconds. A process of its own: the test runner keeps a record of each promise, which stalls by itself.
 */
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { type SentFile, sendZip } from '../../src/features/files/send-zip.ts'
import { cpuMs } from '../stalls/measure.ts'

const FILES = 100_000
const LOOK_MS = 4

async function* shortFiles(): AsyncGenerator<SentFile, void> {
  const at = null
  for (let n = 0; n < FILES; n += 1) {
    const bytes = Readable.from([Buffer.from(`What is said in video ${n}.`)])
    yield { name: `${n} a talk with a title of some words.md`, at, isPacked: n % 2 === 0, bytes }
  }
}

/** Returns the longest time between two looks at the clock and at the CPU time of this thread, in milliseconds. */
async function worstTurnMs(work: () => Promise<void>): Promise<number> {
  let worstMs = 0
  let last = { at: performance.now(), cpu: cpuMs() }
  const look = (): void => {
    const now = { at: performance.now(), cpu: cpuMs() }
    worstMs = Math.max(worstMs, Math.min(now.at - last.at, now.cpu - last.cpu))
    last = now
  }
  const looking = setInterval(look, LOOK_MS)
  await work()
  look()
  clearInterval(looking)
  return worstMs
}

const worstMs = await worstTurnMs(async () => {
  for await (const piece of sendZip(shortFiles())) assert.ok(piece.length > 0)
})
process.stdout.write(String(worstMs))
