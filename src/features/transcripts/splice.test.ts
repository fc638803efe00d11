/** Tests of splices: stored members and plain bytes as one content, plain and as one gzip stream. */
import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import zlib from 'node:zlib'
import fc from 'fast-check'
import { onlyMembers, packMember } from '../../../test/support/gzip-members.ts'
import type { Member } from '../../model/transcripts/gzip-member.ts'
import { streamBody } from '../../kit/file-body.ts'
import type { MemberKey, ReadForms } from '../../model/transcripts/job-rows.ts'
import { type Item, splice, splicedCrc32 } from './splice.ts'

function storeOf(members: Member[]) {
  const asked: (readonly MemberKey[])[] = []
  const readMembers: ReadForms = async (keys) => {
    asked.push(keys)
    return ({ index }) => members[index]!.gzip
  }
  return { asked, readMembers }
}

test('a splice is its parts end to end, with length and CRC-32 known before anything is read', async () => {
  const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array))
  const part = fc.tuple(bytes, fc.boolean())
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(part, { maxLength: 4 }), { maxLength: 6 }),
      async (given) => {
        const contents = given.flat()
        const members = contents.map(([content]) => packMember(content))
        const { asked, readMembers } = storeOf(members)
        let index = 0
        const items: Item[] = given.map((parts) =>
          parts.map(([content, isStored]) => {
            const at = index++
            return isStored ? { index: at, form: 'text', facts: members[at]! } : content
          }),
        )
        const whole = Buffer.concat(contents.map(([content]) => content))
        const { identity, gzip: openGzip } = splice(items, onlyMembers(readMembers))
        assert.equal(identity.sizeBytes, whole.length)
        assert.equal(splicedCrc32(items), zlib.crc32(whole))
        assert.equal(asked.length, 0)

        assert.deepEqual(await buffer(streamBody(identity)), whole)
        const gzip = await openGzip()
        const packed = await buffer(streamBody(gzip))
        assert.equal(packed.length, gzip.sizeBytes)
        assert.deepEqual(zlib.gunzipSync(packed), whole)
      },
    ),
  )
})

test('plain bytes of any length go into a gzip stream', async () => {
  for (const sizeBytes of [0, 1, 65_535, 65_536, 200_000]) {
    const plain = Buffer.alloc(sizeBytes, 'plain')
    const gzip = await splice([[plain]], onlyMembers(storeOf([]).readMembers)).gzip()
    const packed = await buffer(streamBody(gzip))
    assert.equal(packed.length, gzip.sizeBytes)
    assert(zlib.gunzipSync(packed).equals(plain))
  }
})

test('the members of many rows are read a group at a time', async () => {
  const members = Array.from({ length: 200 }, () => packMember(Buffer.alloc(20_000, 'words')))
  const { asked, readMembers } = storeOf(members)
  const items = members.map((facts, index): Item => [{ index, form: 'text', facts }])
  assert.equal(
    (await buffer(streamBody(splice(items, onlyMembers(readMembers)).identity))).length,
    4_000_000,
  )
  assert(asked.length >= 4 && asked.length <= 20, `${asked.length} statements`)
})
