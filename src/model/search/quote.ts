/** A quote: the moment of a transcript that answers a query best, and the words around it, marked. */
import { firstWhere } from '../../kit/first-where.ts'
import type { Segment } from '../transcripts/transcript.ts'
import { findMatches, type Match, mentionsIn } from './matches.ts'
import { lineNumberAt, type SaidLine, type SaidText, saidText } from './said-text.ts'
import type { SearchQuery } from './search-query.ts'
import { tokensOf } from './tokens.ts'

/** A piece of a snippet's text; matches are marked by `isMatch`, never by signs in the text. */
export type SnippetPiece = { text: string; isMatch: boolean }

/** A place where words are said; `startMs` is that of the segment where the first of them are. */
export type Mention = { startMs: number; snippet: SnippetPiece[] }

/** The best mention of a text, and how many there are. */
export type Quote = Mention & { mentions: number }

/** Bounds of a snippet: what is said in these ten seconds around its first match, and no more characters. */
const SNIPPET = {
  beforeMs: 3_000,
  afterMs: 7_000,
  charsBefore: 160,
  charsAfter: 260,
} as const

type Place = { start: number; end: number }

/** Returns the earliest quote with the most of the query's terms; null where the transcript holds none of its words. */
export function findQuote(segments: readonly Segment[], query: SearchQuery): Quote | null {
  const said = saidText(segments)
  const matches = findMatches(tokensOf(said.text), query)
  const best = bestOf(matches, said.lines)
  if (best === null) return null
  const mentions = mentionsIn(matches)
  return { ...mentionAt(said, mentions, best), mentions: mentions.length }
}

/** Returns mentions in order of the text, after the first `skip` of them and at most `take`. */
export function findMentions(
  segments: readonly Segment[],
  query: SearchQuery,
  { skip, take }: { skip: number; take: number },
): Mention[] {
  const said = saidText(segments)
  const mentions = mentionsIn(findMatches(tokensOf(said.text), query))
  return mentions.slice(skip, skip + take).map((place) => mentionAt(said, mentions, place))
}

function mentionAt(said: SaidText, mentions: readonly Place[], place: Place): Mention {
  const { startMs } = lineAt(said.lines, place.start)
  return { startMs, snippet: snippetOf({ ...said, mentions, place, startMs }) }
}

function lineAt(lines: readonly SaidLine[], place: number): SaidLine {
  return lines[lineNumberAt(lines, place)] ?? { startMs: 0, start: 0, end: 0 }
}

/** Returns the match from which on ten seconds hold the most terms. */
function bestOf(matches: readonly Match[], lines: readonly SaidLine[]): Match | null {
  const times = matches.map(({ start }) => lineAt(lines, start).startMs)
  let best: { match: Match; terms: number } | null = null
  let until = 0
  const counts = new Map<number, number>()
  for (const [at, match] of matches.entries()) {
    for (; until < matches.length; until += 1) {
      if ((times[until] ?? 0) > (times[at] ?? 0) + SNIPPET.afterMs) break
      const { term } = matches[until] ?? match
      counts.set(term, (counts.get(term) ?? 0) + 1)
    }
    if (best === null || counts.size > best.terms) best = { match, terms: counts.size }
    const left = (counts.get(match.term) ?? 1) - 1
    if (left > 0) counts.set(match.term, left)
    else counts.delete(match.term)
  }
  return best?.match ?? null
}

function snippetOf({
  text,
  lines,
  mentions,
  place,
  startMs,
}: SaidText & { mentions: readonly Place[]; place: Place; startMs: number }): SnippetPiece[] {
  const { first, last } = linesNear(lines, place, startMs)
  const from = Math.max(first.start, place.start - SNIPPET.charsBefore)
  const to = Math.min(last.end, place.start + SNIPPET.charsAfter)
  const start = from === first.start ? from : afterBlank(text, from, place.start)
  const end = Math.max(to === last.end ? to : beforeBlank(text, to, place.end), place.end)
  return piecesOf(text, { start, end }, mentions)
}

/** Returns the first and the last line that are said near a place, as far as a snippet reaches. */
function linesNear(
  lines: readonly SaidLine[],
  place: Place,
  startMs: number,
): { first: SaidLine; last: SaidLine } {
  let first = lineAt(lines, place.start)
  let last = first
  let number = lineNumberAt(lines, place.start)
  const [from, to] = [place.start - SNIPPET.charsBefore, place.start + SNIPPET.charsAfter]
  for (let at = number - 1; at >= 0 && first.start >= from; at -= 1) {
    const line = lines[at]
    if (line === undefined || line.startMs < startMs - SNIPPET.beforeMs) break
    first = line
  }
  for (number += 1; number < lines.length && last.end <= to; number += 1) {
    const line = lines[number]
    if (line === undefined || line.startMs > startMs + SNIPPET.afterMs) break
    last = line
  }
  return { first, last }
}

/** Returns a place to cut that parts no word, and no character. */
function afterBlank(text: string, from: number, before: number): number {
  const blank = text.indexOf(' ', from)
  if (blank >= 0 && blank < before) return blank + 1
  return isInsideCharacter(text, from) ? from + 1 : from
}

function beforeBlank(text: string, to: number, after: number): number {
  const blank = text.lastIndexOf(' ', to)
  if (blank > after) return blank
  return isInsideCharacter(text, to) ? to + 1 : to
}

function isInsideCharacter(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff
}

function piecesOf(
  text: string,
  { start, end }: { start: number; end: number },
  mentions: readonly Place[],
): SnippetPiece[] {
  const pieces: SnippetPiece[] = []
  let at = start
  const add = (until: number, isMatch: boolean): void => {
    if (until <= at) return
    const last = pieces.at(-1)
    if (last?.isMatch === isMatch) last.text += text.slice(at, until)
    else pieces.push({ text: text.slice(at, until), isMatch })
    at = until
  }
  const first = firstWhere(mentions, (mention) => mention.end > start)
  for (let next = first; next < mentions.length; next += 1) {
    const mention = mentions[next]
    if (mention === undefined || mention.start >= end) break
    add(Math.min(mention.start, end), false)
    add(Math.min(mention.end, end), true)
  }
  add(end, false)
  return pieces
}
