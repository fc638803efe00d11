/** Tests of gzip members: read by zlib, spliced without compressing, checked against their records. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import zlib from 'node:zlib'
import fc from 'fast-check'
import { deflateStream, deflateStreamBytes, gzipParts, unpackMember } from './gzip-member.ts'
import { packMember } from '../../../test/support/gzip-members.ts'

test('a member is a gzip file without name or time, recorded with size, CRC-32 and SHA-256', () => {
  const content = Buffer.from('the same words again, the same words again')
  const { gzip, ...facts } = packMember(content)
  assert.deepEqual(zlib.gunzipSync(gzip), content)
  assert.deepEqual([...gzip.subarray(0, 10)], [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
  assert.deepEqual(facts, {
    gzipBytes: gzip.length,
    sizeBytes: content.length,
    crc32: zlib.crc32(content),
    sha256: createHash('sha256').update(content).digest('hex'),
  })
  assert.deepEqual(packMember(content), { gzip, ...facts })
})

for (const sizeBytes of [0, 1, 99_999, 100_000, 1_000_001]) {
  test(`a content of ${sizeBytes} bytes comes back`, async () => {
    const content = Buffer.from('0123456789'.repeat(sizeBytes / 10 + 1).slice(0, sizeBytes))
    const { gzip, ...facts } = packMember(content)
    assert.deepEqual(await unpackMember(gzip, facts), content)
    const stream = deflateStream(gzip, facts)
    assert.deepEqual(zlib.inflateRawSync(stream), content)
    assert.equal(stream.length, deflateStreamBytes(facts))
  })
}

test('members and plain bytes make one gzip stream without being compressed again', () => {
  const piece = fc.oneof(fc.uint8Array({ maxLength: 300 }), fc.constant(new Uint8Array(65_535)))
  const pieces = fc.array(fc.tuple(piece, fc.boolean()), { maxLength: 8 })
  fc.assert(
    fc.property(pieces, (given) => {
      const content = Buffer.concat(given.map(([bytes]) => bytes))
      const parts: Buffer[] = []
      for (const [bytes, isMember] of given) {
        const { gzip, ...facts } = packMember(Buffer.from(bytes))
        const part = isMember ? gzipParts.member(gzip, facts) : gzipParts.plain(Buffer.from(bytes))
        parts.push(part)
        assert.equal(
          part.length,
          isMember ? gzipParts.memberBytes(facts) : gzipParts.plainBytes(bytes.length),
        )
      }
      const end = gzipParts.end(zlib.crc32(content), content.length)
      assert.deepEqual(zlib.gunzipSync(Buffer.concat([gzipParts.begin, ...parts, end])), content)
    }),
    { numRuns: 30 },
  )
})

test('bytes that are not what was recorded are never sent', async () => {
  const { gzip, ...facts } = packMember(Buffer.from('recorded'))
  const other = packMember(Buffer.from('another!'))
  assert.throws(() => deflateStream(other.gzip, facts), /what was recorded/)
  assert.throws(() => deflateStream(gzip.subarray(1), facts), /what was recorded/)
  await assert.rejects(unpackMember(gzip, { ...facts, sizeBytes: 9 }), /what was recorded/)
})
