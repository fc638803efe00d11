/** A quote: the moment of a transcript that answers a query best, and the words around it, marked. */
import { blankBetween } from '../../kit/text/joined-text.ts'
import { composed } from '../../kit/text/outside-text.ts'
import type { Segment } from '../transcripts/transcript.ts'
import type { SearchQuery } from './search-query.ts'
import { type Token, type TokenPhrase, tokensOf } from './tokens.ts'

/** A piece of a snippet's text; matches are marked by `isMatch`, never by signs in the text. */
export type SnippetPiece = { text: string; isMatch: boolean }

/** A quote; `startMs` is that of the segment where the first marked words are said. */
export type Quote = { startMs: number; snippet: SnippetPiece[] }

/** Bounds of a snippet: what is said in these ten seconds around its first match, and no more characters. */
export const SNIPPET = {
  beforeMs: 3_000,
  afterMs: 7_000,
  charsBefore: 160,
  charsAfter: 260,
} as const

type Match = { term: number; start: number; end: number }
type Line = { startMs: number; start: number; end: number }

/** Returns the earliest quote with the most of the query's terms; null where the transcript holds none of its words. */
export function findQuote(segments: readonly Segment[], query: SearchQuery): Quote | null {
  const { text, lines } = joined(segments)
  const matches = findMatches(tokensOf(text), query)
  const best = bestOf(matches, lines)
  if (best === null) return null
  const startMs = lineAt(lines, best.start).startMs
  return { startMs, snippet: snippetOf({ text, lines, matches, best, startMs }) }
}

function joined(segments: readonly Segment[]): { text: string; lines: Line[] } {
  const lines: Line[] = []
  let text = ''
  let before = ''
  for (const { startMs, text: words } of segments) {
    const line = composed(words)
    const between = text === '' ? '' : blankBetween(before, line)
    text += between
    lines.push({ startMs, start: text.length, end: text.length + line.length })
    text += line
    before = line
  }
  return { text, lines }
}

/** Returns where a term's words stand, in order of the text. */
function findMatches(tokens: readonly Token[], { terms }: SearchQuery): Match[] {
  const byFirst = new Map<string, { term: number; phrase: TokenPhrase }[]>()
  const beginnings: { term: number; beginning: string }[] = []
  for (const [term, { anyOf, isExcluded }] of terms.entries()) {
    if (isExcluded) continue
    for (const phrase of anyOf) {
      const [first = ''] = phrase.tokens
      if (phrase.isPrefix && phrase.tokens.length === 1) beginnings.push({ term, beginning: first })
      else byFirst.set(first, [...(byFirst.get(first) ?? []), { term, phrase }])
    }
  }
  return tokens.flatMap(({ text, start, end }, at): Match[] => {
    const phrases = (byFirst.get(text) ?? []).flatMap(({ term, phrase }) => {
      const last = lastTokenOf(tokens, at, phrase)
      return last === null ? [] : [{ term, start, end: last.end }]
    })
    const begun = beginnings.flatMap(({ term, beginning }) =>
      text.startsWith(beginning) ? [{ term, start, end }] : [],
    )
    return [...phrases, ...begun]
  })
}

/** Returns the last token of a phrase that begins at `at`; null where it does not. */
function lastTokenOf(
  tokens: readonly Token[],
  at: number,
  { tokens: wanted, isPrefix }: TokenPhrase,
): Token | null {
  const isThere = wanted.every((text, offset) => {
    const found = tokens[at + offset]?.text
    const isLast = offset === wanted.length - 1
    return isPrefix && isLast ? found?.startsWith(text) === true : found === text
  })
  return isThere ? (tokens[at + wanted.length - 1] ?? null) : null
}

/** Returns the match from which on ten seconds hold the most terms. */
function bestOf(matches: readonly Match[], lines: readonly Line[]): Match | null {
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

/** Returns the line of a place in the text, by halving. */
function lineAt(lines: readonly Line[], place: number): Line {
  let [first, last] = [0, lines.length - 1]
  while (first < last) {
    const middle = Math.ceil((first + last) / 2)
    if ((lines[middle]?.start ?? 0) <= place) first = middle
    else last = middle - 1
  }
  return lines[first] ?? { startMs: 0, start: 0, end: 0 }
}

function snippetOf(given: {
  text: string
  lines: readonly Line[]
  matches: readonly Match[]
  best: Match
  startMs: number
}): SnippetPiece[] {
  const { text, lines, matches, best, startMs } = given
  const near = lines.filter(
    (line) =>
      line.startMs >= startMs - SNIPPET.beforeMs && line.startMs <= startMs + SNIPPET.afterMs,
  )
  const from = Math.max(near[0]?.start ?? best.start, best.start - SNIPPET.charsBefore)
  const to = Math.min(near.at(-1)?.end ?? best.end, best.start + SNIPPET.charsAfter)
  const start = from === near[0]?.start ? from : afterBlank(text, from, best.start)
  const end = Math.max(to === near.at(-1)?.end ? to : beforeBlank(text, to, best.end), best.end)
  return piecesOf(text, { start, end }, matches)
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
  matches: readonly Match[],
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
  for (const match of matches) {
    if (match.end <= start || match.start >= end) continue
    add(Math.min(match.start, end), false)
    add(Math.min(match.end, end), true)
  }
  add(end, false)
  return pieces
}
