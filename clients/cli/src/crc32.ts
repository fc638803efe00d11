/** CRC-32 as in ZIP: Node's own, or ours on an early Node 20 without one. */
import zlib from 'node:zlib'

const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

export const crc32: (bytes: Uint8Array) => number = zlib.crc32 ?? slowCrc32

export function slowCrc32(bytes: Uint8Array): number {
  let value = -1
  for (const byte of bytes) value = (value >>> 8) ^ (TABLE[(value ^ byte) & 0xff] ?? 0)
  return ~value >>> 0
}
