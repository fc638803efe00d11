/** Two readings of the same captions, compared word by word as white space parts them. */

/** The first place at which two readings differ, and how much of them does. */
export type WordDifference = {
  /** The number of the first word that differs, from 1. */
  at: number
  /** That word in each reading; '' where it has none there. */
  ours: string
  theirs: string
  /** How many words differ, of how many: of readings that are not equally long, all between the first and the last. */
  differing: number
  of: number
}

/** Returns null where all words are the same. */
export function differenceOf(ours: string, theirs: string): WordDifference | null {
  const [left, right] = [wordsOf(ours), wordsOf(theirs)]
  const of = Math.max(left.length, right.length)
  let first = 0
  while (first < of && left[first] === right[first]) first += 1
  if (first === of) return null
  return {
    at: first + 1,
    ours: left[first] ?? '',
    theirs: right[first] ?? '',
    differing:
      left.length === right.length ? countDiffering(left, right) : spanOf(left, right, first),
    of,
  }
}

function wordsOf(text: string): string[] {
  return text.match(/\S+/g) ?? []
}

function countDiffering(left: readonly string[], right: readonly string[]): number {
  return left.filter((word, at) => word !== right[at]).length
}

/** Returns how many words lie between the beginning that both share and the end that both share. */
function spanOf(left: readonly string[], right: readonly string[], first: number): number {
  const shorter = Math.min(left.length, right.length)
  let last = 0
  while (first + last < shorter && left.at(-1 - last) === right.at(-1 - last)) last += 1
  return Math.max(left.length, right.length) - first - last
}
