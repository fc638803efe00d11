/** zlib's output: freed at once where it is its own, never where others share it. */
import assert from 'node:assert/strict'
import test from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { countAllocations } from '../../test/support/allocations.ts'
import { decode, freeDecoded } from '../platform/egress/content.ts'
import { freeOutput, keptOutput, ownPieceBytes } from './zlib-output.ts'

const WORDS = Buffer.from('words of a talk, '.repeat(8_000))

test('an output of its own is freed, one from the pool stays, and a copy can be kept', () => {
  const neighbour = Buffer.from('beside it in the pool')
  const pooled = Buffer.from('words')
  assert.equal(pooled.buffer, neighbour.buffer)
  freeOutput(pooled)
  assert.equal(String(neighbour), 'beside it in the pool')

  const own = gunzipSync(gzipSync('words'), { chunkSize: ownPieceBytes(6) })
  assert.equal(String(keptOutput(own)), 'words')
  assert.equal(own.length, 0)
})

test('replies that were read leave nothing behind until a collection, however many they are', (t) => {
  const content = { raw: gzipSync(WORDS), encoding: 'gzip' }
  const allocations = countAllocations(t)
  for (let reply = 0; reply < 50; reply += 1) {
    const decoded = decode(content, 2 * WORDS.length)
    assert.ok(decoded.kind === 'bytes')
    assert.equal(decoded.bytes.length, WORDS.length)
    freeDecoded(decoded.bytes, content)
  }
  assert.ok(allocations.bytes() >= 50 * WORDS.length)
  assert.ok(allocations.keptBytes() < 2 * WORDS.length, `${allocations.keptBytes()} bytes are kept`)
})

test('a reply that was never compressed lies in the memory of its connection, and stays', () => {
  const content = { raw: Buffer.allocUnsafeSlow(100).fill('w'), encoding: null }
  const decoded = decode(content, 100)
  assert.ok(decoded.kind === 'bytes')
  freeDecoded(decoded.bytes, content)
  assert.equal(content.raw.toString(), 'w'.repeat(100))
})
