/** The door of orders: the body of POST /jobs and of POST /batches, checked, made complete, and its lines read. */
import { LIMITS } from '../../config/config.ts'
import { Problem, refuseField } from '../../kit/problem.ts'
import { type Format, FORMATS } from '../files/catalogue.ts'
import { mayHoldAddress } from '../platform/line-parts.ts'
import { suggestionFor } from '../platform/near-miss.ts'
import { type DatesInput, readDates } from './date-bounds.ts'
import type { OrderLine, Order } from './order.ts'
import type { OwnedChoice } from './owned-text.ts'
import { atOnce, type Steps } from '../transcripts/steps.ts'
import type { TrackKind } from '../transcripts/transcript.ts'
import { readingUrlSet, type SetLine, type UrlSet } from './url-set.ts'

/** The body as its schema admits it. */
export type OrderInput = DatesInput & {
  urls: string | string[]
  language?: string
  formats?: Format[]
  maxVideos?: number
}

const QUOTE_CHARS_MAX = 120
const QUOTED_MAX = 3
/** More runs of lines than any text of people has; a notice names as many, and counts the rest. */
const RUNS_MAX = 500
const OWN_LINE = 'Put one on a line of its own to order all that it has.'

/** Kinds of orders: how many lines a body may have, and what a refusal of more advises. */
const KINDS = {
  job: { linesMax: LIMITS.urlsMax, wayOut: 'in another job, or order all of them as a batch' },
  batch: { linesMax: LIMITS.batchLinesMax, wayOut: 'in another batch' },
}

/** Choices of an order beside its body; left out: owned videos are bought again, and the track is the usual one. */
export type OrderChoices = { owned?: OwnedChoice | undefined; track?: TrackKind | undefined }

/**
 * Reads the body, and what the order says beside it. Its lines are read in steps. Throws a Problem that names the
 * field, or names and quotes the line that is not a source.
 */
export function* readingOrder(
  input: OrderInput,
  { kind = 'job', owned, track }: OrderChoices & { kind?: keyof typeof KINDS } = {},
): Steps<Order> {
  const { linesMax, wayOut } = KINDS[kind]
  const set = yield* readingUrlSet(input.urls, linesMax)
  if (set.lineCount > linesMax) {
    const what = set.documents.length === 0 ? 'lines' : 'addresses'
    const most = `but a ${kind} takes at most ${linesMax}; send the rest ${wayOut}.`
    refuseField('urls', `urls has ${set.lineCount} ${what}, ${most}`)
  }
  if (set.lines.length === 0) refuseField('urls', `urls has only ${nothingIn(set)}`)
  const reading = readDates(input)
  if (reading.kind === 'rejected') refuseField(reading.field, reading.sentence)

  const lines = set.lines.map(readLine)
  return {
    lines,
    urlSetHash: set.hash,
    earlierSetHashes: set.earlierHashes,
    language: input.language ?? 'original',
    wishedTrack: track ?? null,
    formats: FORMATS.filter((format) => input.formats?.includes(format) ?? true),
    maxVideos: input.maxVideos ?? LIMITS.videosMax,
    ...reading.dates,
    skipsOwned: owned === 'skip',
    notices: [
      ...lines.flatMap(noticesOfLine),
      ...noticesOfTexts(set),
      ...noticesOfRepeats(set.repeats),
    ],
  }
}

/** Reads a body of one line's length at once, as `readingOrder` does. */
export function readOrder(input: OrderInput, choices?: OrderChoices): Order {
  return atOnce(readingOrder(input, choices))
}

/** Returns the line with what it names. Throws `invalid_url` where that is no video, playlist or channel. */
function readLine({ text, reading, number, isUnclear }: SetLine): OrderLine {
  if (reading.kind === 'source') return { text, source: reading.source }
  const meant = isUnclear ? null : suggestionFor(text)
  const question = meant === null ? '' : ` Did you mean ${meant}?`
  throw new Problem('invalid_url', {
    field: 'urls',
    message: isUnclear
      ? `Line ${number} holds ${quote(text)} beside an address; ${reading.sentence}. Send addresses alone, one per line.`
      : `Line ${number} is not a video, playlist or channel URL: ${quote(text)}; ${reading.sentence}.${question}`,
  })
}

function noticesOfLine({ text, source }: OrderLine): string[] {
  if (source?.kind !== 'video' || source.besidePlaylistId === null) return []
  return [
    `${quote(text)} is a video in a playlist; this job takes only the video. ` +
      `For the whole playlist, send https://www.youtube.com/playlist?list=${source.besidePlaylistId}`,
  ]
}

function nothingIn({ comments }: UrlSet): string {
  return comments.length === 0
    ? 'blank lines; send at least one URL.'
    : 'comments; send at least one URL, on a line that does not begin with "#", ";" or "]".'
}

/** Returns what is told of whole texts: what was taken of documents, and which lines hold comments. */
export function noticesOfTexts(set: UrlSet): string[] {
  return [...noticesOfDocuments(set), ...noticesOfComments(set)]
}

/** A comment without a letter or number says nothing, as do the brackets at the end of a list. */
function noticesOfComments({ comments }: UrlSet): string[] {
  const told = comments.filter(({ text }) => /[\p{L}\p{N}]/u.test(text))
  if (told.length === 0) return []
  const isOne = told.length === 1
  const addresses = firstOf(told.map(({ text }) => text).filter(mayHoldAddress))
  return [
    `${linesNumbered(told)} ${isOne ? 'holds a comment, which was' : 'hold comments, which were'} passed over.` +
      (addresses === null ? '' : ` Comments with an address, which is not ordered: ${addresses}.`),
  ]
}

/** Returns a notice of what was taken of documents, and what was not: how much, and the first of it; none of lists. */
function noticesOfDocuments({ documents }: UrlSet): string[] {
  if (documents.length === 0) return []
  const left = documents.flatMap((rest) => rest.lines)
  const lines = quotesOf(left.map(({ text }) => text))
  const ids = firstOf(documents.flatMap((rest) => rest.ids))
  const said = [
    ...(documents.some(({ isWhole }) => isWhole)
      ? ['The text was read as a document: its addresses were taken, and ids that stand alone.']
      : []),
    ...(left.length === 0
      ? []
      : [`${linesNumbered(left)} ${left.length === 1 ? 'was' : 'were'} left out: ${lines}.`]),
    ...(ids === null
      ? []
      : [`Ids of channels and lists left out beside videos: ${ids}. ${OWN_LINE}`]),
  ]
  return said.length === 0 ? [] : [said.join(' ')]
}

/** Returns all numbers of lines, as `Lines 2, 5 to 9 and 12`: whoever pasted them finds each. */
function linesNumbered(lines: readonly { number: number }[]): string {
  const runs: [from: number, to: number][] = []
  for (const { number } of lines) {
    const run = runs.at(-1)
    if (run !== undefined && number <= run[1] + 1) run[1] = number
    else runs.push([number, number])
  }
  const told = runs.slice(0, RUNS_MAX).flatMap(([from, to]) => {
    if (to > from + 1) return [`${from} to ${to}`]
    return from === to ? [`${from}`] : [`${from}`, `${to}`]
  })
  const more = runs.slice(RUNS_MAX).reduce((sum, [from, to]) => sum + to - from + 1, 0)
  if (more > 0) told.push(`${more} more`)
  const last = told.pop() ?? ''
  const isOne = runs.length === 1 && runs[0]?.[0] === runs[0]?.[1]
  if (isOne) return `Line ${last}`
  return told.length === 0 ? `Lines ${last}` : `Lines ${told.join(', ')} and ${last}`
}

function firstOf(texts: readonly string[]): string | null {
  return texts.length === 0 ? null : `${texts.length} (${quotesOf(texts)})`
}

function quotesOf(texts: readonly string[]): string {
  const first = texts.slice(0, QUOTED_MAX).map(quote)
  return [...first, ...(texts.length > QUOTED_MAX ? ['…'] : [])].join(', ')
}

function noticesOfRepeats(count: number): string[] {
  if (count === 0) return []
  const what = count === 1 ? 'One line names' : `${count} lines name`
  return [`${what} the same as an earlier line; each video is taken once.`]
}

function quote(line: string): string {
  const short = line.length > QUOTE_CHARS_MAX ? `${line.slice(0, QUOTE_CHARS_MAX)}…` : line
  return JSON.stringify(short)
}
