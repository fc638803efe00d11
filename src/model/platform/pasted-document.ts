/**
 * A pasted document: HTML and its kin, JSON, a table or a log. What stands beside the addresses there is the document's
 * own, so that it is passed over, as the job's notice says. A text that reads as a list is never taken for a document.
 */
import { LIMITS } from '../../kit/config/config.ts'
import { decodedEntities } from '../../kit/text/entities.ts'
import { hasVisible } from '../../kit/text/invisible.ts'
import { jsonPieces } from './json-pieces.ts'
import { addressesIn, bareName, partsOf, wholeLine } from './line-parts.ts'
import { readSource, sourceKey } from './source.ts'
import { logRecords, type Piece, tableRecords, type TextRecord } from './table-records.ts'

export type DocumentKind = 'HTML' | 'JSON' | 'table' | 'log'
/** What was found on a line of a text, which is counted from 1. */
export type FoundLine = { number: number; parts: string[]; unclear: string[] }
export type PastedDocument = { kind: DocumentKind; lines: FoundLine[] }

/** Near misses: what the customer may have meant, so that it is named in documents, too. */
const MEANT = new Set(
  'bad_video_id bad_playlist_id bad_channel mix personal_list temporary_list clip shared post'.split(
    ' ',
  ),
)

/** Returns what a document holds; null where the text is none, or where no address or id is found in it. */
export function readDocument(text: string): PastedDocument | null {
  for (const read of [readJson, readHtml, readTable, readLog]) {
    const found = read(text)
    if (found !== null) return { ...found, lines: withoutRepeats(found.lines) }
  }
  return null
}

function readJson(text: string): PastedDocument | null {
  const read = jsonPieces(text)
  if (read === null) return null
  // A list in which one string is a source is a list of lines; of other strings, words are passed over.
  const isListed = (strings: readonly Piece[]): boolean =>
    strings.some((each) => partsOf(each.text).parts.some(isSource))
  const lists = new Set(read.lists.filter(isListed).flat())
  const found = sourcesOf(read.pieces.filter((piece) => !lists.has(piece)).map(readPiece))
  const lines = read.pieces.flatMap((piece) =>
    lists.has(piece)
      ? [{ number: piece.number, ...partsOf(piece.text) }]
      : found.filter((line) => line.of === piece),
  )
  return namesAny(lines) ? { kind: 'JSON', lines } : null
}

const TAG = /<\/[a-z][\w:-]*>|<[a-z][\w:-]*\s[^<>]*=/i
/** Paths of the platform's own pages, which its documents name without a host. */
const PATH =
  /^(?:[a-z][\w:-]{0,20}=)?(\/(?:watch\?|playlist\?|shorts\/[\w-]|live\/[\w-]|channel\/|@).*)$/i
const UNSEEN = /^<(script|style)\b/i

function readHtml(text: string): PastedDocument | null {
  const html = TAG.test(text) ? text : decodedEntities(text)
  if (!TAG.test(html)) return null
  const pieces: Piece[] = []
  let number = 1
  let unseen: string | null = null
  // Each part begins with a tag, but for the first.
  for (const part of html.split(/(?=<)/)) {
    const end = part.startsWith('<') ? part.indexOf('>') + 1 || part.length : 0
    const tag = part.slice(0, end)
    if (unseen !== null && tag.toLowerCase().startsWith(`</${unseen}`)) unseen = null
    if (unseen === null) {
      for (const word of wordsOfTag(tag)) {
        const address = decodedEntities(word).replace(PATH, 'https://www.youtube.com$1')
        pieces.push({ number, text: address, isTag: true })
      }
      const own = part.slice(end)
      if (hasVisible(own))
        pieces.push({ number: number + breaksIn(tag), text: decodedEntities(own) })
      unseen = UNSEEN.exec(tag)?.[1]?.toLowerCase() ?? null
    }
    number += breaksIn(part)
  }
  const lines = sourcesOf(pieces.map(readPiece))
  return namesAny(lines) ? { kind: 'HTML', lines } : null
}

/** Returns what may be an address in a tag that opens; pages repeat a few tags thousands of times. */
function wordsOfTag(tag: string): string[] {
  if (tag.startsWith('</')) return []
  return tag.split(/[\s"'<>]+/).filter((each) => each.length > 1 && /[/%&]/.test(each))
}

function breaksIn(text: string): number {
  return text.split('\n').length - 1
}

function readTable(text: string): PastedDocument | null {
  const records = tableRecords(text)
  if (records === null) return null
  const rows = records.map(({ text: row, cells }) => ({ text: row, cells: cells.map(readPiece) }))
  const wordCells = rows.flatMap(({ cells }) => cells.filter(isWords)).length
  const [first] = rows
  const hasHeading = first !== undefined && isHeading(first)
  if (!hasHeading && wordCells < rows.length) return null
  const read = rows.map((row) => ({ row, found: sourcesOf(row.cells) }))
  if (!read.some(({ found }) => namesAny(found))) return null
  const lines = read.flatMap(({ row, found }, at) =>
    found.length > 0 || (at === 0 && hasHeading) ? found : complaintsOf(row),
  )
  return { kind: 'table', lines }
}

function isHeading({ cells }: ReadRow): boolean {
  const filled = cells.filter(({ piece }) => hasVisible(piece.text))
  return filled.length > 0 && filled.every(isWords)
}

/** Returns what is wrong with a row that names no source: its address, else all of it. */
function complaintsOf({ cells, text }: ReadRow): FoundLine[] {
  const number = cells[0]?.piece.number ?? 1
  const parts = cells.flatMap(({ addresses }) => addresses)
  if (parts.length > 0) return [{ number, parts, unclear: [] }]
  return [{ number, ...wholeLine(text) }]
}

function readLog(text: string): PastedDocument | null {
  const lines = logRecords(text)?.flatMap(({ cells }) => sourcesOf(cells.map(readPiece))) ?? []
  return namesAny(lines) ? { kind: 'log', lines } : null
}

/** A piece, the id or handle that it is, and the addresses in it. */
type ReadPiece = { piece: Piece; name: string | null; addresses: string[] }
type ReadRow = Omit<TextRecord, 'cells'> & { cells: ReadPiece[] }

function readPiece(piece: Piece): ReadPiece {
  const name = piece.isTag === true ? null : bareName(piece.text)
  return { piece, name, addresses: addressesIn(piece.text) }
}

function isWords({ piece, name, addresses }: ReadPiece): boolean {
  return hasVisible(piece.text) && addresses.length === 0 && name === null
}

type FoundPiece = FoundLine & { of: Piece }

/**
 * Returns the addresses and ids of pieces that belong together, with what was meant for one. Where a video or an
 * address is named, ids of channels and lists beside it say where it is from, and are passed over.
 */
function sourcesOf(pieces: readonly ReadPiece[]): FoundPiece[] {
  // Documents repeat what they name, and each reading costs.
  const meant = new Map<string, boolean>()
  const isMeantOnce = (address: string): boolean => {
    const known = meant.get(address) ?? isMeant(address)
    meant.set(address, known)
    return known
  }
  const found = pieces.flatMap(({ piece, name, addresses }) => {
    if (name !== null && isVideo(name)) return [foundAt(piece, [name])]
    const meantHere = addresses.filter(isMeantOnce)
    return meantHere.length === 0 ? [] : [foundAt(piece, meantHere)]
  })
  if (found.length > 0) return found
  return pieces.flatMap(({ piece, name }) => (name === null ? [] : [foundAt(piece, [name])]))
}

function foundAt(piece: Piece, parts: string[]): FoundPiece {
  return { number: piece.number, parts, unclear: [], of: piece }
}

function isMeant(address: string): boolean {
  const reading = readSource(address)
  return reading.kind === 'source' || MEANT.has(reading.reason)
}

function namesAny(lines: readonly FoundLine[]): boolean {
  return lines.some(({ parts }) => parts.some(isSource))
}

function isSource(address: string): boolean {
  return readSource(address).kind === 'source'
}

function isVideo(name: string): boolean {
  const reading = readSource(name)
  return reading.kind === 'source' && reading.source.kind === 'video'
}

/** Returns the lines without what an earlier one names: a document names a video by its picture, too. */
function withoutRepeats(lines: readonly FoundLine[]): FoundLine[] {
  const named = new Set<string>()
  const isNew = (part: string): boolean => {
    // Beyond what a job takes, each is only counted, since each costs a reading.
    const reading = named.size > LIMITS.urlsMax ? null : readSource(part)
    const key = reading?.kind === 'source' ? sourceKey(reading.source) : part
    if (named.has(key)) return false
    named.add(key)
    return true
  }
  return lines.map((line) => ({ ...line, parts: line.parts.filter(isNew) }))
}
