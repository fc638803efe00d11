/** Tests of Huffman codes as the module makes them: as short as they can be, no longer than they may, and complete. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { formsModule } from './forms-module.ts'

const SYMBOLS_MAX = 286
/** Counts, lengths and codes of as many symbols as there may be: four bytes, one and four. */
const ROOM_BYTES = 9 * SYMBOLS_MAX
/** Above a code stands how many bits it has. */
const CODE_BITS_AT = 16

type Code = { code: number; length: number }

/** Of each count a code. */
function codesOf(given: readonly number[], longest: number): Code[] {
  const module = formsModule()
  module.makeLines(1, ROOM_BYTES)
  const [counts, codes] = [module.textsAt(), module.textsAt() + 4 * SYMBOLS_MAX]
  const lengths = codes + 4 * SYMBOLS_MAX
  const { buffer } = module.memory
  new Int32Array(buffer, counts, given.length).set(given)
  module.codeLengths(counts, given.length, longest, lengths)
  module.makeCodes(lengths, given.length, codes)
  const found = new Uint8Array(buffer, lengths, given.length)
  return [...new Uint32Array(buffer, codes, given.length)].map((entry, symbol) => {
    assert.equal(entry >>> CODE_BITS_AT, found[symbol])
    return { code: entry & 0xffff, length: found[symbol] ?? 0 }
  })
}

/** How much of all codes these lengths take: one, where every sequence of bits is some code. */
function taken(codes: readonly Code[]): number {
  return codes.reduce((sum, { length }) => sum + (length > 0 ? 2 ** -length : 0), 0)
}

function longestOf(codes: readonly Code[]): number {
  return Math.max(...codes.map(({ length }) => length))
}

test('counts of any kind give complete codes of the longest length or less', () => {
  const counts = fc.array(fc.oneof(fc.constant(0), fc.nat(10), fc.nat(1_000_000)), {
    maxLength: SYMBOLS_MAX,
  })
  fc.assert(
    fc.property(counts, fc.constantFrom(9, 15), (given, longest) => {
      const codes = codesOf(given, longest)
      const many = given.filter((count) => count > 0).length
      assert.equal(codes.filter(({ length }) => length > 0).length, many)
      assert.ok(codes.every(({ length }) => length <= longest))
      if (many > 1) assert.equal(taken(codes), 1)
      const names = codes
        .filter(({ length }) => length > 0)
        .map(({ code, length }) =>
          [...code.toString(2).padStart(length, '0')].toReversed().join(''),
        )
        .toSorted()
      for (const [at, name] of names.entries())
        assert.ok(!names[at + 1]?.startsWith(name), 'no code begins another one')
    }),
    { numRuns: 60 },
  )
})

test('counts that would make one code longer than the next are levelled', () => {
  const steep = [1, 1]
  while (steep.length < 40) steep.push((steep.at(-1) ?? 0) + (steep.at(-2) ?? 0))
  assert.ok(longestOf(codesOf(steep, 255)) > 15, 'without a limit they are longer')
  assert.equal(taken(codesOf(steep, 15)), 1)
  assert.ok(longestOf(codesOf(steep, 7)) <= 7)
  const single = codesOf([0, 5, 0], 15).map(({ length }) => length)
  assert.deepEqual(single, [0, 1, 0], 'a single symbol has a bit')
})
