/**
 * Folding: what two spellings of a word have in common, so that one finds the other. Case, accents, vowel
 * points and letters that are typed in two ways go; nothing of meaning does.
 */
import { composed, decomposed } from '../../kit/text/outside-text.ts'

const MARKS = /\p{Mn}/gu
/** What only joins, divides or stretches: tatweel, soft hyphen, the joiners. */
const JOINERS = /\u0640|\u00ad|\u200c|\u200d/g

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
}
const SPECIAL = /[ßæœøđðłħŋþıςٱىیک]/g
const NO_LETTERS = /[^\p{L}\p{N}\p{M}]+/gu
// oxlint-disable-next-line no-control-regex -- ASCII is what it asks about
const PLAIN = /^[\u0000-\u007f]*$/

/** The folded word; folding again changes nothing. Empty where nothing but marks was in it. */
export function foldWord(word: string): string {
  const lower = word.toLowerCase()
  if (PLAIN.test(lower)) return lower
  const folded = decomposed(lower)
    .toLowerCase()
    .replace(JOINERS, '')
    .replace(MARKS, (mark) => (isLeftOut(mark.codePointAt(0) ?? 0) ? '' : mark))
    .replace(SPECIAL, (letter) => LETTERS[letter] ?? letter)
    .replace(NO_LETTERS, '')
  const whole = composed(folded)
  // A composition may be one more letter that folds, and a compatible form may hold an upper-case one.
  return whole === word ? whole : foldWord(whole)
}

/** Marks that people leave out: accents, Hebrew points, Arabic vowels. Those of Indic scripts are letters. */
function isLeftOut(mark: number): boolean {
  return mark < 0x0700 || (mark >= 0x1ab0 && mark <= 0x20ff) || (mark >= 0xfe20 && mark <= 0xfe2f)
}

/** One character of a script without blanks between words: full-width and half-width forms are one. */
export function foldCharacter(character: string): string {
  return composed(decomposed(character)).toLowerCase()
}
