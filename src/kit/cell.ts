/**
 * The cell: one whole installation, database included. There is one so far. Keys and jobs carry its number, so that
 * a directory in front of several will know where a request belongs without asking any (decision 0051).
 */

/** 0 to 15. */
export const CELL = 0

/** Random bytes whose last four bits are the cell: the last digit in hexadecimal, the last letter of 32 bytes in base64. */
export function withCell(random: Buffer): Buffer {
  const bytes = Buffer.from(random)
  const last = bytes.length - 1
  bytes.writeUInt8((bytes.readUInt8(last) & 0xf0) | CELL, last)
  return bytes
}
