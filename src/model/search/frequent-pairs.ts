/**
 * Pairs of words that nearly every transcript has. A phrase of such words is slow to find by their places, since
 * all the places in all the transcripts are compared; so the index has neighbours among them as tokens of their
 * own, behind the words of a text. A phrase of common words alone is looked for as its pairs, which finds the same.
 */
import { COMMON_WORDS } from './frequent-words.ts'
import { foldWord } from './fold-word.ts'
import type { TokenPhrase } from './tokens.ts'

/** No token of a text has it, and none begins with it: a pair is not found by the beginning of a word. */
const JOINER = '·'

const common = new Set(
  Object.values(COMMON_WORDS).flatMap((words) => words.split(/\s+/u).map(foldWord)),
)

/**
 * The pairs of a text's tokens, in order. Those of one run of common words follow one another; where the next
 * run would seem to go on with it, something else is between them.
 */
export function commonPairs(tokens: readonly string[]): string[] {
  const pairs: string[] = []
  let end: string | null = null
  for (let at = 1; at < tokens.length; at += 1) {
    const [before = '', word = ''] = [tokens[at - 1], tokens[at]]
    if (!common.has(before) || !common.has(word)) continue
    const isNewRun = at < 2 || !common.has(tokens[at - 2] ?? '')
    if (isNewRun && end === before) pairs.push(JOINER)
    pairs.push(`${JOINER}${before}${JOINER}${word}`)
    end = word
  }
  return pairs
}

/** The tokens to look for, one after the other: pairs where all of the phrase's words are common. */
export function tokensToFind({ tokens, isPrefix }: TokenPhrase): readonly string[] {
  const isOfPairs = tokens.length > 1 && !isPrefix && tokens.every((token) => common.has(token))
  return isOfPairs ? commonPairs(tokens) : tokens
}
