/** Varints: numbers of seven bits a byte, the lowest first, in which small ones take one byte. */
import assert from 'node:assert/strict'

/** The most bytes of a safe integer. */
export const VARINT_BYTES_MAX = 8
/** The number of values in a varint's byte; a byte with the bit of this value is followed by more. */
const VARINT_BASE = 128

export type ByteReader = { readonly bytes: Buffer; at: number }

/** Returns small numbers of either sign as small numbers: 0, -1, 1, -2 … become 0, 1, 2, 3 … */
export function signed(value: number): number {
  return value >= 0 ? value * 2 : -value * 2 - 1
}

export function unsigned(value: number): number {
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2
}

export function varint(value: number): Buffer {
  const bytes = Buffer.alloc(VARINT_BYTES_MAX)
  return bytes.subarray(0, writeVarint(bytes, 0, value))
}

/** Writes a number and returns the place behind it. Division instead of shifts, since times may exceed 32 bits. */
export function writeVarint(bytes: Buffer, from: number, value: number): number {
  let at = from
  let rest = value
  for (; rest >= VARINT_BASE; rest = Math.floor(rest / VARINT_BASE))
    bytes[at++] = (rest % VARINT_BASE) + VARINT_BASE
  bytes[at] = rest
  return at + 1
}

export function readVarint(reader: ByteReader): number {
  const { bytes } = reader
  const first = bytes[reader.at] ?? VARINT_BASE
  if (first < VARINT_BASE) {
    reader.at += 1
    return first
  }
  let value = 0
  for (let weight = 1; ; weight *= VARINT_BASE) {
    const byte = bytes[reader.at++]
    assert(byte !== undefined, 'a body is as long as it says')
    if (byte < VARINT_BASE) return value + byte * weight
    value += (byte - VARINT_BASE) * weight
  }
}
