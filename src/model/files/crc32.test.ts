/** Combined CRC-32s, compared with zlib over the joined bytes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import zlib from 'node:zlib'
import fc from 'fast-check'
import { combineCrc32 } from './crc32.ts'

test('the CRC-32 of joined contents needs only those of the parts', () => {
  const bytes = fc.uint8Array({ maxLength: 3_000 }).map((array) => Buffer.from(array))
  fc.assert(
    fc.property(bytes, bytes, (a, b) => {
      const combined = combineCrc32(zlib.crc32(a), zlib.crc32(b), b.length)
      assert.equal(combined, zlib.crc32(Buffer.concat([a, b])))
    }),
  )
})

test('five million bytes are combined as they are summed', () => {
  const [a, b] = [Buffer.alloc(3_000_001, 'ab'), Buffer.alloc(2_000_003, 'xyz')]
  assert.equal(combineCrc32(zlib.crc32(a), zlib.crc32(b), b.length), zlib.crc32(b, zlib.crc32(a)))
})

test('contents beyond 4 GB combine the same, however they are grouped', () => {
  const lengths = fc.integer({ min: 0, max: 2 ** 36 })
  const crcs = fc.integer({ min: 0, max: 2 ** 32 - 1 })
  fc.assert(
    fc.property(crcs, crcs, crcs, lengths, lengths, (a, b, c, bytesB, bytesC) => {
      const left = combineCrc32(combineCrc32(a, b, bytesB), c, bytesC)
      const right = combineCrc32(a, combineCrc32(b, c, bytesC), bytesB + bytesC)
      assert.equal(left, right)
    }),
  )
})
