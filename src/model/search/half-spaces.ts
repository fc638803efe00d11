/**
 * Words of Arabic letters whose parts stand together, apart, or with a half-space (U+200C) between them, as their
 * writer likes: `می‌خواهم`, `می خواهم`, `میخواهم`. Tokens of texts pass over half-spaces and keep blanks; a query looks
 * for the other spellings, too.
 */

const HALF_SPACES = /(?<=\p{sc=Arab})\u200c(?=\p{sc=Arab})/gu
const ARABIC = /^\p{sc=Arab}/u
/** Folded parts that are written apart as often as not: Persian ones, and the Arabic `عبد` of names. */
const BEGINNINGS = ['نمي', 'مي', 'عبد']
const ENDINGS = ['ها', 'هاي', 'هايي', 'هايم', 'هايت', 'هايش', 'تر', 'ترين']
/** Number of letters that are left of a word, at least, where its beginning or ending is written apart. */
const REST_CHARS_MIN = 2
/** Number of spellings that are looked for beside the one that is written. */
const SPELLINGS_MAX = 6

/** Returns the text with its words parted at half-spaces. */
export function partedAtHalfSpaces(text: string): string {
  return text.replace(HALF_SPACES, ' ')
}

/** Returns two words as one; null where they are never written so. */
export function joinedWords(one: string, other: string): string | null {
  return ARABIC.test(one) && ARABIC.test(other) ? `${one}${other}` : null
}

/** Returns other spellings of words that follow one another: two of them joined, or one of them parted. */
export function spellingsOf(words: readonly string[]): string[][] {
  const spellings = words.flatMap((word, at): string[][] => {
    const joined = joinedWords(word, words[at + 1] ?? '')
    const [before, after] = [words.slice(0, at), words.slice(at + 1)]
    return [
      ...(joined === null ? [] : [[...before, joined, ...words.slice(at + 2)]]),
      ...partsOf(word).map((parts) => [...before, ...parts, ...after]),
    ]
  })
  return spellings.slice(0, SPELLINGS_MAX)
}

function partsOf(word: string): string[][] {
  if (!ARABIC.test(word)) return []
  const isLong = (part: string): boolean => word.length - part.length >= REST_CHARS_MIN
  const begun = BEGINNINGS.filter((part) => word.startsWith(part) && isLong(part))
  const ended = ENDINGS.filter((part) => word.endsWith(part) && isLong(part))
  return [
    ...begun.map((part) => [part, word.slice(part.length)]),
    ...ended.map((part) => [word.slice(0, -part.length), part]),
  ]
}
