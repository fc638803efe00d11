/**
 * Preloaded into a worker (`--import`): reading one video's captions ends or stalls the process, as a fault
 * of an engine or of the kernel would. POISON_WORD: a word of those captions. POISON_ACT: what they do.
 */
import { Worker } from 'node:worker_threads'

const WORD = process.env['POISON_WORD'] ?? ''
const ACT = process.env['POISON_ACT'] ?? ''
const STALL_MS = 13_000

function strike(): void {
  if (ACT === 'kill' || ACT === 'kill_with_thread') process.kill(process.pid, 'SIGKILL')
  for (const until = performance.now() + STALL_MS; performance.now() < until;) continue
}

if (ACT === 'kill_with_thread') {
  // Captions so long that a thread reads them take the whole process with them.
  Worker.prototype.postMessage = strike
} else if (WORD !== '') {
  const { toString } = Buffer.prototype
  Buffer.prototype.toString = function toText(...given: Parameters<typeof toString>) {
    const text = toString.apply(this, given)
    if (text.includes(WORD)) strike()
    return text
  }
}
