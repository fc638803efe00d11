/**
 * The CRC-32 of contents laid end to end, from the CRC-32 and length of each, without their bytes. A CRC is a
 * polynomial over GF(2) modulo the generator P; bit 31 of the number is the coefficient of x^0. Appending n bytes
 * multiplies what stood before by x^(8n); the rest is an addition (xor).
 */

/** P without its leading term, in the bit order of the CRC itself. */
const GENERATOR = 0xedb88320
/** The polynomial 1. */
const ONE = 0x80000000
/** The polynomial x^8: one byte further. */
const ONE_BYTE = 0x00800000

/** The powers x^(8 * 2^k) modulo P: how far 2^k bytes move what stands before them. */
const POWERS = powersOfTwo()

/** Returns the CRC-32 of A followed by B, from those of A and B and the length of B in bytes. */
export function combineCrc32(crcA: number, crcB: number, bytesOfB: number): number {
  return (multiply(shiftBy(bytesOfB), crcA) ^ crcB) >>> 0
}

/** Returns x^(8 * bytes) modulo P. */
function shiftBy(bytes: number): number {
  let product = ONE
  // Division instead of shifts, since lengths may exceed 32 bits.
  for (let rest = bytes, k = 0; rest > 0; rest = Math.floor(rest / 2), k++) {
    const power = POWERS[k]
    if (rest % 2 === 1 && power !== undefined) product = multiply(product, power)
  }
  return product
}

/** Returns a * b modulo P by schoolbook multiplication: one term of `a` after the other, from x^0 on. */
function multiply(a: number, b: number): number {
  let sum = 0
  let shifted = b
  for (let term = ONE; term !== 0; term >>>= 1) {
    if ((a & term) !== 0) sum ^= shifted
    shifted = (shifted & 1) === 1 ? (shifted >>> 1) ^ GENERATOR : shifted >>> 1
  }
  return sum >>> 0
}

/** Returns enough powers for every length that a number holds exactly. */
function powersOfTwo(): number[] {
  const powers = [ONE_BYTE]
  for (let power = ONE_BYTE; powers.length < 53; powers.push(power)) power = multiply(power, power)
  return powers
}
