/**
 * How a text is parted into what can be searched for: its tokens, in order, with their places.
 *
 *     words        folded: `Café` is `cafe`
 *     characters   of scripts without blanks between words, in pairs that overlap, and the last one
 *                  alone: `東京都` is `東京 京都 都`
 *
 * Pairs find every part of a run, wherever its words begin. White space and what nobody sees inside a run is
 * passed over, since captions break lines there. The index holds the tokens of texts, a query those of its terms: both
 * are made here, from their letters (letters.ts).
 */
import { hasVisible, withoutInvisible } from '../../kit/text/invisible.ts'
import { composed, decomposed } from '../../kit/text/outside-text.ts'
import { lettersOf } from './letters.ts'

/** A token; `start` and `end` are its place in the text, in UTF-16 units. */
export type Token = { text: string; start: number; end: number; isLastOfRun: boolean }

/** Tokens to look for in place of one word or phrase: they follow one another. */
export type TokenPhrase = {
  tokens: string[]
  /** True where the last token is only the beginning of one. */
  isPrefix: boolean
}

/** Length to which words are cut: nobody looks for the rest of one. */
const TOKEN_CHARS_MAX = 64
/** Length of a word that is looked at: with its marks it may be longer than its token. */
const WORD_CHARS_MAX = 256

const WORDS = /(?:[\p{L}\p{N}\p{M}]|\u200c|\u200d|\u00ad)+/gu
/** Half of a character, left where a word is cut. */
const HALVES = /\p{Cs}/gu

type Character = { text: string; start: number; end: number }

/** Returns all tokens of a text. Those of one character, such as `㍿`, have its place. */
export function tokensOf(text: string): Token[] {
  const { letters, placeOf } = lettersOf(text)
  const tokens = tokensOfLetters(letters)
  if (placeOf === null) return tokens
  return tokens.map((token) => ({ ...token, ...placeOf(token.start, token.end) }))
}

function tokensOfLetters(text: string): Token[] {
  const tokens: Token[] = []
  const folds = new Map<string, string>()
  let run: Character[] = []
  const endRun = (): void => {
    for (const pair of pairsOf(run)) tokens.push(pair)
    run = []
  }
  for (const { 0: word, index } of text.matchAll(WORDS)) {
    for (const part of scriptRuns(word, index)) {
      const isUnspaced = isUnspacedAt(part.text, 0)
      const isGap = run.length > 0 && hasVisible(text.slice(run.at(-1)?.end, part.start))
      if (!isUnspaced || isGap) endRun()
      if (!isUnspaced) addWord(tokens, part, folds)
      else for (const one of charactersOf(part)) if (hasVisible(one.text)) run.push(one)
    }
  }
  endRun()
  return tokens
}

/**
 * Returns what to look for to find `text` as a whole; null where it has nothing that could be found. The last character
 * of an unspaced run at the end is left out: in a longer run it is no token.
 */
export function phraseOf(text: string, isPrefix: boolean): TokenPhrase | null {
  const tokens = tokensOfLetters(lettersOf(text).letters)
  const last = tokens.at(-1)
  if (last === undefined) return null
  if (!last.isLastOfRun) return { tokens: tokens.map((token) => token.text), isPrefix }
  const isAlone = tokens.length === 1 || tokens.at(-2)?.end !== last.end
  const kept = isAlone ? tokens : tokens.slice(0, -1)
  return { tokens: kept.map((token) => token.text), isPrefix: isAlone }
}

/** Returns whether the character is made into pairs: its script writes no blanks between words, or not all of them. */
export function isUnspacedAt(text: string, at: number): boolean {
  const code = text.codePointAt(at) ?? 0
  return code >= 0x0e00 && UNSPACED.some(([first, last]) => code >= first && code <= last)
}

/** Ranges of Thai and Lao, Burmese, Khmer, Hangul, Kana, Bopomofo and Han. */
const UNSPACED: readonly (readonly [first: number, last: number])[] = [
  [0x4e00, 0x9fff],
  [0x3005, 0x3007],
  [0x3021, 0x3029],
  [0x3031, 0x3035],
  [0x3041, 0x31bf],
  [0xac00, 0xd7ff],
  [0x0e00, 0x0eff],
  [0x1000, 0x109f],
  [0x1100, 0x11ff],
  [0x1780, 0x17ff],
  [0x19e0, 0x19ff],
  [0x31f0, 0x31ff],
  [0x3400, 0x4dbf],
  [0xa960, 0xa97f],
  [0xa9e0, 0xa9ff],
  [0xaa60, 0xaa7f],
  [0xf900, 0xfaff],
  [0xff66, 0xffdc],
  [0x1b000, 0x1b16f],
  [0x20000, 0x3ffff],
]

/** Returns the characters of a word, parted where scripts meet: `iPhone15を` is a word and a run. */
function scriptRuns(word: string, at: number): Character[] {
  // oxlint-disable-next-line no-control-regex -- ASCII is what it asks about
  if (/^[\u0000-\u0dff]*$/.test(word)) return [{ text: word, start: at, end: at + word.length }]
  const parts: Character[] = []
  let wasUnspaced: boolean | null = null
  for (const { text, start, end } of charactersOf({ text: word, start: at, end: 0 })) {
    // What nobody sees belongs to the character before it, such as the selector of a kanji's form.
    const isUnspaced: boolean =
      wasUnspaced !== null && !hasVisible(text) ? wasUnspaced : isUnspacedAt(text, 0)
    const last = parts.at(-1)
    if (last !== undefined && isUnspaced === wasUnspaced) {
      last.text += text
      last.end = end
    } else {
      parts.push({ text, start, end })
    }
    wasUnspaced = isUnspaced
  }
  return parts
}

function charactersOf({ text, start: at }: Character): Character[] {
  let start = at
  return Array.from(text, (character) => {
    const found = { text: character, start, end: start + character.length }
    start = found.end
    return found
  })
}

function addWord(
  tokens: Token[],
  { text, start, end }: Character,
  folds: Map<string, string>,
): void {
  const folded = foldOnce(text.slice(0, WORD_CHARS_MAX), folds)
  if (folded !== '') tokens.push({ text: folded, start, end, isLastOfRun: false })
}

/** Returns the token of a word; `folds` are those of words that were folded before. */
function foldOnce(word: string, folds: Map<string, string>): string {
  if (PLAIN.test(word)) return word.toLowerCase().slice(0, TOKEN_CHARS_MAX)
  let folded = folds.get(word)
  if (folded === undefined) {
    folded = foldWord(word).slice(0, TOKEN_CHARS_MAX).replace(HALVES, '')
    folds.set(word, folded)
  }
  return folded
}

function pairsOf(run: readonly Character[]): Token[] {
  return run.map(({ text, start, end }, at) => {
    const next = run[at + 1]
    return {
      text: `${text}${next?.text ?? ''}`,
      start,
      end: next?.end ?? end,
      isLastOfRun: next === undefined,
    }
  })
}

// Folding: what two spellings of a word have in common, so that one finds the other. Case, accents, vowel points and
// letters that are typed in two ways go; nothing of meaning does.

const MARKS = /\p{Mn}/gu
/** The tatweel, which stretches a word. */
const STRETCH = /\u0640/g

/** Letters that no decomposition takes apart. */
const LETTERS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ħ: 'h',
  ŋ: 'n',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
  ٱ: 'ا',
  ى: 'ي',
  ی: 'ي',
  ک: 'ك',
  ة: 'ه',
  ۃ: 'ه',
  ہ: 'ه',
  ھ: 'ه',
  ە: 'ه',
  '\u0901': '\u0902',
}
const SPECIAL = /[ßæœøđðłħŋþıςٱىیکةۃہھە\u0901]/g
/** A nasal of Devanagari before a consonant, which is also written as a point: `हिन्दी` and `हिंदी`. */
const NASALS = /[\u0919\u091e\u0923\u0928\u092e]\u094d(?=[\u0915-\u0939])/g
const NO_LETTERS = /[^\p{L}\p{N}\p{M}]+/gu
// oxlint-disable-next-line no-control-regex -- ASCII is what it asks about
const PLAIN = /^[\u0000-\u007f]*$/

/** Returns the folded word; folding again changes nothing. Empty where nothing but marks was in it. */
export function foldWord(word: string): string {
  const lower = word.toLowerCase()
  if (PLAIN.test(lower)) return lower
  const folded = withoutInvisible(decomposed(lower).toLowerCase())
    .replace(STRETCH, '')
    .replace(MARKS, (mark) => (isLeftOut(mark.codePointAt(0) ?? 0) ? '' : mark))
    .replace(SPECIAL, (letter) => LETTERS[letter] ?? letter)
    .replace(NASALS, '\u0902')
    .replace(NO_LETTERS, '')
  const whole = composed(folded)
  // A composition may be one more letter that folds, and a compatible form may hold an upper-case one.
  return whole === word ? whole : foldWord(whole)
}

/**
 * The nuktas of Devanagari, Gurmukhi, Gujarati and Kannada, which mark foreign sounds (`ज़`, `ज`). Those of Bengali and
 * Odia make other letters (`য়` is no `য`), and nobody leaves them out.
 */
const NUKTAS = new Set([0x093c, 0x0a3c, 0x0abc, 0x0cbc])

/** Returns whether people leave the mark out: accents, Hebrew points, Arabic vowels; other Indic marks are letters. */
function isLeftOut(mark: number): boolean {
  if (mark < 0x0700 || NUKTAS.has(mark)) return true
  return (mark >= 0x1ab0 && mark <= 0x20ff) || (mark >= 0xfe20 && mark <= 0xfe2f)
}
