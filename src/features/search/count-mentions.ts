/**
 * Counts from the places of an index's tokens how often a query is said in each transcript: as mentions that share no
 * token, like those that are listed from the texts (model/search/matches.ts).
 */
import { mentionsIn } from '../../model/search/matches.ts'
import type { SearchQuery } from '../../model/search/search-query.ts'
import type { TokenPhrase } from '../../model/search/tokens.ts'
import type { IndexFile } from './index-file.ts'

/** Number of places that are looked at for a count, in all transcripts: some two seconds of work. */
const COUNTED_PLACES_MAX = 2_000_000
/** A code point above those of all tokens. */
const LAST = '\u{10ffff}'

type Place = { at: number; after: number; end: number }
/** Places of a phrase by transcript: those where it begins. */
type Begins = Map<bigint, Set<number>>

/** Returns the mentions of each of these transcripts; null where the words are said too often to look at all places. */
export function countMentions(
  index: IndexFile,
  query: SearchQuery,
  wanted: ReadonlySet<bigint>,
): Map<bigint, number> | null {
  const phrases = phrasesOf(query)
  if (wanted.size === 0) return new Map()
  if (placesOf(index, phrases) > COUNTED_PLACES_MAX) return null
  const isOfWords = phrases.every(({ tokens }) => tokens.length === 1)
  return isOfWords ? countWords(index, phrases, wanted) : countPlaces(index, phrases, wanted)
}

/** Returns what is looked for, without what another one finds anyway. */
function phrasesOf({ terms }: SearchQuery): TokenPhrase[] {
  const all = new Map<string, TokenPhrase>()
  for (const { anyOf, isExcluded } of terms)
    for (const { tokens, isPrefix } of isExcluded ? [] : anyOf)
      all.set(`${tokens.join(' ')}${isPrefix ? '*' : ''}`, { tokens, isPrefix })
  const phrases = [...all.values()]
  const begins = phrases.filter(({ tokens, isPrefix }) => isPrefix && tokens.length === 1)
  const isCovered = (phrase: TokenPhrase): boolean =>
    phrase.tokens.length === 1 &&
    begins.some((begin) => begin !== phrase && phrase.tokens[0]?.startsWith(begin.tokens[0] ?? ''))
  return phrases.filter((phrase) => !isCovered(phrase))
}

/** Returns in how many places tokens of the phrases are. */
function placesOf({ prepare }: IndexFile, phrases: readonly TokenPhrase[]): number {
  const one = prepare('select coalesce(sum(cnt), 0) as n from term where term = ?')
  const many = prepare('select coalesce(sum(cnt), 0) as n from term where term >= ? and term < ?')
  const counts = phrases.flatMap(({ tokens, isPrefix }) =>
    tokens.map((token, at) =>
      isPrefix && at === tokens.length - 1 ? many.get(token, `${token}${LAST}`) : one.get(token),
    ),
  )
  return counts.reduce((sum, row) => sum + Number(row?.['n']), 0)
}

/** Counts words and beginnings of words, no two of which can be said in one place. */
function countWords(
  { db }: IndexFile,
  words: readonly TokenPhrase[],
  wanted: ReadonlySet<bigint>,
): Map<bigint, number> {
  const counts = new Map<bigint, number>()
  for (const { tokens, isPrefix } of words) {
    const [word = ''] = tokens
    const found = db.prepare(
      `select doc, count(*) as n from place where ${isPrefix ? 'term >= ? and term < ?' : 'term = ?'} group by doc`,
    )
    found.setReadBigInts(true)
    for (const { doc, n } of found.iterate(...(isPrefix ? [word, `${word}${LAST}`] : [word])))
      if (wanted.has(doc as bigint))
        counts.set(doc as bigint, (counts.get(doc as bigint) ?? 0) + Number(n))
  }
  return counts
}

/** Counts phrases, which may be said in places that overlap. */
function countPlaces(
  index: IndexFile,
  phrases: readonly TokenPhrase[],
  wanted: ReadonlySet<bigint>,
): Map<bigint, number> {
  const places = new Map<bigint, Place[]>()
  for (const phrase of phrases) {
    const length = phrase.tokens.length
    for (const [doc, begins] of beginsOf(index, phrase, wanted)) {
      const list = places.get(doc) ?? []
      for (const at of begins) list.push({ at, after: at + length, end: at + length })
      places.set(doc, list)
    }
  }
  const counts = new Map<bigint, number>()
  for (const [doc, list] of places)
    counts.set(doc, mentionsIn(list.sort((a, b) => a.at - b.at)).length)
  return counts
}

/** Returns where a phrase begins: where its first token is, and each later one behind it. */
function beginsOf(
  index: IndexFile,
  { tokens, isPrefix }: TokenPhrase,
  wanted: ReadonlySet<bigint>,
): Begins {
  let begins: Begins | null = null
  for (const [behind, token] of tokens.entries()) {
    const found: Begins = new Map()
    const isBeginning = isPrefix && behind === tokens.length - 1
    for (const { doc, offset } of placesWith(index, token, isBeginning)) {
      const at = offset - behind
      if (!wanted.has(doc) || (begins !== null && begins.get(doc)?.has(at) !== true)) continue
      const list = found.get(doc)
      if (list === undefined) found.set(doc, new Set([at]))
      else list.add(at)
    }
    begins = found
  }
  return begins ?? new Map()
}

function* placesWith(
  { db }: IndexFile,
  token: string,
  isBeginning: boolean,
): Generator<{ doc: bigint; offset: number }> {
  const found = db.prepare(
    `select doc, offset from place where ${isBeginning ? 'term >= ? and term < ?' : 'term = ?'}`,
  )
  found.setReadBigInts(true)
  for (const { doc, offset } of found.iterate(
    ...(isBeginning ? [token, `${token}${LAST}`] : [token]),
  ))
    yield { doc: doc as bigint, offset: Number(offset) }
}
