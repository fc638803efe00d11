/** Ids carry their number, and no other text is one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { channelIdOf, playlistIdOf, videoIdOf, videoNumberOf } from './ids.ts'

const seeds = fc.integer({ min: 0, max: 0x7fffffff })
const numbers = fc.record(
  { channel: fc.integer({ min: 0, max: 0xfff }), upload: fc.integer({ min: 0, max: 0xfffff }) },
  { noNullPrototype: true },
)

test('every video id leads back to its channel and upload', () => {
  fc.assert(
    fc.property(seeds, numbers, (seed, number) => {
      assert.deepEqual(videoNumberOf(seed, videoIdOf(seed, number)), number)
    }),
  )
})

test('ids have the form of real ones', () => {
  fc.assert(
    fc.property(seeds, numbers, (seed, number) => {
      assert.match(videoIdOf(seed, number), /^[\w-]{10}[AEIMQUYcgkosw048]$/)
      assert.match(channelIdOf(seed, number.channel), /^UC[\w-]{21}[AQgw]$/)
      assert.match(playlistIdOf(seed, number.channel), /^PL[\w-]{32}$/)
    }),
  )
})

test('an id of another world, or made up, names no video', () => {
  fc.assert(
    fc.property(seeds, numbers, fc.stringMatching(/^[\w-]{11}$/), (seed, number, madeUp) => {
      assert.equal(videoNumberOf(seed, videoIdOf(seed + 1, number)), null)
      assert.equal(videoNumberOf(seed, madeUp), null)
    }),
  )
})

test('different videos have different ids', () => {
  const ids = new Set(
    Array.from({ length: 12_000 }, (_, upload) => videoIdOf(1, { channel: 3, upload })),
  )
  assert.equal(ids.size, 12_000)
})
