/** Finds the matches of a searched word in a text. */

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
