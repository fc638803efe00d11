/**
 * A search query: what a person types into the search box, as terms. Everything else in it is text: no character of a
 * caller reaches the index as anything but a token.
 *
 *     zoo keeper      transcripts with both words, anywhere
 *     "zoo keeper"    the words one after the other
 *     keep*           words that begin so
 *     -zoo, -"…"      not those with it
 *     zoo OR lion     one of the two at least; beside blanks it joins its two neighbours only
 *     (big cat) OR lion, -(cat OR lion)     parts in parentheses
 *
 * A query is kept as terms that all hold, each met by any of its phrases: what stands on both sides of an OR is
 * multiplied out, within bounds.
 */
import { joinedWords, partedAtHalfSpaces, spellingsOf } from './half-spaces.ts'
import { phraseOf, type TokenPhrase } from './tokens.ts'

/** Tokens to look for in place of a word or a phrase; `isExact` where it was quoted, so that it stands for itself. */
export type WantedPhrase = TokenPhrase & { isExact: boolean }

/** One thing to find: any of its phrases will do. */
type Term = { anyOf: WantedPhrase[]; isExcluded: boolean }

/** All terms hold: the transcript has one of the phrases of each, and none of those that are excluded. */
export type SearchQuery = { terms: Term[] }

/** Why a text is no query. */
type QueryFault =
  | 'no_word'
  | 'only_exclusions'
  | 'exclusion_beside_or'
  | 'excluded_together'
  | 'too_many_terms'
  | 'too_many_prefixes'
  | 'prefix_too_short'

/** Bounds of a query; `phrasesMax` counts those of all terms after what stands beside an OR was multiplied out. */
const QUERY_LIMITS = {
  termsMax: 16,
  phrasesMax: 32,
  prefixesMax: 3,
  prefixCharsMin: 2,
} as const

/** Returns the terms of a query, or why there are none. */
export function readQuery(text: string): SearchQuery | { fault: QueryFault } {
  const signs = signsOf(text)
  const written = signs.flatMap((sign) => (sign.kind === 'phrase' ? sign.phrase : []))
  const fault = faultOf(written)
  if (fault !== null) return { fault }
  const terms = readTerms({ signs, at: 0 }, false)
  if (!Array.isArray(terms)) return terms
  if (terms.every(({ isExcluded }) => isExcluded)) return { fault: 'only_exclusions' }
  return { terms: withSpellings(terms, signs) }
}

/** Returns what a query looks for, whichever side of an OR it is on and however long it is, to be marked in a text. */
export function soughtIn(text: string): SearchQuery {
  const signs = signsOf(text)
  const groups: boolean[] = []
  const terms = signs.flatMap((sign): Term[] => {
    if (sign.kind === 'close') groups.pop()
    if (sign.kind === 'close' || sign.kind === 'or') return []
    const isExcluded = sign.isExcluded || groups.at(-1) === true
    if (sign.kind === 'open') groups.push(isExcluded)
    return sign.kind === 'open' || isExcluded ? [] : [termOf(sign)]
  })
  return { terms: withSpellings(terms, signs) }
}

function faultOf(written: readonly WantedPhrase[]): QueryFault | null {
  if (written.length === 0) return 'no_word'
  if (written.length > QUERY_LIMITS.termsMax) return 'too_many_terms'
  const prefixes = written.filter(isWordPrefix)
  if (prefixes.length > QUERY_LIMITS.prefixesMax) return 'too_many_prefixes'
  const isShort = ({ tokens }: TokenPhrase): boolean =>
    (tokens.at(-1)?.length ?? 0) < QUERY_LIMITS.prefixCharsMin
  return prefixes.some(isShort) ? 'prefix_too_short' : null
}

/** Returns whether the caller wrote the beginning of a word; a character of an unspaced script stands for few pairs. */
function isWordPrefix({ tokens, isPrefix }: TokenPhrase): boolean {
  return isPrefix && (tokens.at(-1)?.codePointAt(0) ?? 0) < 0x0e00
}

/** A sign of which queries are written. A word in which there is nothing to look for is none. */
type Sign =
  | { kind: 'phrase'; phrase: WantedPhrase; words: string; isExcluded: boolean }
  | { kind: 'open'; isExcluded: boolean }
  | { kind: 'close' }
  | { kind: 'or' }

/** A word, a phrase or a parenthesis as it is written; a phrase ends at any quote, or with the text. */
const WRITTEN =
  /(?<minus>[-－]?)(?:["＂“”„«»「」](?<quoted>[^"＂“”„«»「」]*)(?:["＂“”„«»「」](?<star>[*＊]?))?|(?<open>[(（])|(?<close>[)）])|(?<plain>[^\s"＂“”„«»「」()（）]+))/gu
/** A quote that belongs to a word, as in `צה"ל`; an apostrophe there means the same (tokens.ts). */
const QUOTES_IN_WORDS = /(?<=[\p{sc=Hebr}\p{sc=Cyrl}])["＂“”„](?=[\p{sc=Hebr}\p{sc=Cyrl}])/gu

function signsOf(text: string): Sign[] {
  const written = text.replace(QUOTES_IN_WORDS, "'")
  return Array.from(written.matchAll(WRITTEN), ({ groups = {} }): Sign[] => {
    const { minus, quoted, star, open, close, plain = '' } = groups
    const isExcluded = minus !== undefined && minus !== ''
    if (open !== undefined) return [{ kind: 'open', isExcluded }]
    if (close !== undefined) return [{ kind: 'close' }]
    if (plain === 'OR' && !isExcluded) return [{ kind: 'or' }]
    const words = quoted ?? plain
    const isPrefix = (star !== undefined && star !== '') || /[*＊]$/.test(words)
    const phrase = phraseOf(words, isPrefix)
    if (phrase === null) return []
    const isExact = quoted !== undefined
    return [{ kind: 'phrase', phrase: { ...phrase, isExact }, words, isExcluded }]
  }).flat()
}

/**
 * Returns the terms with what else is looked for in place of each of their phrases: other spellings of it, and words
 * that follow one another in the query as one. They count for no bound.
 */
function withSpellings(terms: readonly Term[], signs: readonly Sign[]): Term[] {
  const spelled = new Map<WantedPhrase, WantedPhrase[]>()
  let before: WantedPhrase | null = null
  for (const sign of signs) {
    if (sign.kind === 'phrase') spelled.set(sign.phrase, phraseSpellings(sign))
    const phrase = sign.kind === 'phrase' && !sign.isExcluded ? sign.phrase : null
    const joined = before && phrase && joinedPhrase(before, phrase)
    if (before && phrase && joined)
      for (const one of [before, phrase]) spelled.get(one)?.push(joined)
    before = phrase
  }
  return terms.map((term) => ({
    ...term,
    anyOf: term.anyOf.flatMap((phrase) => [phrase, ...(spelled.get(phrase) ?? [])]),
  }))
}

/** The signs of a query, and how many of them were read. */
type Reading = { signs: readonly Sign[]; at: number }
type TermsOrFault = Term[] | { fault: QueryFault }

function phraseSpellings({ phrase, words }: Extract<Sign, { kind: 'phrase' }>): WantedPhrase[] {
  const parted = phraseOf(partedAtHalfSpaces(words), phrase.isPrefix)
  const others =
    parted === null || parted.tokens.length === phrase.tokens.length ? [] : [parted.tokens]
  return [...others, ...spellingsOf(phrase.tokens)].map((tokens) => ({ ...phrase, tokens }))
}

/** Returns two words of a query as one; null where they are none, or never written so. */
function joinedPhrase(one: WantedPhrase, other: WantedPhrase): WantedPhrase | null {
  const isWord = ({ tokens, isExact }: WantedPhrase): boolean => tokens.length === 1 && !isExact
  if (!isWord(one) || !isWord(other) || one.isPrefix) return null
  const joined = joinedWords(one.tokens[0] ?? '', other.tokens[0] ?? '')
  return joined === null ? null : { ...other, tokens: [joined] }
}

/** Reads terms up to the parenthesis that closes, or to the end. An OR with nothing on one side is passed over. */
function readTerms(reading: Reading, isInside: boolean): TermsOrFault {
  const terms: Term[] = []
  let last: Term[] = []
  let isOr = false
  for (let sign = nextOf(reading); sign !== undefined; sign = nextOf(reading)) {
    if (sign.kind === 'close' && isInside) break
    if (sign.kind === 'or') isOr = last.length > 0
    if (sign.kind === 'or' || sign.kind === 'close') continue
    const read = sign.kind === 'open' ? readGroup(reading, sign.isExcluded) : [termOf(sign)]
    if (!Array.isArray(read)) return read
    if (read.length === 0) continue
    const joined = isOr ? eitherOf(last, read) : read
    if (!Array.isArray(joined)) return joined
    if (!isOr) terms.push(...last)
    last = joined
    isOr = false
  }
  terms.push(...last)
  return isTooLong(terms) ? { fault: 'too_many_terms' } : terms
}

function nextOf(reading: Reading): Sign | undefined {
  reading.at += 1
  return reading.signs[reading.at - 1]
}

function readGroup(reading: Reading, isExcluded: boolean): TermsOrFault {
  const terms = readTerms(reading, true)
  if (!isExcluded || !Array.isArray(terms)) return terms
  const isPlain = terms.length < 2 && terms.every((term) => !term.isExcluded)
  return isPlain
    ? terms.map((term) => ({ ...term, isExcluded: true }))
    : { fault: 'excluded_together' }
}

function termOf({ phrase, isExcluded }: Extract<Sign, { kind: 'phrase' }>): Term {
  return { anyOf: [phrase], isExcluded }
}

/** Returns what holds where all of the one or all of the other hold: each of the one with each of the other. */
function eitherOf(one: readonly Term[], other: readonly Term[]): TermsOrFault {
  if ([...one, ...other].some(({ isExcluded }) => isExcluded))
    return { fault: 'exclusion_beside_or' }
  const terms = one.flatMap(({ anyOf }) =>
    other.map((term) => ({ anyOf: [...anyOf, ...term.anyOf], isExcluded: false })),
  )
  return isTooLong(terms) ? { fault: 'too_many_terms' } : terms
}

function isTooLong(terms: readonly Term[]): boolean {
  return terms.reduce((sum, { anyOf }) => sum + anyOf.length, 0) > QUERY_LIMITS.phrasesMax
}

/** Returns the query as SQLite's FTS5 reads it. */
export function matchExpression({ terms }: SearchQuery): string {
  const wanted = terms.filter(({ isExcluded }) => !isExcluded).map(anyOfExpression)
  const unwanted = terms.filter(({ isExcluded }) => isExcluded).map(anyOfExpression)
  const all = wanted.join(' AND ')
  return unwanted.length === 0 ? all : `(${all}) NOT (${unwanted.join(' OR ')})`
}

function anyOfExpression({ anyOf }: Term): string {
  return `(${anyOf.map(phraseExpression).join(' OR ')})`
}

function phraseExpression({ tokens, isPrefix }: TokenPhrase): string {
  return `"${tokens.join(' ').replaceAll('"', '""')}"${isPrefix ? ' *' : ''}`
}

const { termsMax, prefixesMax, prefixCharsMin } = QUERY_LIMITS

/** Sentences for the customer, at the field or in an answer. */
export const FAULT_SENTENCES: Record<QueryFault, string> = {
  no_word: 'There is no word to look for; write at least one with a letter or a digit.',
  only_exclusions:
    'Everything here is excluded with a minus; write at least one word that is to be found.',
  exclusion_beside_or:
    'A word with a minus cannot stand beside OR; write it at the end, as in: zoo OR lion -circus.',
  excluded_together:
    'A minus before parentheses excludes words that are joined by OR, as in: -(circus OR cage).',
  too_many_terms: `There are too many words and phrases: at most ${termsMax}, fewer where parentheses with several words are joined by OR.`,
  too_many_prefixes: `There are more than ${prefixesMax} beginnings of words with an asterisk; leave some out.`,
  prefix_too_short: `The beginning of a word needs at least ${prefixCharsMin} letters before the asterisk.`,
}
