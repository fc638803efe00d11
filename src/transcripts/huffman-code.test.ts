/** Tests of Huffman codes: as short as they can be, no longer than they may, and complete. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { codeLengths, codeOf } from './huffman-code.ts'

/** How much of all codes these lengths take: one, where every sequence of bits is some code. */
function taken(lengths: Uint8Array): number {
  return lengths.reduce((sum, length) => sum + (length > 0 ? 2 ** -length : 0), 0)
}

test('counts of any kind give complete codes of the longest length or less', () => {
  const counts = fc.array(fc.oneof(fc.constant(0), fc.nat(10), fc.nat(1_000_000)), {
    maxLength: 286,
  })
  fc.assert(
    fc.property(counts, fc.constantFrom(9, 15), (given, longest) => {
      const lengths = codeLengths(Int32Array.from(given), longest)
      const many = given.filter((count) => count > 0).length
      assert.equal(lengths.filter((length) => length > 0).length, many)
      assert.ok(lengths.every((length) => length <= longest))
      if (many > 1) assert.equal(taken(lengths), 1)
      const { codes } = codeOf(lengths)
      const names = [...codes].flatMap((code, symbol) => {
        const length = lengths[symbol] ?? 0
        return length === 0
          ? []
          : [code.toString(2).padStart(length, '0').split('').reverse().join('')]
      })
      for (const [at, name] of names.toSorted().entries())
        assert.ok(!names.toSorted()[at + 1]?.startsWith(name), 'no code begins another one')
    }),
    { numRuns: 60 },
  )
})

test('counts that would make one code longer than the next are levelled', () => {
  const counts = Int32Array.of(1, 1)
  const steep = new Int32Array(40)
  steep.set(counts)
  for (let at = 2; at < steep.length; at += 1)
    steep[at] = (steep[at - 1] ?? 0) + (steep[at - 2] ?? 0)
  assert.ok(Math.max(...codeLengths(steep, 255)) > 15, 'without a limit they are longer')
  assert.equal(taken(codeLengths(steep, 15)), 1)
  assert.ok(Math.max(...codeLengths(steep, 7)) <= 7)
  assert.deepEqual(
    [...codeLengths(Int32Array.of(0, 5, 0), 15)],
    [0, 1, 0],
    'a single symbol has a bit',
  )
})
