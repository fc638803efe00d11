/** Where the words of a query are said in a text, and how often. */
import type { SearchQuery } from './search-query.ts'
import type { Token, TokenPhrase } from './tokens.ts'

/** One of a query's phrases in a text: its first token, the token after its last one, and its place. */
export type Match = { term: number; at: number; after: number; start: number; end: number }

/** Returns where a term's words stand, in order of the text. */
export function findMatches(tokens: readonly Token[], { terms }: SearchQuery): Match[] {
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
      const last = lastOfPhrase(tokens, at, phrase)
      return last === null
        ? []
        : [{ term, at, after: at + phrase.tokens.length, start, end: last.end }]
    })
    const begun = beginnings.flatMap(({ term, beginning }) =>
      text.startsWith(beginning) ? [{ term, at, after: at + 1, start, end }] : [],
    )
    return [...phrases, ...begun]
  })
}

/** Returns the last token of a phrase that begins at `at`; null where it does not. */
function lastOfPhrase(
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

/**
 * Returns the mentions: places that share no token with one another. A word that a phrase of the query holds, or that
 * is a beginning, too, is one mention. `matches` are in order of the text.
 */
export function mentionsIn<Found extends { at: number; after: number; end: number }>(
  matches: readonly Found[],
): Found[] {
  const mentions: Found[] = []
  for (const match of matches) {
    const last = mentions.at(-1)
    if (last === undefined || match.at >= last.after) mentions.push({ ...match })
    else if (match.after > last.after) Object.assign(last, { after: match.after, end: match.end })
  }
  return mentions
}
