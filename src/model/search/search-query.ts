/**
 * A search query: what a person types into the search box, as terms. Everything else in it is text: no character of a
 * caller reaches the index as anything but a token.
 *
 *     zoo keeper      transcripts with both words, anywhere
 *     "zoo keeper"    the words one after the other
 *     keep*           words that begin so
 *     -zoo, -"…"      not those with it
 */
import { phraseOf, type TokenPhrase } from './tokens.ts'

/** One thing to find: any of its phrases will do. It is one phrase until the index's words are known. */
export type Term = {
  anyOf: TokenPhrase[]
  isExcluded: boolean
  /** True where it was quoted, so that it stands for nothing else. */
  isExact: boolean
}

export type SearchQuery = { terms: Term[] }

/** Why a text is no query. */
export type QueryFault =
  'nothing_to_find' | 'too_many_terms' | 'too_many_prefixes' | 'prefix_too_short'

export const QUERY_LIMITS = { termsMax: 16, prefixesMax: 3, prefixCharsMin: 2 } as const

type Written = { text: string; isExcluded: boolean; isPrefix: boolean; isExact: boolean }

/** Returns the terms of a query, or why there are none. */
export function readQuery(text: string): SearchQuery | { fault: QueryFault } {
  const terms: Term[] = []
  for (const { text: written, isPrefix, ...asked } of writtenTerms(text)) {
    const phrase = phraseOf(written, isPrefix)
    if (phrase !== null) terms.push({ anyOf: [phrase], ...asked })
  }
  if (terms.every(({ isExcluded }) => isExcluded)) return { fault: 'nothing_to_find' }
  if (terms.length > QUERY_LIMITS.termsMax) return { fault: 'too_many_terms' }
  const prefixes = terms.flatMap(({ anyOf }) => anyOf).filter(isWordPrefix)
  if (prefixes.length > QUERY_LIMITS.prefixesMax) return { fault: 'too_many_prefixes' }
  const isShort = ({ tokens }: TokenPhrase): boolean =>
    (tokens.at(-1)?.length ?? 0) < QUERY_LIMITS.prefixCharsMin
  return prefixes.some(isShort) ? { fault: 'prefix_too_short' } : { terms }
}

/** Returns whether the caller wrote the beginning of a word; a character of an unspaced script stands for few pairs. */
function isWordPrefix({ tokens, isPrefix }: TokenPhrase): boolean {
  return isPrefix && (tokens.at(-1)?.codePointAt(0) ?? 0) < 0x0e00
}

/** A word or a phrase as it is written; a phrase ends at any quote, or with the text. */
const WRITTEN =
  /(?<minus>-?)(?:["“”„«»「」](?<quoted>[^"“”„«»「」]*)(?:["“”„«»「」](?<star>\*?))?|(?<plain>[^\s"“”„«»「」]*))/gu

function writtenTerms(text: string): Written[] {
  return Array.from(text.matchAll(WRITTEN), ({ groups = {} }) => {
    const { minus, quoted, star, plain = '' } = groups
    const words = quoted ?? plain
    const isPrefix = star === '*' || words.endsWith('*')
    return { text: words, isExcluded: minus === '-', isExact: quoted !== undefined, isPrefix }
  })
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

/** Sentences for the customer. */
export const FAULT_SENTENCES: Record<QueryFault, string> = {
  nothing_to_find:
    'q has no word to look for; write at least one that is not excluded with a minus.',
  too_many_terms: `q has more than ${termsMax} words and phrases; leave some out.`,
  too_many_prefixes: `q has more than ${prefixesMax} beginnings of words with an asterisk; leave some out.`,
  prefix_too_short: `A beginning of a word in q needs at least ${prefixCharsMin} letters before the asterisk.`,
}
