/**
 * Preloaded into a worker (`--import`): reading one video's captions ends or stalls the process, as a fault of an
 * engine or of the kernel would. POISON_WORD is a word of those captions, and POISON_ACT what reading them does. In
 * POISON_FOLDER `strikes` counts the readings, and a stalled process goes on once `attempt` names a later one.
 */
import fs from 'node:fs'
import path from 'node:path'
import { Worker } from 'node:worker_threads'

const WORD = process.env['POISON_WORD'] ?? ''
const ACT = process.env['POISON_ACT'] ?? ''
const FOLDER = process.env['POISON_FOLDER'] ?? ''
const LOOK_MS = 20

const nobody = new Int32Array(new SharedArrayBuffer(4))

function attempt(): number {
  const file = path.join(FOLDER, 'attempt')
  return fs.existsSync(file) ? Number(fs.readFileSync(file, 'utf8')) : 0
}

function strike(): void {
  if (ACT === 'kill' || ACT === 'kill_with_thread') process.kill(process.pid, 'SIGKILL')
  const strikes = path.join(FOLDER, 'strikes')
  fs.appendFileSync(strikes, '.')
  const own = fs.statSync(strikes).size
  while (attempt() <= own) Atomics.wait(nobody, 0, 0, LOOK_MS)
}

if (ACT === 'kill_with_thread') {
  // Long captions are read in a thread, which here takes the whole process with it.
  Worker.prototype.postMessage = strike
} else if (WORD !== '') {
  const { toString } = Buffer.prototype
  Buffer.prototype.toString = function toText(...given: Parameters<typeof toString>) {
    const text = toString.apply(this, given)
    if (text.includes(WORD)) strike()
    return text
  }
}
