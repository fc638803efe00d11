/** Decompressing: whatever size the sender states, the same bytes come, within the bound. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { countAllocations } from '../../../test/support/allocations.ts'
import { decode } from './content.ts'

const WORDS = Buffer.from('words of a talk, '.repeat(5_000))
const BOUND = WORDS.length

function decoded(raw: Buffer, encoding: string | null, bytesMax = BOUND): string {
  const found = decode({ raw, encoding }, bytesMax)
  return found.kind === 'bytes' ? found.bytes.toString() : found.kind
}

test('what was compressed comes back, in one piece or several', () => {
  const [first, second] = [WORDS.subarray(0, 40_000), WORDS.subarray(40_000)]
  for (const [raw, encoding] of [
    [WORDS, null],
    [gzipSync(WORDS), 'gzip'],
    [brotliCompressSync(WORDS), 'br'],
    // The size at the end is that of the last member only.
    [Buffer.concat([gzipSync(first), gzipSync(second)]), 'gzip'],
    [Buffer.concat([gzipSync(WORDS), gzipSync('')]), 'gzip'],
  ] as const)
    assert.equal(decoded(raw, encoding), WORDS.toString())
  assert.equal(decoded(Buffer.alloc(0), 'gzip'), '')
  assert.equal(decoded(gzipSync(''), 'gzip'), '')
})

test('more than the bound is too large, however it is said, and half of it is no reply', () => {
  for (const [raw, encoding] of [
    [WORDS, null],
    [gzipSync(WORDS), 'gzip'],
    [brotliCompressSync(WORDS), 'br'],
    [Buffer.concat([gzipSync(WORDS), gzipSync('x')]), 'gzip'],
  ] as const)
    assert.equal(decoded(raw, encoding, BOUND - 1), 'too_large')
  assert.equal(decoded(gzipSync(WORDS).subarray(0, 90), 'gzip'), 'truncated')
  assert.equal(decoded(Buffer.from([31, 139]), 'gzip'), 'truncated')
})

test('a size that is a lie makes no reply, and takes no memory', (t) => {
  const allocations = countAllocations(t)
  for (const said of [0, 1, BOUND + 1, 0x7fff_ffff, 0xffff_ffff]) {
    const raw = gzipSync(WORDS)
    raw.writeUInt32LE(said, raw.length - 4)
    const before = allocations.bytes()
    assert.equal(decoded(raw, 'gzip', 2 ** 31), 'truncated')
    const taken = allocations.bytes() - before
    assert.ok(taken > 0 && taken < 10 * BOUND, `${taken} bytes for ${said}`)
  }
})
