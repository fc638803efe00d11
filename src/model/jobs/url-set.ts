/**
 * A URL set: the exact lines of a job, compared per account to recognise a repeat: another spelling of the same channel
 * is another set. Language, formats, dates and maxVideos are not part of it.
 */
import { hash } from 'node:crypto'
import type { Steps } from '../transcripts/steps.ts'
import { LIMITS } from '../../config/config.ts'
import { hasVisible } from '../../kit/text/invisible.ts'
import { isStorable } from '../../kit/text/outside-text.ts'
import { withoutBlocks, withoutComment } from '../platform/comments.ts'
import { EARLIER_READINGS } from '../platform/earlier-lines.ts'
import { partsOf, wholeLine } from '../platform/line-parts.ts'
import { withWhatIsMissing } from '../platform/near-miss.ts'
import {
  type DocumentRest,
  type FoundLine,
  LINE_BREAK,
  type NumberedLine,
  readingDocument,
  readingRuns,
} from '../platform/pasted-document.ts'
import { readSource, sourceKey, type SourceReading } from '../platform/source.ts'
import { SENTENCES } from '../platform/source-refusals.ts'

/** A part of a text, as it is ordered, with what it is read as. */
export type SetLine = {
  text: string
  reading: SourceReading
  /** The number of the line where it was first sent, from 1; blank lines count, as in an editor. */
  number: number
  /** Whether it stands beside addresses and is none, though its letters might be those of an id. */
  isUnclear: boolean
}

export type UrlSet = {
  /** Trimmed lines and their parts in the order given, each once; those beyond the limit are only counted. */
  lines: SetLine[]
  /** The rest of each text that is a document. */
  documents: DocumentRest[]
  /** Comments, which were passed over, by the number of their line. */
  comments: NumberedLine[]
  /** Number of non-blank lines before equal ones were joined: what the limit of an order counts. */
  lineCount: number
  /** Number of lines that name what an earlier one names, in the same spelling or another. */
  repeats: number
  /** SHA-256 in lower-case hex over the sorted lines: equal exactly for equal sets. */
  hash: string
  /** The other hashes by which releases up to 1.0 knew the same text: what was delivered for it then is delivered. */
  earlierHashes: string[]
}

/** Lines between two steps of a reading: few milliseconds, of whatever kind they are. */
const LINES_PER_STEP = 16

/**
 * Reads `urls` of a request: one string or several, each of one or more lines or a document. The set may be empty.
 * Lines beyond `linesMax` are only counted. Each line is read once, and a step takes a few of them.
 */
export function* readingUrlSet(
  urls: string | readonly string[],
  linesMax: number = LIMITS.urlsMax,
): Steps<UrlSet> {
  const read = readOnce()
  const texts = typeof urls === 'string' ? [urls] : urls
  const { found, lines, documents, comments, count } = yield* readTexts(texts, { linesMax, read })
  const parts = found.flatMap((line) => line.parts.map((text) => ({ text, number: line.number })))
  const unclear = new Set(found.flatMap((line) => line.unclear))
  const first = new Map(parts.toReversed().map(({ text, number }) => [text, number]))
  const each = [...new Set(parts.map(({ text }) => text))]
  const named = new Set(each.slice(linesMax))
  const taken: SetLine[] = []
  for (const text of each.slice(0, linesMax)) {
    const isUnclear = unclear.has(text)
    const reading = isUnclear ? NO_LINK : told(read(text), text)
    taken.push({ text, reading, number: first.get(text) ?? 0, isUnclear })
    named.add(reading.kind === 'source' ? sourceKey(reading.source) : text)
    if (taken.length % LINES_PER_STEP === 0) yield
  }
  const own = setHashOf(each)
  return {
    lines: taken,
    documents,
    comments,
    lineCount: count,
    repeats: count - named.size,
    hash: own,
    earlierHashes: count > LIMITS.urlsMax ? [] : earlierSetHashesOf(lines, own, read),
  }
}

const NO_LINK: SourceReading = {
  kind: 'rejected',
  reason: 'not_a_link',
  sentence: SENTENCES.not_a_link,
}

const NO_PARTS = { parts: [], unclear: [] }

type ReadLine = (line: string) => SourceReading

/** Returns `readSource`, which does not read again what it has read. */
function readOnce(): ReadLine {
  const known = new Map<string, SourceReading>()
  return (line) => {
    const reading = known.get(line) ?? readSource(line)
    known.set(line, reading)
    return reading
  }
}

function told(reading: SourceReading, line: string): SourceReading {
  return reading.kind === 'source' ? reading : withWhatIsMissing(reading, line)
}

type ReadTexts = {
  found: FoundLine[]
  lines: string[]
  documents: DocumentRest[]
  comments: NumberedLine[]
  count: number
}

/** Reads texts in turn; lines are counted over all of them. `lines` are those that hold anything, without comments. */
function* readTexts(
  texts: readonly string[],
  { linesMax, read }: { linesMax: number; read: ReadLine },
): Steps<ReadTexts> {
  const all: ReadTexts = { found: [], lines: [], documents: [], comments: [], count: 0 }
  const isSource = (part: string): boolean => read(part).kind === 'source'
  const isOfSources = (line: string): boolean => isSourcesAlone(line, isSource)
  const runs: { text: string; isWhole: boolean; blocks: NumberedLine[] }[] = []
  for (const sent of texts) {
    const { text, comments } = withoutBlocks(sent)
    const parted = yield* readingRuns(text, isOfSources)
    const isWhole = parted.length === 1
    runs.push(
      ...parted.map((run, at) => ({ text: run, isWhole, blocks: at === 0 ? comments : [] })),
    )
  }
  let before = 0
  for (const { text, isWhole, blocks } of runs) {
    for (const { number, text: comment } of blocks)
      all.comments.push({ number: before + number, text: comment })
    const [listed, comments]: [FoundLine[], NumberedLine[]] = [[], []]
    let { count } = all
    let isList = true
    const items = itemsOf(text)
    const lines = items.flatMap((item) => item.split(LINE_BREAK)).map((line) => line.trim())
    const uncommented: string[] = []
    for (const [at, line] of lines.entries()) {
      uncommented.push(line)
      if (!hasVisible(line)) continue
      // Lines beyond the most parts that an order takes are only counted, since each costs a reading.
      const isCounted = count > linesMax
      const { text, comment } = withoutComment(line)
      uncommented[at] = text
      const { parts, unclear } =
        text === '' ? NO_PARTS : isCounted ? wholeLine(text) : partsOf(text)
      listed.push({ number: at + 1, parts, unclear })
      count += parts.length
      isList &&= unclear.length === 0 && parts.every(isSource)
      if (text !== '') all.lines.push(text)
      if (comment !== '') comments.push({ number: before + at + 1, text: comment })
      if (listed.length % LINES_PER_STEP === 0) yield
    }
    const document =
      isList || items.length !== 1
        ? null
        : yield* readingDocument({ lines, uncommented, listed, read })
    if (document !== null) {
      const { ids } = document.rest
      const rest = document.rest.lines.map((line) => ({ ...line, number: before + line.number }))
      all.documents.push({ lines: rest, ids, isWhole })
    }
    const told = comments.filter(({ number }) => document?.isComment(number - before) ?? true)
    all.comments.push(...told)
    for (const line of document?.found ?? listed) {
      all.found.push({ ...line, number: before + line.number })
      all.count += line.parts.length
    }
    before += lines.length
  }
  // A line may hold a comment with an end and another behind it.
  const byNumber = new Map(all.comments.map((comment) => [comment.number, comment]))
  all.comments = [...byNumber.values()].toSorted((one, other) => one.number - other.number)
  return all
}

/** Returns whether a line holds sources, none of them commented out, and nothing else. */
function isSourcesAlone(line: string, isSource: (part: string) => boolean): boolean {
  const { text, comment } = withoutComment(line.trim())
  if (text === '' || comment !== '') return false
  const { parts, unclear } = partsOf(text)
  return unclear.length === 0 && parts.length > 0 && parts.every(isSource)
}

/** Returns the other hashes of what earlier releases read in the lines, where they accepted all of it. */
export function earlierSetHashesOf(
  lines: readonly string[],
  ownHash: string,
  read: ReadLine = readSource,
): string[] {
  const readings = EARLIER_READINGS.map((wordsOf) => lines.flatMap(wordsOf)).filter(
    (words) => setHashOf(words) !== ownHash,
  )
  const accepted = readings.filter((words) => words.every((word) => read(word).kind === 'source'))
  return [...new Set(accepted.map(setHashOf))]
}

/** Returns the hash of lines as they are ordered. */
export function setHashOf(lines: readonly string[]): string {
  // Sorted by code units, so that every machine and locale agrees.
  return hash('sha256', [...new Set(lines)].toSorted().join('\n'))
}

/** A JSON list of texts, also as the only value of an object. */
const LIST_START = /^\s*(?:\{\s*"[^"\\]{1,30}"\s*:\s*)?\[\s*["\]]/

/**
 * Returns the strings of a JSON list, as language models send it in place of a list; any other text is one string, and
 * so is a list with what nothing can store, which the check of the body did not see.
 */
function itemsOf(text: string): readonly string[] {
  if (!LIST_START.test(text)) return [text]
  try {
    const read: unknown = JSON.parse(text)
    const [items, ...others] = Array.isArray(read) ? [read] : Object.values(read as object)
    return isTexts(items) && others.length === 0 ? items : [text]
  } catch {
    return [text]
  }
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string' && isStorable(item))
}
