/** Writes bits into memory, the lowest first, as deflate has them. */

/** A symbol's code, its first bit lowest, with how many bits it has from here on. */
export const CODE_BITS_AT: u32 = 16
const CODE_MASK: u32 = 0xffff
const SYMBOL_SIZE_BITS: usize = 2

let at: usize = 0
/** Bits that fill no byte yet, and how many. */
let bits: u64 = 0
let count: u32 = 0

export function beginBits(address: usize): void {
  at = address
  bits = 0
  count = 0
}

/** Where the next whole byte goes. */
export function bitsEnd(): usize {
  return at
}

/** At most 56 bits of a number that has no others. */
export function writeBits(value: u64, many: u32): void {
  bits |= value << count
  count += many
  store<u64>(at, bits)
  at += count >> 3
  bits >>= count & ~7
  count &= 7
}

/** The codes of bytes one after the other; `codes`: of each a u32, the code and above CODE_BITS_AT its length. */
export function writeSymbols(from: usize, end: usize, codes: usize): void {
  let to = at
  let held = bits
  let many = count
  for (let next = from; next < end; next += 1) {
    const code = load<u32>(codes + ((<usize>load<u8>(next)) << SYMBOL_SIZE_BITS))
    held |= (<u64>(code & CODE_MASK)) << many
    many += code >> CODE_BITS_AT
    if (many < 48) continue
    store<u64>(to, held)
    to += many >> 3
    held >>= many & ~7
    many &= 7
  }
  store<u64>(to, held)
  at = to + (many >> 3)
  bits = held >> (many & ~7)
  count = many & 7
}

/** Zeros until the byte is full. */
export function fillByte(): void {
  if (count > 0) writeBits(0, 8 - count)
}
