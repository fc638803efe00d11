/** A program of tests that ends at once still hands over all of its output. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'

/** Bytes of output, more than a pipe holds. */
const SAID_BYTES = 5_000_000
const PROGRAM = `process.stdout.write('.'.repeat(${SAID_BYTES})); process.exit(3)`
const EXIT_WHOLE = pathToFileURL(path.join(import.meta.dirname, 'exit-whole.ts')).href

async function run(options: string[]): Promise<{ bytes: number; code: number }> {
  const child = spawn(process.execPath, [...options, '-e', PROGRAM], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(child, 'close') as Promise<[number]>
  const said = await child.stdout.toArray()
  return { bytes: Buffer.concat(said).length, code: (await closed)[0] }
}

test('what is not read yet when it ends is not lost', async () => {
  assert.deepEqual(await run(['--import', EXIT_WHOLE]), { bytes: SAID_BYTES, code: 3 })
  const without = await run([])
  assert.ok(without.bytes < SAID_BYTES, 'Node ends without: this is here for nothing')
})
