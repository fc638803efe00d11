/**
 * The records of a ZIP file (APPNOTE 6.3): local headers, central directory and its end, for
 * entries whose sizes and CRC-32 are known before they are written. No ZIP64: where it would begin, an
 * assertion says so; a job of 500 videos stays far below.
 */
import assert from 'node:assert/strict'

export type ZipEntry = {
  /** Plain file name, UTF-8. */
  name: string
  /** `deflate`: the body is a raw deflate stream. `store`: it is the content. */
  method: 'deflate' | 'store'
  /** Length of the body as it stands in the file. */
  packedBytes: number
  /** Length and CRC-32 of the content. */
  sizeBytes: number
  crc32: number
}

/** An entry and where its local header begins. */
export type PlacedEntry = ZipEntry & { offset: number }

const LOCAL_HEADER_BYTES = 30
const CENTRAL_HEADER_BYTES = 46
const END_RECORD_BYTES = 22
const METHODS = { store: 0, deflate: 8 } as const
/** 2.0: deflate. */
const VERSION_NEEDED = 20
/** Names are UTF-8. */
const FLAGS = 1 << 11
/** 1 January 1980, 0:00, the first instant a ZIP can name: the same job gives the same bytes. */
const DOS_DATE = (1 << 5) | 1
const DOS_TIME = 0
/** Made on Unix, so that the mode below is honoured: a plain file, rw-r--r--. */
const MADE_BY = (3 << 8) | VERSION_NEEDED
const UNIX_MODE = 0o100644
const ZIP64_BYTES = 0xffffffff
const ZIP64_ENTRIES = 0xffff

/** Where each entry begins, and where the central directory does. */
export function placeEntries(entries: readonly ZipEntry[]): {
  placed: PlacedEntry[]
  endOffset: number
} {
  assert(entries.length < ZIP64_ENTRIES, 'more entries than a ZIP without ZIP64 can name')
  let offset = 0
  const placed = entries.map((entry) => {
    assert(entry.sizeBytes < ZIP64_BYTES, 'an entry is larger than a ZIP without ZIP64 can hold')
    const here = offset
    offset += localHeaderBytes(entry) + entry.packedBytes
    return { ...entry, offset: here }
  })
  assert(offset < ZIP64_BYTES, 'the ZIP is larger than one without ZIP64 can be')
  return { placed, endOffset: offset }
}

export function localHeaderBytes(entry: ZipEntry): number {
  return LOCAL_HEADER_BYTES + Buffer.byteLength(entry.name)
}

/** The header that stands before an entry's body. */
export function localHeader(entry: ZipEntry): Buffer {
  const header = Buffer.alloc(localHeaderBytes(entry))
  header.writeUInt32LE(0x04034b50, 0)
  writeCommon(header, 4, entry)
  header.write(entry.name, LOCAL_HEADER_BYTES)
  return header
}

/** The central directory and the record that ends the file. */
export function directory(placed: readonly PlacedEntry[], directoryOffset: number): Buffer {
  const headers = placed.map(centralHeader)
  const sizeBytes = headers.reduce((bytes, header) => bytes + header.length, 0)
  assert(directoryOffset + sizeBytes < ZIP64_BYTES, 'the directory ends before ZIP64 would begin')
  const end = Buffer.alloc(END_RECORD_BYTES)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(placed.length, 8) // entries on this disk
  end.writeUInt16LE(placed.length, 10) // entries in total
  end.writeUInt32LE(sizeBytes, 12)
  end.writeUInt32LE(directoryOffset, 16)
  return Buffer.concat([...headers, end])
}

/** How long `directory` will be. */
export function directoryBytes(entries: readonly ZipEntry[]): number {
  const names = entries.reduce((bytes, entry) => bytes + Buffer.byteLength(entry.name), 0)
  return names + entries.length * CENTRAL_HEADER_BYTES + END_RECORD_BYTES
}

function centralHeader(entry: PlacedEntry): Buffer {
  const header = Buffer.alloc(CENTRAL_HEADER_BYTES + Buffer.byteLength(entry.name))
  header.writeUInt32LE(0x02014b50, 0)
  header.writeUInt16LE(MADE_BY, 4)
  writeCommon(header, 6, entry)
  header.writeUInt32LE((UNIX_MODE << 16) >>> 0, 38)
  header.writeUInt32LE(entry.offset, 42)
  header.write(entry.name, CENTRAL_HEADER_BYTES)
  return header
}

/** What both headers have in common, from the version needed to the length of the name. */
function writeCommon(header: Buffer, at: number, entry: ZipEntry): void {
  header.writeUInt16LE(VERSION_NEEDED, at)
  header.writeUInt16LE(FLAGS, at + 2)
  header.writeUInt16LE(METHODS[entry.method], at + 4)
  header.writeUInt16LE(DOS_TIME, at + 6)
  header.writeUInt16LE(DOS_DATE, at + 8)
  header.writeUInt32LE(entry.crc32, at + 10)
  header.writeUInt32LE(entry.packedBytes, at + 14)
  header.writeUInt32LE(entry.sizeBytes, at + 18)
  header.writeUInt16LE(Buffer.byteLength(entry.name), at + 22)
}
