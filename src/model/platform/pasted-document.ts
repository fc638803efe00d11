/**
 * A pasted document: a page, JSON, a table, a log. Every address in it is taken, and every id that stands by itself;
 * what holds none is told. A text that reads as a list is never taken for a document.
 */
import { decodedEntities } from '../../kit/text/entities.ts'
import { eachInSteps, type Steps } from '../transcripts/steps.ts'
import { addressesIn, bareName, mayHoldAddress } from './line-parts.ts'
import { sourceKey, type SourceReading } from './source.ts'

/** A line of a text, counted from 1, with its addresses and ids, and what stands beside them in a list. */
export type FoundLine = { number: number; parts: string[]; unclear: string[] }
/** A line as sent, by its number. */
export type NumberedLine = { number: number; text: string }
/**
 * The rest of a document: lines of which nothing was taken, and ids of channels and lists beside videos. `isWhole` is
 * false of lines with tags in a list.
 */
export type DocumentRest = LeftOut & { isWhole: boolean }
type LeftOut = { lines: NumberedLine[]; ids: string[] }

/**
 * `lines` are those of a text, `uncommented` the same without comments, of which HTML has none, and JSON has whole
 * lines; `listed` is what a list reads in those that hold anything.
 */
type Pasted = {
  lines: readonly string[]
  uncommented: readonly string[]
  listed: readonly FoundLine[]
  read: ReadLine
}
/** A document, as far as it is an order. `isComment` tells of the number of a line whether its comment is one here. */
type Document = {
  found: FoundLine[]
  rest: LeftOut
  isComment: (number: number) => boolean
}
type ReadLine = (line: string) => SourceReading

/** Reasons of near misses: customers may have meant a source, so they are named in documents, too. */
const MEANT = /^(?:bad_\w+|mix|personal_list|temporary_list|clip|shared|post)$/
/** Every line break that a pasted text may hold; none can be part of a line. */
export const LINE_BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/

const HTML = /<\/[a-z][\w:-]*>|<[a-z][\w:-]*\s[^<>]*=/i
export const JSON_START = /^\s*[[{][\s[{]*"/
/** Matches a line that may hold an address, an id or a handle, escaped or not; most lines of a document do not. */
const MAY_NAME = /[/%@&\\]|[\w-]{11}/
const WORD = /[\p{L}\p{N}]/u
/** Marks between cells, values and texts. */
const BETWEEN = /[\t,;|、，；｜"'`<>＂＇＜＞\p{Pi}\p{Pf}\p{Ps}\p{Pe}]+/u
/** The name of a JSON value, which is no id, whatever its letters. */
const VALUE_NAME = /"[^"\\/]{1,100}"\s{0,9}:/g
const ESCAPE = /\\(?:u([\da-f]{4})|([nrt])|(.))/gi

/** Lines between two steps: a millisecond, of whatever kind they are; a text has up to 30,000. */
const LINES_PER_STEP = 64

/**
 * Returns what a text holds that is no list: one with tags, one that begins as JSON does, or one in which more lines
 * hold an address or id beside words than alone, and two at least. Null for others, and where no source is found.
 */
export function* readingDocument(pasted: Pasted): Steps<Document | null> {
  const { lines, uncommented, read } = pasted
  const text = uncommented.join('\n')
  if (!MAY_NAME.test(text)) return null
  const isHtml = HTML.test(text)
  const isJson = JSON_START.test(text)
  const hasComments = !isHtml && !isJson
  // In JSON, a comment is a line of its own, as programs have them around it; a bracket ends a list.
  const isComment = (at: number): boolean =>
    hasComments || (isJson && uncommented[at] === '' && !(lines[at] ?? '').startsWith(']'))
  const kept = lines.map((line, at) => (isComment(at) ? (uncommented[at] ?? '') : line))
  const shown = isHtml ? withoutTags(kept.join('\n')).split('\n') : kept
  yield
  const rows = yield* rowsOf(pasted, shown)
  const plain = rows.filter(({ isPlain }) => isPlain).length
  const mixed = rows.filter(({ isPlain, found }) => !isPlain && found.length > 0).length
  if (mixed <= Math.max(1, plain) && hasComments) return null

  // An id of a channel or list may only say where the videos are from, and would buy all of it.
  const isOfMany = (part: string): boolean => !/[/%]/.test(part) && !isVideo(read(part))
  const named = rows.flatMap(({ found }) => found)
  const hasOthers = named.some((part) => isRead(read(part)) && !isOfMany(part))
  yield
  // A document names a video by its picture, too: what an earlier line names is passed over.
  const [keys, taken] = [new Set<string>(), new Set<string>()]
  const isNew = (part: string): boolean => keys.size < keys.add(keyOf(read(part), part)).size
  const found: FoundLine[] = []
  const left: NumberedLine[] = []
  yield* eachInSteps(
    rows,
    (row) => {
      const parts = row.found.filter((part) => row.isLine || !hasOthers || !isOfMany(part))
      for (const part of parts) taken.add(part)
      found.push({ number: row.number, parts: parts.filter(isNew), unclear: [] })
      if (parts.length === 0 && WORD.test(row.rest))
        left.push({ number: row.number, text: row.line })
    },
    LINES_PER_STEP,
  )
  if (![...taken].some((part) => isRead(read(part)))) return null
  const ids = new Set(named.filter((part) => !taken.has(part)))
  return {
    found,
    rest: { lines: left, ids: [...ids] },
    isComment: (number) => isComment(number - 1),
  }
}

/**
 * A line as sent and without its tags, with what is meant in it. `isPlain` is true where a list reads it as sources and
 * nothing else, and `isLine` where it holds no tags beside that.
 */
type Row = {
  number: number
  line: string
  rest: string
  isPlain: boolean
  isLine: boolean
  found: string[]
}

function* rowsOf(
  { lines, uncommented, listed, read }: Pasted,
  shown: readonly string[],
): Steps<Row[]> {
  const isMeant = (part: string): boolean => {
    const reading = read(part)
    return reading.kind === 'source' || MEANT.test(reading.reason)
  }
  // Documents repeat their words, and each reading costs.
  const known = new Map<string, string[]>()
  const meantIn = (piece: string): string[] => {
    const parts = known.get(piece) ?? namedIn(piece).filter(isMeant)
    known.set(piece, parts)
    return parts
  }
  const rows: Row[] = []
  yield* eachInSteps(
    listed,
    ({ number, parts, unclear }) => {
      const [line = '', rest = ''] = [lines[number - 1], shown[number - 1]]
      const isOfSources =
        parts.length > 0 && unclear.length === 0 && parts.every((part) => isRead(read(part)))
      const isPlain = isOfSources && line === uncommented[number - 1]
      const isLine = isOfSources && rest === uncommented[number - 1]
      const found = (isLine ? parts : piecesOf(rest)).flatMap(meantIn)
      rows.push({ number, line, rest, isPlain, isLine, found })
    },
    LINES_PER_STEP,
  )
  return rows
}

/** Tags of a page, in which lines without a tag are its text. */
const OF_PAGE = /<(?:!doctype|html|head|body|script|style|table|ul|ol|dl|opml|rss|feed)\b/i

/**
 * Returns a text in its runs of lines with tags and without, where it is a list in which some lines have tags: no page,
 * and more lines are sources alone than have a tag. Any other text is one run.
 */
export function* readingRuns(
  text: string,
  isOfSources: (line: string) => boolean,
): Steps<string[]> {
  if (!HTML.test(text) || OF_PAGE.test(text) || JSON_START.test(text)) return [text]
  const lines = text.split(LINE_BREAK)
  const tagged = lines.filter((line) => HTML.test(line)).length
  let plain = 0
  yield* eachInSteps(
    lines,
    (line) => {
      plain += plain <= tagged && !HTML.test(line) && isOfSources(line) ? 1 : 0
    },
    LINES_PER_STEP,
  )
  if (plain <= tagged) return [text]
  const runs: string[][] = []
  let isTagged: boolean | null = null
  for (const line of lines) {
    const isNext = HTML.test(line)
    if (isNext === isTagged) runs.at(-1)?.push(line)
    else runs.push([line])
    isTagged = isNext
  }
  return runs.map((run) => run.join('\n'))
}

const TAG = /(<[/!?]?[a-z][^<>]*>)/i
const SCRIPT = /^<(script|style)\b/i

/** Returns HTML with the addresses of its tags in their places. Scripts hold words, and no ids. */
function withoutTags(html: string): string {
  let script: string | null = null
  return html
    .split(TAG)
    .map((part, at) => {
      // Every second part is a tag. An id in angle brackets is none.
      const isTag = at % 2 === 1 && bareName(part) === null
      if (script !== null && isTag && part.toLowerCase().startsWith(`</${script}`)) script = null
      if (script !== null) return part.replace(/.+/g, wordFor)
      if (!isTag) return part
      script = SCRIPT.exec(part)?.[1]?.toLowerCase() ?? null
      return part.split('\n').map(addressesOfTag).join('\n')
    })
    .join('')
}

/** Paths of the platform's own pages, which its documents name without a host. */
const PATH =
  /^(?:[a-z][\w:-]{0,20}=)?(\/(?:watch\?|playlist\?|shorts\/[\w-]|live\/[\w-]|channel\/|@).*)$/i

/** Returns what may be an address on a line of a tag. Further lines without any are words: they may be no tag's. */
function addressesOfTag(line: string, at: number): string {
  const words = line
    .split(/[\s"'<>]+/)
    .map((word) => word.replace(PATH, 'https://www.youtube.com$1'))
    .filter(mayHoldAddress)
  return `"${words.length === 0 && at > 0 ? wordFor(line) : words.join('" "')}"`
}

function wordFor(line: string): string {
  return WORD.test(line) ? 'x' : ''
}

function piecesOf(line: string): string[] {
  if (!MAY_NAME.test(line)) return []
  const text = decodedEntities(line)
    .replace(VALUE_NAME, '"')
    .replace(ESCAPE, (_, code?: string, blank?: string, other?: string) => {
      if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16))
      return blank === undefined ? (other ?? '') : ' '
    })
  // Some characters that an escape may stand for cannot be stored.
  return text.replaceAll('\0', ' ').toWellFormed().split(BETWEEN)
}

/** Returns the addresses in a piece of a line, or the id or handle that it is. */
function namedIn(piece: string): string[] {
  const addresses = addressesIn(piece)
  const name = addresses.length === 0 ? bareName(piece) : null
  return name === null ? addresses : [name]
}

function keyOf(reading: SourceReading, part: string): string {
  return reading.kind === 'source' ? sourceKey(reading.source) : part
}

function isRead(reading: SourceReading): boolean {
  return reading.kind === 'source'
}

function isVideo(reading: SourceReading): boolean {
  return reading.kind === 'source' && reading.source.kind === 'video'
}
