/** Operations on text that take time in proportion to its length, whatever the text is. */

/** Returns the text without the characters of `start` at its start and those of `end` at its end. */
export function trimCharacters(
  text: string,
  { start, end }: { start: string; end: string },
): string {
  let from = 0
  let to = text.length
  while (from < to && start.includes(text.charAt(from))) from += 1
  while (to > from && end.includes(text.charAt(to - 1))) to -= 1
  return text.slice(from, to)
}

/** U+0000, and half of a surrogate pair: `isWellFormed` is too young for the browsers that read this file. */
const UNSTORABLE = /[\0\p{Cs}]/u

/** Whether PostgreSQL and UTF-8 can hold the text. */
export function isStorable(text: string): boolean {
  return !UNSTORABLE.test(text)
}

/** More marks on one letter than any language writes; the Stream-Safe Text Format of UAX #15 allows as many. */
const MARKS = /(\p{M}{30})/u

/**
 * Returns the text in its composed form (NFC). ICU sorts the marks of a letter in quadratic time: 128 KB of them take
 * three seconds. So runs of 30 marks or more are cut and each piece is composed alone.
 */
export function composed(text: string): string {
  return normalized(text, 'NFC')
}

/**
 * Returns the text decomposed (NFKD): marks follow their letters, and letters that differ only in looks become plain
 * ones.
 */
export function decomposed(text: string): string {
  return normalized(text, 'NFKD')
}

/** Returns the text composed (NFKC), with plain letters for those that differ only in looks. */
export function compatible(text: string): string {
  return normalized(text, 'NFKC')
}

function normalized(text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string {
  if (!MARKS.test(text)) return text.normalize(form)
  return text
    .split(MARKS)
    .map((piece) => piece.normalize(form))
    .join('')
}

/**
 * Returns the first names that lead to text that nothing can store, in a string or a property's name of JSON; null
 * where all of it can be stored. It walks level by level, without recursion.
 */
export function unstorableIn(value: unknown): string[] | null {
  let level: { path: string[]; part: unknown }[] = [{ path: [], part: value }]
  while (level.length > 0) {
    const next: typeof level = []
    for (const { path, part } of level) {
      if (typeof part === 'string' && !isStorable(part)) return path
      if (typeof part !== 'object' || part === null) continue
      for (const [name, inner] of Object.entries(part)) {
        if (!isStorable(name)) return path
        next.push({ path: path.length < PATH_STEPS ? [...path, name] : path, part: inner })
      }
    }
    level = next
  }
  return null
}

/** How many names of a path are returned. */
const PATH_STEPS = 3
