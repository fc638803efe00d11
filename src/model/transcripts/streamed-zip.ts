/**
 * The records of a ZIP file (APPNOTE 6.3) whose entries are written before their sizes are known: each content is
 * followed by a descriptor. What 32 bits cannot say stands in ZIP64 fields.
 */

/** An entry as far as it is known before its content is written. */
export type NewStreamedEntry = {
  name: string
  /** The time of its last change: the clock of the time zone of this process, as ZIPs have it. */
  at: Date
  isDeflated: boolean
  /** Where its header begins. */
  offset: number
}

/** An entry with the CRC-32 and size of its content, and the size that this takes in the ZIP. */
export type StreamedEntry = NewStreamedEntry & {
  crc32: number
  sizeBytes: number
  packedBytes: number
}

/** A little-endian number: its bytes, and its value. */
type Field = readonly [width: 2 | 4 | 8, value: number]

const MAX_16 = 0xffff
const MAX_32 = 0xffffffff
/** The flags that sizes follow the content, and that names are UTF-8. */
const FLAGS = (1 << 3) | (1 << 11)
const DEFLATED = 8
const STORED = 0
const VERSION_NEEDED = 20
const VERSION_OF_ZIP64 = 45
/** Made on Unix by version 6.3, so that the mode below is honoured: a plain file, rw-r--r--. */
const MADE_BY = (3 << 8) | 63
const UNIX_MODE = 0o100644
const ZIP64_FIELD = 1
const ZIP64_FIELD_BYTES = 24
/** Bytes of a ZIP64 end record that its own size does not count. */
const UNCOUNTED_BYTES = 12
const ZIP64_END_BYTES = 56
const FIRST_YEAR = 1980
const LAST_YEAR = 2107

/** Returns the header that stands before an entry's content. */
export function streamedHeader(entry: NewStreamedEntry): Buffer {
  const name = Buffer.from(entry.name)
  const fields = record(
    [4, 0x04034b50],
    ...commonFields(entry),
    [4, 0], // CRC-32 and sizes stand in the descriptor
    [8, 0],
    [2, name.length],
    [2, 0], // length of the extra field
  )
  return Buffer.concat([fields, name])
}

/** Returns the descriptor that stands behind an entry's content. */
export function streamedDescriptor(entry: StreamedEntry): Buffer {
  const width = isLarge(entry) ? 8 : 4
  const { crc32, packedBytes, sizeBytes } = entry
  return record([4, 0x08074b50], [4, crc32], [width, packedBytes], [width, sizeBytes])
}

/** Returns an entry's record in the central directory. */
export function streamedRecord(entry: StreamedEntry): Buffer {
  const name = Buffer.from(entry.name)
  const { crc32, packedBytes, sizeBytes, offset } = entry
  const large = isLarge(entry)
  const extra = large
    ? record(
        [2, ZIP64_FIELD],
        [2, ZIP64_FIELD_BYTES],
        [8, sizeBytes],
        [8, packedBytes],
        [8, offset],
      )
    : Buffer.alloc(0)
  const fields = record(
    [4, 0x02014b50],
    [2, MADE_BY],
    ...commonFields(entry, large ? VERSION_OF_ZIP64 : VERSION_NEEDED),
    [4, crc32],
    [4, large ? MAX_32 : packedBytes],
    [4, large ? MAX_32 : sizeBytes],
    [2, name.length],
    [2, extra.length],
    [2, 0], // length of the comment
    [4, 0], // disk and internal attributes
    [4, (UNIX_MODE << 16) >>> 0],
    [4, large ? MAX_32 : offset],
  )
  return Buffer.concat([fields, name, extra])
}

/** Returns what ends the ZIP: how many entries its directory has, where it begins and how long it is. */
export function streamedEnd({
  entries,
  offset,
  sizeBytes,
}: {
  entries: number
  offset: number
  sizeBytes: number
}): Buffer {
  const end = record(
    [4, 0x06054b50],
    [4, 0], // disks
    [2, Math.min(entries, MAX_16)],
    [2, Math.min(entries, MAX_16)],
    [4, Math.min(sizeBytes, MAX_32)],
    [4, Math.min(offset, MAX_32)],
    [2, 0], // length of the comment
  )
  if (entries < MAX_16 && sizeBytes < MAX_32 && offset < MAX_32) return end
  const end64 = record(
    [4, 0x06064b50],
    [8, ZIP64_END_BYTES - UNCOUNTED_BYTES],
    [2, MADE_BY],
    [2, VERSION_OF_ZIP64],
    [8, 0], // disks
    [8, entries],
    [8, entries],
    [8, sizeBytes],
    [8, offset],
  )
  const locator = record([4, 0x07064b50], [4, 0], [8, offset + sizeBytes], [4, 1])
  return Buffer.concat([end64, locator, end])
}

/** Returns whether a size or the offset needs more than 32 bits. */
function isLarge({ packedBytes, sizeBytes, offset }: StreamedEntry): boolean {
  return Math.max(packedBytes, sizeBytes, offset) >= MAX_32
}

/** Returns what both headers have in common, from the version needed to the time. */
function commonFields({ isDeflated, at }: NewStreamedEntry, version = VERSION_NEEDED): Field[] {
  const year = Math.min(LAST_YEAR, Math.max(FIRST_YEAR, at.getFullYear()))
  const time = (at.getHours() << 11) | (at.getMinutes() << 5) | (at.getSeconds() >> 1)
  const day = ((year - FIRST_YEAR) << 9) | ((at.getMonth() + 1) << 5) | at.getDate()
  return [
    [2, version],
    [2, FLAGS],
    [2, isDeflated ? DEFLATED : STORED],
    [2, time],
    [2, day],
  ]
}

function record(...fields: readonly Field[]): Buffer {
  const bytes = Buffer.alloc(fields.reduce((sum, [width]) => sum + width, 0))
  let at = 0
  for (const [width, value] of fields) {
    if (width === 8) bytes.writeBigUInt64LE(BigInt(value), at)
    else bytes.writeUIntLE(value, at, width)
    at += width
  }
  return bytes
}
