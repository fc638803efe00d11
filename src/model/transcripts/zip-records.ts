/**
 * The records of a ZIP file (APPNOTE 6.3), and the CRC-32 of contents laid end to end. No ZIP64: where it would begin,
 * an assertion says so; a job of 500 videos stays far below.
 */
import assert from 'node:assert/strict'
import { eachInSteps, type Steps } from './steps.ts'

// CRC-32 of contents laid end to end, from the CRC-32 and length of each, without their bytes. A CRC is a
// polynomial over GF(2) modulo the generator P; bit 31 of the number is the coefficient of x^0. Appending n bytes
// multiplies what stood before by x^(8n); the rest is an addition (xor).

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

export type ZipEntry = {
  /** A plain file name in UTF-8. */
  name: string
  /** Length and CRC-32 of the content, which stands in the file as it is. */
  sizeBytes: number
  crc32: number
}

/** An entry and where its local header begins. */
export type PlacedEntry = ZipEntry & { offset: number }

const LOCAL_HEADER_BYTES = 30
const CENTRAL_HEADER_BYTES = 46
const END_RECORD_BYTES = 22
const STORED = 0
/** Version 1.0: plain files. */
const VERSION_NEEDED = 10
/** The flag that names are UTF-8. */
const FLAGS = 1 << 11
/** 1 January 1980, 0:00, the first instant that a ZIP can name: the same job gives the same bytes. */
const DOS_DATE = (1 << 5) | 1
const DOS_TIME = 0
/** Made on Unix, so that the mode below is honoured: a plain file, rw-r--r--. */
const MADE_BY = (3 << 8) | VERSION_NEEDED
const UNIX_MODE = 0o100644
const ZIP64_BYTES = 0xffffffff
const ZIP64_ENTRIES = 0xffff
/** Number of entries in a step; an entry is some microseconds of work. */
export const ENTRIES_A_STEP = 1_000

/** A chunk for which nothing has to be read. */
type MadeChunk = { sizeBytes: number; load(): Buffer }

export type Placed = { placed: PlacedEntry[]; endOffset: number }

/** Returns where each entry begins, and where the central directory does. */
export function* placeEntries(entries: readonly ZipEntry[]): Steps<Placed> {
  assert(entries.length < ZIP64_ENTRIES, 'more entries than a ZIP without ZIP64 can name')
  let offset = 0
  const placed: PlacedEntry[] = []
  yield* eachInSteps(
    entries,
    (entry) => {
      assert(entry.sizeBytes < ZIP64_BYTES, 'an entry is larger than a ZIP without ZIP64 can hold')
      placed.push({ ...entry, offset })
      offset += localHeaderBytes(entry) + entry.sizeBytes
    },
    ENTRIES_A_STEP,
  )
  assert(offset < ZIP64_BYTES, 'the ZIP is larger than one without ZIP64 can be')
  return { placed, endOffset: offset }
}

export function localHeaderBytes(entry: Pick<ZipEntry, 'name'>): number {
  return LOCAL_HEADER_BYTES + Buffer.byteLength(entry.name)
}

/** Returns the header that stands before an entry's body. */
export function localHeader(entry: ZipEntry): Buffer {
  const header = Buffer.alloc(localHeaderBytes(entry))
  header.writeUInt32LE(0x04034b50, 0)
  writeCommon(header, 4, entry)
  header.write(entry.name, LOCAL_HEADER_BYTES)
  return header
}

/** Returns the central directory and the record that ends the file, as chunks of many entries each. */
export function directoryChunks(places: Placed): MadeChunk[] {
  const { placed } = places
  const chunks: MadeChunk[] = []
  for (let at = 0; at < placed.length; at += ENTRIES_A_STEP) {
    const entries = placed.slice(at, at + ENTRIES_A_STEP)
    const sizeBytes = entries.reduce((bytes, entry) => bytes + centralHeaderBytes(entry), 0)
    chunks.push({ sizeBytes, load: () => Buffer.concat(entries.map(centralHeader)) })
  }
  const sizeBytes = chunks.reduce((bytes, chunk) => bytes + chunk.sizeBytes, 0)
  const end = endRecord(places, sizeBytes)
  return [...chunks, { sizeBytes: end.length, load: () => end }]
}

/** Returns the record that ends the file: how many entries its directory has, where it begins and how long it is. */
function endRecord({ placed, endOffset }: Placed, sizeBytes: number): Buffer {
  assert(endOffset + sizeBytes < ZIP64_BYTES, 'the directory ends before ZIP64 would begin')
  const end = Buffer.alloc(END_RECORD_BYTES)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(placed.length, 8) // entries on this disk
  end.writeUInt16LE(placed.length, 10) // entries in total
  end.writeUInt32LE(sizeBytes, 12)
  end.writeUInt32LE(endOffset, 16)
  return end
}

function centralHeaderBytes(entry: Pick<ZipEntry, 'name'>): number {
  return CENTRAL_HEADER_BYTES + Buffer.byteLength(entry.name)
}

function centralHeader(entry: PlacedEntry): Buffer {
  const header = Buffer.alloc(centralHeaderBytes(entry))
  header.writeUInt32LE(0x02014b50, 0)
  header.writeUInt16LE(MADE_BY, 4)
  writeCommon(header, 6, entry)
  header.writeUInt32LE((UNIX_MODE << 16) >>> 0, 38)
  header.writeUInt32LE(entry.offset, 42)
  header.write(entry.name, CENTRAL_HEADER_BYTES)
  return header
}

/** Writes what both headers have in common, from the version needed to the length of the name. */
function writeCommon(header: Buffer, at: number, entry: ZipEntry): void {
  header.writeUInt16LE(VERSION_NEEDED, at)
  header.writeUInt16LE(FLAGS, at + 2)
  header.writeUInt16LE(STORED, at + 4)
  header.writeUInt16LE(DOS_TIME, at + 6)
  header.writeUInt16LE(DOS_DATE, at + 8)
  header.writeUInt32LE(entry.crc32, at + 10)
  header.writeUInt32LE(entry.sizeBytes, at + 14)
  header.writeUInt32LE(entry.sizeBytes, at + 18)
  header.writeUInt16LE(Buffer.byteLength(entry.name), at + 22)
}
