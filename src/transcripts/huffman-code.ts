/** Huffman codes as deflate has them: of a longest length, given by their lengths alone (RFC 1951, 3.2.2). */

/** Each symbol's code with its first bit lowest, as deflate writes it, and its length in bits; 0: it has none. */
export type HuffmanCode = { codes: Uint16Array; lengths: Uint8Array }

const SYMBOL_BITS = 9
/** No code of deflate is longer than 15 bits. */
const LENGTHS = 17

/**
 * How long each symbol's code is, by how often it occurs; those that do not have none, a single one has one bit.
 * Where a code would be longer than `longest`, the counts are made more alike until none is.
 */
export function codeLengths(counts: Int32Array, longest: number): Uint8Array {
  for (let halvings = 0; ; halvings += 1) {
    const lengths = huffmanLengths(counts, halvings)
    if (lengths.every((length) => length <= longest)) return lengths
  }
}

/** Symbols sorted by count, then joined from the rarest on: leaves and joints are two queues, both in order. */
function huffmanLengths(counts: Int32Array, halvings: number): Uint8Array {
  const lengths = new Uint8Array(counts.length)
  const leaves = leavesOf(counts, halvings)
  const many = leaves.length
  if (many === 1) lengths[(leaves[0] ?? 0) % 2 ** SYMBOL_BITS] = 1
  if (many < 2) return lengths
  const weights = new Float64Array(2 * many - 1)
  for (let at = 0; at < many; at += 1)
    weights[at] = Math.floor((leaves[at] ?? 0) / 2 ** SYMBOL_BITS)
  const joints = new Int32Array(2 * many - 1)
  let [leaf, joint] = [0, many]
  const lightest = (made: number): number => {
    const isLeaf = leaf < many && (joint >= made || (weights[leaf] ?? 0) <= (weights[joint] ?? 0))
    return isLeaf ? leaf++ : joint++
  }
  for (let made = many; made < weights.length; made += 1) {
    const [one, other] = [lightest(made), lightest(made)]
    weights[made] = (weights[one] ?? 0) + (weights[other] ?? 0)
    joints[one] = made
    joints[other] = made
  }
  const depths = new Uint8Array(weights.length)
  for (let at = weights.length - 2; at >= 0; at -= 1)
    depths[at] = (depths[joints[at] ?? 0] ?? 0) + 1
  for (let at = 0; at < many; at += 1)
    lengths[(leaves[at] ?? 0) % 2 ** SYMBOL_BITS] = depths[at] ?? 0
  return lengths
}

/** Each count above its symbol, the rarest first. */
function leavesOf(counts: Int32Array, halvings: number): Float64Array {
  const leaves = new Float64Array(counts.length)
  let many = 0
  for (let symbol = 0; symbol < counts.length; symbol += 1) {
    const count = counts[symbol] ?? 0
    if (count === 0) continue
    leaves[many++] = (Math.floor(count / 2 ** halvings) + 1) * 2 ** SYMBOL_BITS + symbol
  }
  return leaves.subarray(0, many).sort()
}

/** The codes of these lengths: of one length those of earlier symbols first, after all shorter ones. */
export function codeOf(lengths: Uint8Array): HuffmanCode {
  const next = new Int32Array(LENGTHS)
  for (let symbol = 0; symbol < lengths.length; symbol += 1) {
    const length = lengths[symbol] ?? 0
    if (length > 0) next[length + 1] = (next[length + 1] ?? 0) + 1
  }
  for (let length = 1; length < LENGTHS; length += 1)
    next[length] = ((next[length - 1] ?? 0) + (next[length] ?? 0)) * 2
  const codes = new Uint16Array(lengths.length)
  for (let symbol = 0; symbol < lengths.length; symbol += 1) {
    const length = lengths[symbol] ?? 0
    if (length === 0) continue
    const code = next[length] ?? 0
    next[length] = code + 1
    codes[symbol] = reversed(code, length)
  }
  return { codes, lengths }
}

function reversed(code: number, bits: number): number {
  const turned = ((REVERSED_BYTES[code & 255] ?? 0) << 8) | (REVERSED_BYTES[code >> 8] ?? 0)
  return turned >> (16 - bits)
}

const REVERSED_BYTES = new Uint8Array(256)
for (let byte = 0; byte < 256; byte += 1)
  for (let bit = 0; bit < 8; bit += 1)
    if ((byte >> bit) & 1) REVERSED_BYTES[byte] = (REVERSED_BYTES[byte] ?? 0) | (128 >> bit)
