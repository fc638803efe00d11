/**
 * Words that people look for by a part: German and other compounds by any of their parts, Hebrew and Arabic words
 * without the prepositions and articles that are written before them. The index has a table of such words, and a term
 * of a query stands for those of them that hold it, the most frequent ones.
 */
import type { SearchQuery, WantedPhrase } from '../../model/search/search-query.ts'
import type { IndexFile } from './index-file.ts'

/** Number of words for which one word stands at most, itself included. */
const WORDS_OF_TERM_MAX = 50
/** Number of letters of a part, at least; a word that may hold one has more. */
const PART_CHARS_MIN = 4
const COMPOUND_CHARS = { min: 5, max: 40 } as const
/** Languages that write compounds as one word. */
const COMPOUNDING = new Set('de nl sv da no nb nn fi hu is et af lb fy gsw nds'.split(' '))

/** Prefixes that are written in one with a word: Hebrew, then Arabic (folded, so that every alef is one). */
const HEBREW = words(
  'ו ה ב ל מ ש כ וה וב ול ומ וש וכ שה שב של שמ שכ שו מה מש כש כשה כשב כשל כשמ לכש וכש וכשה ושה ושב ושל ושמ ומה ומש ולכש בכ לב לה בש וכב ולה ובה כב מב של',
)
const ARABIC = words('و ف ب ك ل ال وال فال بال كال لل ولل فلل وب ول وك فب فل وبال وكال س وس فس')

function words(text: string): string[] {
  return [...new Set(text.split(' '))]
}

/** Returns those of a text's distinct tokens that may be found by a part. */
export function partedWords(tokens: ReadonlySet<string>, languageCode: string): string[] {
  const isCompounding = COMPOUNDING.has(languageCode.toLowerCase().split(/[-_]/)[0] ?? '')
  return [...tokens].filter((token) => {
    const { length } = token
    if (prefixesOf(token).length > 0) return length > 1
    return isCompounding && length >= COMPOUND_CHARS.min && length <= COMPOUND_CHARS.max
  })
}

/** Counts words of one more text. */
export function addWords({ prepare }: IndexFile, found: readonly string[]): void {
  const count = prepare(
    `insert into word (word, docs) values (?, 1) on conflict (word) do update set docs = docs + 1 returning number, docs`,
  )
  const part = prepare('insert into parts (rowid, word) values (?, ?)')
  for (const word of found) {
    const { number, docs } = count.get(word) as { number: number; docs: number }
    if (docs === 1 && prefixesOf(word).length === 0) part.run(number, word)
  }
}

/** Returns the query with every word for which its terms stand in this index. */
export function resolveQuery(index: IndexFile, { terms }: SearchQuery): SearchQuery {
  return {
    terms: terms.map((term) =>
      term.isExcluded
        ? term
        : { ...term, anyOf: term.anyOf.flatMap((phrase) => resolvePhrase(index, phrase)) },
    ),
  }
}

/** Returns the phrase, and the words for which it stands if it is a word that was not quoted. */
function resolvePhrase(index: IndexFile, phrase: WantedPhrase): WantedPhrase[] {
  const [word, ...others] = phrase.tokens
  const isOneWord = word !== undefined && others.length === 0 && !phrase.isPrefix
  if (!isOneWord || phrase.isExact) return [phrase]
  const found = findWords(index, word)
    .filter((other) => other !== word)
    .slice(0, WORDS_OF_TERM_MAX - 1)
  return [phrase, ...found.map((other) => ({ ...phrase, tokens: [other] }))]
}

/** Returns the words that hold this one, the most frequent first. */
function findWords({ prepare }: IndexFile, word: string): string[] {
  const prefixes = prefixesOf(word)
  if (prefixes.length > 0) {
    if (word.length < 2) return []
    const candidates = JSON.stringify(prefixes.map((prefix) => `${prefix}${word}`))
    const known = prepare(
      'select word from word where word in (select value from json_each(?)) order by docs desc limit ?',
    )
    return known.all(candidates, WORDS_OF_TERM_MAX).map(wordOf)
  }
  if (Array.from(word).length < PART_CHARS_MIN) return []
  const holding = prepare(
    `select w.word from parts p join word w on w.number = p.rowid
    where p.word match ? order by w.docs desc limit ?`,
  )
  return holding.all(`"${word.replaceAll('"', '""')}"`, WORDS_OF_TERM_MAX).map(wordOf)
}

function wordOf(row: Record<string, unknown>): string {
  return String(row['word'])
}

/** Returns the prefixes of the word's script; empty for other scripts. */
function prefixesOf(word: string): readonly string[] {
  const code = word.charCodeAt(0)
  if (code >= 0x05d0 && code <= 0x05ea) return HEBREW
  return code >= 0x0620 && code <= 0x06ff ? ARABIC : []
}
