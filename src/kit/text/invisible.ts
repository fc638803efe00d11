/**
 * What nobody sees: the one list of characters without ink, and the questions that are asked of it. Unicode's own list
 * is Default_Ignorable_Code_Point, `\p{DI}` (DerivedCoreProperties.txt 17.0): zero-width characters, joiners, bidi
 * controls, soft hyphens, variation selectors, tags, Hangul fillers. It lacks these, which have no ink either:
 *
 *     U+2800                braille without a dot     U+FFF9–FFFB    marks of annotations
 *     U+13430–1343F         joiners of hieroglyphs    U+FFFC         the place of a picture that is gone
 *     U+13441, U+13442      blanks among them         U+16FE4        the Khitan filler
 *     U+1D159               a note without a head     noncharacters, which are no text
 *
 * Marks that combine have ink, characters for private use may be icons, and what Unicode has not assigned yet may be an
 * emoji of next year: all of them are seen.
 */

// The class is the same twice, since what is put together at run time is not proven linear.
const VISIBLE =
  /[^\s\p{Cc}\p{DI}\p{NChar}\u2800\ufff9-\ufffc\u{13430}-\u{1343f}\u{13441}\u{13442}\u{16fe4}\u{1d159}]/u
const INVISIBLE =
  /[\p{DI}\p{NChar}\u2800\ufff9-\ufffc\u{13430}-\u{1343f}\u{13441}\u{13442}\u{16fe4}\u{1d159}]/gu

/** The question of `hasVisible` as the pattern of a schema; such patterns have the flag u. */
export const VISIBLE_PATTERN = VISIBLE.source

/** Signs that say which way a text runs (UAX #9). */
const TURNS = /\p{Bidi_C}/u
/** Spaces without width, which no word needs: U+2060 is what U+FEFF inside a text was. */
const SPACES_WITHOUT_WIDTH = /[\u200b\u2060\ufeff]/g
/** Signs that look like a blank and are none for `\s`. */
const WIDE = /[\u2800\u3164\uffa0]/g
/**
 * What means nothing at the end of a text, where it has no neighbour. Joiners, selectors, tags and turns act upon the
 * one neighbour that they have.
 */
const NEEDLESS_AT_ENDS =
  /[\s\u00ad\u180e\u200b\u2060-\u2064\u206a-\u206f\u2800\u3164\ufeff\uffa0\ufff0-\ufffb]/
/** Signs that mislead in a name. Those of words and emoji are not among them: joiners, selectors, tags, fillers. */
const MISLEADING =
  /[\p{Cc}\p{NChar}\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff0-\ufffc]/gu
/** Everything that could make two names look alike: also joiners and what Unicode has not assigned. */
const UNPLAIN = /[\p{C}\p{Z}\p{DI}\u2800\ufffc\u{13441}\u{13442}\u{16fe4}\u{1d159}]+/gu
/** The opposite of `UNPLAIN`, without marks: what a text begins with for a program that skips all else. */
const INK = /[^\p{C}\p{M}\p{Z}\p{DI}\u2800\ufffc\u{13441}\u{13442}\u{1d159}]/u

/** Signs that keep letters apart or together, and do nothing at the end of a name. */
export const JOINERS = '\u200c\u200d'

/** Returns whether anything in the text is seen: without it, the text is blank. */
export function hasVisible(text: string): boolean {
  return VISIBLE.test(text)
}

/** Returns the text without anything that nobody sees, joiners too: for addresses and tokens. White space stays. */
export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, '')
}

/** Returns the text without white space at its ends, and without what means nothing there. */
function trimmed(text: string): string {
  let from = 0
  let to = text.length
  while (from < to && NEEDLESS_AT_ENDS.test(text.charAt(from))) from += 1
  while (to > from && NEEDLESS_AT_ENDS.test(text.charAt(to - 1))) to -= 1
  return text.slice(from, to)
}

/**
 * Returns the text as one line with single blanks and nothing invisible between them; empty where nothing is seen. What
 * is inside a word stays, and so does what turns the text: where a line of Hebrew or Arabic runs depends on it.
 */
export function visibleLine(text: string): string {
  const line = text.replace(SPACES_WITHOUT_WIDTH, '').replace(/\s+/g, ' ').trim()
  if (line.search(INVISIBLE) < 0) return hasVisible(line) ? line : ''
  if (!hasVisible(line)) return ''
  const words = line.split(' ').filter((word) => hasVisible(word) || TURNS.test(word))
  return trimmed(words.join(' '))
}

/** Returns the text without what misleads in a name; what looks like a blank becomes one. Joiners inside words stay. */
export function withoutMisleading(text: string): string {
  return text.replace(WIDE, ' ').replace(MISLEADING, '')
}

/** Returns the text with one space for each run of what is not seen, so that two names that look alike are the same. */
export function plainName(text: string): string {
  return text.replace(UNPLAIN, ' ').trim()
}

/** Returns the first letter, digit or sign of the text; empty where there is none. */
export function firstSign(text: string): string {
  return INK.exec(text)?.[0] ?? ''
}
