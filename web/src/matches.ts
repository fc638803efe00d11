/** Finds the places of a text that are looked for: words as they are typed, or those of a query. */

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

/** Words that follow one another; of the last one only the beginning where `isPrefix`. */
type SoughtWords = { words: string[]; isPrefix: boolean }

/** A word, a phrase or a parenthesis of a query, as the service reads them (docs/search.md). */
const WRITTEN =
  /(-?)(?:["“”„«»「」]([^"“”„«»「」]*)(?:["“”„«»「」](\*?))?|([(（])|([)）])|([^\s"“”„«»「」()（）]+))/gu
const WORDS = /[\p{L}\p{N}\p{M}]+/gu
/** Scripts without blanks between words, or that are searched without them. */
const UNSPACED =
  /[\p{sc=Thai}\p{sc=Lao}\p{sc=Mymr}\p{sc=Khmr}\p{sc=Hang}\p{sc=Hira}\p{sc=Kana}\p{sc=Bopo}\p{sc=Han}]/u

/** Returns what a query looks for, whichever side of an OR it is on; what is excluded is left out. */
export function soughtIn(query: string): SoughtWords[] {
  const groups: boolean[] = []
  return Array.from(query.matchAll(WRITTEN), (written): SoughtWords[] => {
    const [, minus, quoted, star, open, close, plain = ''] = written
    const isExcluded = minus === '-' || groups.at(-1) === true
    if (open !== undefined) groups.push(isExcluded)
    if (close !== undefined) groups.pop()
    if (open !== undefined || close !== undefined || isExcluded || plain === 'OR') return []
    const text = quoted ?? plain
    const words = text.match(WORDS) ?? []
    return words.length === 0 ? [] : [{ words, isPrefix: star === '*' || text.endsWith('*') }]
  }).flat()
}

/** Compares letters whatever their case and accents, as the search does: `Straße` and `strasse`, `كـتاب` and `كتاب`. */
const LETTERS = new Intl.Collator('und', { sensitivity: 'base', usage: 'search' })

/** Returns the places where any of the words are said, in order; those that meet are one. */
export function placesOf(text: string, sought: readonly SoughtWords[]): Found[] {
  const said = Array.from(text.matchAll(WORDS), ({ 0: word, index }) => ({ word, index }))
  const found = sought.flatMap(({ words, isPrefix }): Found[] =>
    words.some((word) => UNSPACED.test(word))
      ? words.flatMap((word) => matchesOf(text, word))
      : said.flatMap((_, at): Found[] => {
          const isHere = words.every((word, next) => {
            const other = said[at + next]?.word ?? ''
            const isBeginning = isPrefix && next === words.length - 1
            return LETTERS.compare(isBeginning ? other.slice(0, word.length) : other, word) === 0
          })
          const last = said[at + words.length - 1]
          return isHere && last !== undefined
            ? [[said[at]?.index ?? 0, last.index + last.word.length]]
            : []
        }),
  )
  return merged(found)
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
