/**
 * A job's ZIP, read as it arrives. Each entry's own header says where its content is, so that reading ends with the
 * last wanted file, before the file with all texts, which is a third of the ZIP. The data is kept in a file without a
 * name, which is gone when the program ends in any way. A ZIP with times of words is made while it is sent: only its
 * directory, at its end, says where a content is.
 */
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { FORMAT_ENDINGS, WORD_ENDINGS } from '../../typescript/src/catalogue.ts'
import type { FileStream, Format, Scriptorium } from '../../typescript/src/index.ts'
import { crc32 } from './crc32.ts'
import { EXIT, Failure } from './failure.ts'

/** Ending of a format's files, or of one with the time of each word, which not every video has. */
export type Ending = FormatEnding | WordEnding
export type FormatEnding = (typeof FORMAT_ENDINGS)[Format]
type WordEnding = (typeof WORD_ENDINGS)[keyof typeof WORD_ENDINGS]

export type ZippedFile = {
  name: string
  isPacked: boolean
  packedBytes: number
  sizeBytes: number
  crc32: number
  /** Position of its content. */
  offset: number
}

export type JobZip = {
  /** Files of each index, by their ending. */
  entries: Map<number, Map<string, ZippedFile>>
  /** Throws where the content does not match its header. */
  read(file: ZippedFile): Buffer
  close(): void
}

export type ZipWish = {
  /** Folder for the file without a name. */
  folder: string
  indexes: readonly number[]
  endings: readonly Ending[]
  /** Called with how much has arrived, to be shown. */
  onArrival: (sofar: string) => void
}

/** Names of one video's files; `all-transcripts.txt` and the report are left in the ZIP. */
const VIDEO_FILE = /^([1-9]\d{0,9})\.(.+)$/

// Local file headers (APPNOTE 6.3, section 4.3.7), those of the directory (4.3.12) and its end (4.3.16).
const LOCAL_SIGNATURE = 0x04034b50
const LOCAL_BYTES = 30
const CENTRAL_SIGNATURE = 0x02014b50
const CENTRAL_BYTES = 46
const END_SIGNATURE = 0x06054b50
const END_BYTES = 22
/** Marks of sizes after the content, or in fields of their own. */
const HAS_DESCRIPTOR = 1 << 3
const ZIP64 = 0xffffffff
const METHODS = new Map([
  [0, false],
  [8, true],
])

/** Asks for a job's ZIP, of these files only, and without the first `after` rows to finish. */
export function askForZip(
  client: Scriptorium,
  jobId: string,
  { endings, after = 0 }: { endings: readonly Ending[]; after?: number },
): Promise<FileStream> {
  const formats = namesOf(FORMAT_ENDINGS, endings)
  const exports = namesOf(WORD_ENDINGS, endings)
  return client.files.zip(jobId, {
    formats,
    ...(exports.length === 0 ? {} : { exports }),
    ...(after === 0 ? {} : { after }),
  })
}

/** Returns the names by which these endings are asked for, in the order of the endings. */
function namesOf<Name extends string>(
  table: Readonly<Record<Name, Ending>>,
  endings: readonly Ending[],
): Name[] {
  const names = Object.keys(table) as Name[]
  return endings.flatMap((ending) => names.find((name) => table[name] === ending) ?? [])
}

export function isOfWords(ending: Ending): ending is WordEnding {
  return Object.values(WORD_ENDINGS).some((known) => known === ending)
}

/** Receives the wanted files. Files that the ZIP lacks are missing in `entries`. */
export async function receiveZip(stream: FileStream, wish: ZipWish): Promise<JobZip> {
  // The random name cannot be guessed, even where other users may write to the folder.
  const file = path.join(wish.folder, `.scriptorium-${process.pid}-${randomUUID()}.zip`)
  const handle = fs.openSync(file, 'wx+', 0o600)
  try {
    fs.rmSync(file, { force: true })
    const isMade = wish.endings.some(isOfWords)
    const entries = await (isMade ? receiveMade : receive)(stream, handle, wish)
    return {
      entries,
      read: (one) => contentOf(handle, one),
      close: () => fs.closeSync(handle),
    }
  } catch (error) {
    fs.closeSync(handle)
    throw error
  }
}

async function receive(
  stream: FileStream,
  handle: number,
  { indexes, endings, onArrival }: ZipWish,
): Promise<JobZip['entries']> {
  const entries: JobZip['entries'] = new Map(indexes.map((index) => [index, new Map()]))
  const wanted = indexes.length * endings.length
  let [received, arrived, next] = [0, 0, 0]
  for await (const chunk of stream) {
    fs.writeSync(handle, chunk, 0, chunk.length, received)
    received += chunk.length
    for (;;) {
      const found = headerAt(handle, next, received)
      if (found === 'later') break
      if (found === 'directory') return entries
      const end = found.offset + found.packedBytes
      if (received < end) break
      next = end
      const [, digits, ending = ''] = VIDEO_FILE.exec(found.name) ?? []
      const ofVideo = entries.get(Number(digits))
      if (ofVideo === undefined || !endings.includes(ending as Ending)) continue
      ofVideo.set(ending, found)
      arrived += 1
      // Leaving the loop closes the connection.
      if (arrived === wanted) return entries
    }
    onArrival(`${Math.floor((100 * arrived) / wanted)} %`)
  }
  throw damaged('the ZIP')
}

/** Receives a ZIP that is made while it is sent, to its end. */
async function receiveMade(
  stream: FileStream,
  handle: number,
  { indexes, endings, onArrival }: ZipWish,
): Promise<JobZip['entries']> {
  const entries: JobZip['entries'] = new Map(indexes.map((index) => [index, new Map()]))
  let received = 0
  for await (const chunk of stream) {
    fs.writeSync(handle, chunk, 0, chunk.length, received)
    received += chunk.length
    onArrival(`${(received / 1_000_000).toFixed(1)} MB`)
  }
  for (const file of directoryOf(handle, received)) {
    const [, digits, ending = ''] = VIDEO_FILE.exec(file.name) ?? []
    if (endings.includes(ending as Ending)) entries.get(Number(digits))?.set(ending, file)
  }
  return entries
}

function* directoryOf(handle: number, received: number): Generator<ZippedFile, void> {
  const end = readAt(handle, Math.max(0, received - END_BYTES), END_BYTES)
  const [sizeBytes, from] = [end.readUInt32LE(12), end.readUInt32LE(16)]
  const isWhole = end.readUInt32LE(0) === END_SIGNATURE && from + sizeBytes + END_BYTES === received
  if (!isWhole) throw damaged('the ZIP')
  const directory = readAt(handle, from, sizeBytes)
  for (let at = 0; at < sizeBytes;) {
    if (directory.readUInt32LE(at) !== CENTRAL_SIGNATURE) throw damaged('the ZIP')
    const nameEnd = at + CENTRAL_BYTES + directory.readUInt16LE(at + 28)
    const name = directory.toString('utf8', at + CENTRAL_BYTES, nameEnd)
    const isPacked = METHODS.get(directory.readUInt16LE(at + 10))
    if (isPacked === undefined) throw damaged(name)
    const local = directory.readUInt32LE(at + 42)
    const header = readAt(handle, local, LOCAL_BYTES)
    yield {
      name,
      isPacked,
      crc32: directory.readUInt32LE(at + 16),
      packedBytes: directory.readUInt32LE(at + 20),
      sizeBytes: directory.readUInt32LE(at + 24),
      offset: local + LOCAL_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28),
    }
    at = nameEnd + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32)
  }
}

/** Returns 'later' where the header has not arrived yet, and 'directory' after the last entry. */
function headerAt(
  handle: number,
  at: number,
  received: number,
): ZippedFile | 'later' | 'directory' {
  if (received < at + LOCAL_BYTES) return 'later'
  const header = readAt(handle, at, LOCAL_BYTES)
  if (header.readUInt32LE(0) !== LOCAL_SIGNATURE) return 'directory'
  const nameBytes = header.readUInt16LE(26)
  const offset = at + LOCAL_BYTES + nameBytes + header.readUInt16LE(28)
  if (received < offset) return 'later'
  const name = readAt(handle, at + LOCAL_BYTES, nameBytes).toString()
  const isPacked = METHODS.get(header.readUInt16LE(8))
  const [packedBytes, sizeBytes] = [header.readUInt32LE(18), header.readUInt32LE(22)]
  const isTold = (header.readUInt16LE(6) & HAS_DESCRIPTOR) === 0 && packedBytes !== ZIP64
  if (isPacked === undefined || !isTold) throw damaged(name)
  return { name, isPacked, packedBytes, sizeBytes, crc32: header.readUInt32LE(14), offset }
}

function contentOf(handle: number, file: ZippedFile): Buffer {
  const raw = readAt(handle, file.offset, file.packedBytes)
  const content = file.isPacked ? unpacked(raw, file.sizeBytes) : raw
  if (content !== null && crc32(content) === file.crc32) return content
  throw damaged(file.name)
}

/**
 * Returns the text, or null where it is damaged. Texts are small: inflating one as a whole is three times as quick as a
 * stream.
 */
function unpacked(raw: Buffer, sizeBytes: number): Buffer | null {
  try {
    return inflateRawSync(raw, { maxOutputLength: Math.max(1, sizeBytes) })
  } catch {
    return null
  }
}

function readAt(handle: number, at: number, bytes: number): Buffer {
  const piece = Buffer.alloc(bytes)
  fs.readSync(handle, piece, 0, bytes, at)
  return piece
}

export function damaged(what: string): Failure {
  return new Failure(`${what} arrived damaged`, {
    exit: EXIT.busy,
    code: 'damaged',
    hint: 'the same command fetches it again',
  })
}
