/** Finds the places of a text that are looked for: words as they are typed, or those of a query. */
import { findMatches } from '../../src/model/search/matches.ts'
import { type SearchQuery, soughtIn } from '../../src/model/search/search-query.ts'
import { tokensOf } from '../../src/model/search/tokens.ts'

export type Found = [start: number, end: number]

/** Returns start and end of each match of `word` in `text`, ignoring case. */
export function matchesOf(text: string, word: string): Found[] {
  if (word === '') return []
  const matches: Found[] = []
  const inText = text.toLocaleLowerCase()
  const wanted = word.toLocaleLowerCase()
  // Some letters change their length with their case; then only exact matches can be marked.
  const [whole, part] = inText.length === text.length ? [inText, wanted] : [text, word]
  for (let at = whole.indexOf(part); at >= 0; at = whole.indexOf(part, at + part.length))
    matches.push([at, at + part.length])
  return matches
}

/** Returns the places where any of the words are said, in order; those that meet are one. */
export function placesOf(text: string, sought: SearchQuery): Found[] {
  return merged(findMatches(tokensOf(text), sought).map(({ start, end }): Found => [start, end]))
}

/**
 * Returns the query for the reader of a hit: its marked words, too, where the service found them by a part or without
 * what is written before them (`wasser` in `Trinkwasserversorgung`), which takes its index.
 */
export function queryOfHit(
  query: string,
  snippet: readonly { text: string; isMatch: boolean }[],
): string {
  const sought = soughtIn(query)
  const others = snippet.filter(
    ({ text, isMatch }) => isMatch && placesOf(text, sought).length === 0,
  )
  return [query, ...new Set(others.map(({ text }) => `"${text}"`))].join(' OR ')
}

function merged(found: Found[]): Found[] {
  const places: Found[] = []
  for (const [start, end] of found.toSorted(([a], [b]) => a - b)) {
    const last = places.at(-1)
    if (last === undefined || start >= last[1]) places.push([start, end])
    else last[1] = Math.max(last[1], end)
  }
  return places
}
