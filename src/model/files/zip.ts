/**
 * The records of a ZIP file (APPNOTE 6.3). An entry whose size is known before it is written stands in the file as it
 * is; one that is made while it is sent is packed, and a descriptor behind it has its sizes. What 32 bits cannot say
 * stands in ZIP64 fields, which a ZIP of known sizes never needs: an assertion says where it would.
 */
import assert from 'node:assert/strict'
import { eachInSteps, type Steps } from '../transcripts/steps.ts'

/** Facts of an entry that is made while it is sent. */
export type Streamed = {
  isDeflated: boolean
  /** The size that its content takes in the ZIP; 0 until it is written. */
  packedBytes: number
}

export type ZipNamed = {
  /** A name in UTF-8, with `/` between folders. */
  name: string
  /** The clock's day and time in ISO 8601, since ZIPs know no time zones; null where there is none. */
  at: string | null
}
export type ZipEntry = ZipNamed & {
  /** Length and CRC-32 of the content; of one that is made while it is sent, 0 until it is written. */
  sizeBytes: number
  crc32: number
  streamed?: Streamed
}

/** An entry and where its local header begins. */
export type PlacedEntry = ZipEntry & { offset: number }

/** A little-endian number: its bytes, and its value. */
type Field = readonly [width: 2 | 4 | 8, value: number]

const LOCAL_HEADER_BYTES = 30
const CENTRAL_HEADER_BYTES = 46
const MAX_16 = 0xffff
const MAX_32 = 0xffffffff
/** The flags that names are UTF-8, and that sizes follow the content. */
const UTF_8 = 1 << 11
const HAS_DESCRIPTOR = 1 << 3
const [STORED, DEFLATED] = [0, 8]
/** Versions of the format: plain files, packed ones, ZIP64, and the one that this is. */
const [VERSION_PLAIN, VERSION_PACKED, VERSION_ZIP64, VERSION] = [10, 20, 45, 63]
/** Made on Unix, so that the mode is honoured: a plain file, rw-r--r--. */
const UNIX = 3 << 8
const UNIX_MODE = (0o100644 << 16) >>> 0
const ZIP64_FIELD = 1
const ZIP64_FIELD_BYTES = 24
/** Bytes of a ZIP64 end record that its own size does not count. */
const UNCOUNTED_BYTES = 12
const ZIP64_END_BYTES = 56
const [FIRST_YEAR, LAST_YEAR] = [1980, 2107]
/** 1 January 1980, 0:00, the first instant that a ZIP can name: of entries without a date, or with one before it. */
const NO_TIME: readonly Field[] = [
  [2, 0],
  [2, (1 << 5) | 1],
]
/** Number of entries in a step; an entry is some microseconds of work. */
export const ENTRIES_A_STEP = 1_000

export function localHeaderBytes({ name }: { name: string }): number {
  return LOCAL_HEADER_BYTES + Buffer.byteLength(name)
}

/** Returns the header that stands before an entry's content. */
export function localHeader(entry: ZipEntry): Buffer {
  const [crc32, packed, size] = isStreamed(entry) ? [0, 0, 0] : sizesOf(entry)
  return record(entry.name, [
    [4, 0x04034b50],
    ...commonFields(entry, versionOf(entry)),
    [4, crc32],
    [4, packed],
    [4, size],
    [2, Buffer.byteLength(entry.name)],
    [2, 0], // length of the extra field
  ])
}

/** Returns what stands behind the content of an entry that was made while it was sent. */
export function descriptor(entry: PlacedEntry): Buffer {
  const width = isLarge(entry) ? 8 : 4
  const [crc32, packed, size] = sizesOf(entry)
  return record('', [
    [4, 0x08074b50],
    [4, crc32],
    [width, packed],
    [width, size],
  ])
}

/** Returns an entry's record in the central directory. */
export function centralHeader(entry: PlacedEntry): Buffer {
  const [crc32, packed, size] = sizesOf(entry)
  const { name, offset } = entry
  const large = isLarge(entry)
  const extra: Field[] = large
    ? [
        [2, ZIP64_FIELD],
        [2, ZIP64_FIELD_BYTES],
        [8, size],
        [8, packed],
        [8, offset],
      ]
    : []
  const header = record(name, [
    [4, 0x02014b50],
    [2, UNIX | (isStreamed(entry) ? VERSION : VERSION_PLAIN)],
    ...commonFields(entry, large ? VERSION_ZIP64 : versionOf(entry)),
    [4, crc32],
    [4, large ? MAX_32 : packed],
    [4, large ? MAX_32 : size],
    [2, Buffer.byteLength(name)],
    [2, large ? ZIP64_FIELD_BYTES + 4 : 0],
    [2, 0], // length of the comment
    [4, 0], // disk and internal attributes
    [4, UNIX_MODE],
    [4, large ? MAX_32 : offset],
  ])
  return large ? Buffer.concat([header, record('', extra)]) : header
}

/** Returns what ends the ZIP: how many entries its directory has, where it begins and how long it is. */
export function endOfZip(directory: {
  entries: number
  offset: number
  sizeBytes: number
}): Buffer {
  const { entries, offset, sizeBytes } = directory
  const end = record('', [
    [4, 0x06054b50],
    [4, 0], // disks
    [2, Math.min(entries, MAX_16)],
    [2, Math.min(entries, MAX_16)],
    [4, Math.min(sizeBytes, MAX_32)],
    [4, Math.min(offset, MAX_32)],
    [2, 0], // length of the comment
  ])
  if (entries < MAX_16 && sizeBytes < MAX_32 && offset < MAX_32) return end
  const end64 = record('', [
    [4, 0x06064b50],
    [8, ZIP64_END_BYTES - UNCOUNTED_BYTES],
    [2, UNIX | VERSION],
    [2, VERSION_ZIP64],
    [8, 0], // disks
    [8, entries],
    [8, entries],
    [8, sizeBytes],
    [8, offset],
  ])
  const locator = record('', [
    [4, 0x07064b50],
    [4, 0],
    [8, offset + sizeBytes],
    [4, 1],
  ])
  return Buffer.concat([end64, locator, end])
}

export type Placed = { placed: PlacedEntry[]; endOffset: number }

/** Returns where each entry of known size begins, and where the central directory does. */
export function* placeEntries(entries: readonly ZipEntry[]): Steps<Placed> {
  assert(entries.length < MAX_16, 'more entries than a ZIP without ZIP64 can name')
  let offset = 0
  const placed: PlacedEntry[] = []
  const place = (entry: ZipEntry): void => {
    assert(entry.sizeBytes < MAX_32, 'an entry is larger than a ZIP without ZIP64 can hold')
    placed.push({ ...entry, offset })
    offset += localHeaderBytes(entry) + entry.sizeBytes
  }
  yield* eachInSteps(entries, place, ENTRIES_A_STEP)
  assert(offset < MAX_32, 'the ZIP is larger than one without ZIP64 can be')
  return { placed, endOffset: offset }
}

/** A chunk for which nothing has to be read. */
type MadeChunk = { sizeBytes: number; load(): Buffer }

/** Returns the central directory of entries of known size and what ends the file, in chunks of many entries. */
export function directoryChunks({ placed, endOffset }: Placed): MadeChunk[] {
  const chunks: MadeChunk[] = []
  for (let at = 0; at < placed.length; at += ENTRIES_A_STEP) {
    const entries = placed.slice(at, at + ENTRIES_A_STEP)
    const names = entries.reduce((bytes, { name }) => bytes + Buffer.byteLength(name), 0)
    const sizeBytes = names + CENTRAL_HEADER_BYTES * entries.length
    chunks.push({ sizeBytes, load: () => Buffer.concat(entries.map(centralHeader)) })
  }
  const sizeBytes = chunks.reduce((bytes, chunk) => bytes + chunk.sizeBytes, 0)
  assert(endOffset + sizeBytes < MAX_32, 'the directory ends before ZIP64 would begin')
  const end = endOfZip({ entries: placed.length, offset: endOffset, sizeBytes })
  return [...chunks, { sizeBytes: end.length, load: () => end }]
}

function isStreamed({ streamed }: ZipEntry): boolean {
  return streamed !== undefined
}

function versionOf(entry: ZipEntry): number {
  return isStreamed(entry) ? VERSION_PACKED : VERSION_PLAIN
}

function sizesOf({
  crc32,
  sizeBytes,
  streamed,
}: ZipEntry): [crc32: number, packed: number, size: number] {
  return [crc32, streamed?.packedBytes ?? sizeBytes, sizeBytes]
}

/** Returns whether a size or the offset needs more than 32 bits. */
function isLarge(entry: PlacedEntry): boolean {
  const [, packed, size] = sizesOf(entry)
  return Math.max(packed, size, entry.offset) >= MAX_32
}

/** Returns what both headers have in common, from the version needed to the day. */
function commonFields({ at, streamed }: ZipEntry, version: number): Field[] {
  const flags = streamed === undefined ? UTF_8 : UTF_8 | HAS_DESCRIPTOR
  const method = streamed?.isDeflated === true ? DEFLATED : STORED
  return [[2, version], [2, flags], [2, method], ...timeFields(at)]
}

const WRITTEN_TIME = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d))?)?/

/** The least and the most of a date's parts, from the month to the second. */
const BOUNDS = [
  [1, 12],
  [1, 31],
  [0, 23],
  [0, 59],
  [0, 59],
] as const

/** No clock of this machine is asked: the same date gives the same bytes everywhere. */
function timeFields(at: string | null): readonly Field[] {
  const [, ...written] = WRITTEN_TIME.exec(at ?? '') ?? []
  const [year = 0, ...parts] = written.map((part = '0') => Number(part))
  const [month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
  const isDate = BOUNDS.every(([least, most], place) => {
    const part = parts[place] ?? -1
    return part >= least && part <= most
  })
  if (!isDate || year < FIRST_YEAR || year > LAST_YEAR) return NO_TIME
  return [
    [2, (hour << 11) | (minute << 5) | (second >> 1)],
    [2, ((year - FIRST_YEAR) << 9) | (month << 5) | day],
  ]
}

/** Returns the fields, and the name behind them. */
function record(name: string, fields: readonly Field[]): Buffer {
  const nameAt = fields.reduce((sum, [width]) => sum + width, 0)
  const bytes = Buffer.alloc(nameAt + Buffer.byteLength(name))
  let at = 0
  for (const [width, value] of fields) {
    if (width === 8) bytes.writeBigUInt64LE(BigInt(value), at)
    else bytes.writeUIntLE(value, at, width)
    at += width
  }
  bytes.write(name, nameAt)
  return bytes
}
