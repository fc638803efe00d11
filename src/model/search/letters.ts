/**
 * A text by its letters, before anything is parted into words: characters that write the same letters are one (NFKC of
 * the whole text, since a half-width `ｶ` and the mark behind it are one letter), decimal digits are those of ASCII in
 * every script, and what is typed for one sign is that sign.
 */
import { compatible } from '../../kit/text/outside-text.ts'

/** Returns the place in the text of a place among its letters. Places are asked for in ascending order. */
type PlaceOf = (start: number, end: number) => { start: number; end: number }

/** Characters that became others: from `start` to `end` among the letters, from `from` to `to` in the text. */
type Change = { start: number; end: number; from: number; to: number }

/**
 * Characters that may become others, with what composes with them: marks, vowels and finals of Hangul in all their
 * forms, half-width marks of Kana, Kirat Rai (characters whose NFKD begins with the second part of a composition,
 * Unicode 17.0). No form changes the common letters of Latin, Cyrillic, Hebrew, Arabic, Kana, Han and Hangul that are
 * left out, most of what is said.
 */
const CLUSTERS =
  // oxlint-disable-next-line no-control-regex -- ASCII is what it asks about
  /[\0-\x7f\xc0-\u0131\u0400-\u0482\u05d0-\u05ea\u0621-\u063a\u0641-\u064a\u2013-\u201f\u3001\u3002\u3041-\u3096\u30a1-\u30fc\u4e00-\u9fff\uac00-\ud7a3][\p{M}\u1161-\u11c2\u3131-\u318e\uff9e-\uffdc\u{16d67}\u{16d68}]+|[^\0-\x7f\xc0-\u0131\u0400-\u0482\u05d0-\u05ea\u0621-\u063a\u0641-\u064a\u2013-\u201f\u3001\u3002\u3041-\u3096\u30a1-\u30fc\u4e00-\u9fff\uac00-\ud7a3][\p{M}\u1161-\u11c2\u3131-\u318e\uff9e-\uffdc\u{16d67}\u{16d68}]*/gu
const PIECES = /[^ ]+/g
/** Signs that stand beside a word and are none of its letters, though NFKC writes them with letters: № ℠ ℡ ™ ℻. */
const SIGNS = /[\u2116\u2120-\u2122\u213b\u{1f16a}-\u{1f16c}]/u
const DIGITS = /(?![0-9])\p{Nd}/gu
const DIGIT = /\p{Nd}/u
/** Apostrophes that Unicode counts among the letters. */
const APOSTROPHES = /[\u02b9-\u02bf\u02c8\ua78b\ua78c]/g
/**
 * Between two letters of Hebrew or Cyrillic an apostrophe or a quotation mark belongs to the word, however it is typed
 * (`צה״ל`, `צה"ל`, `м'яч`), and becomes a soft hyphen, which parts nothing; elsewhere it parts words (`l'été`).
 */
const INSIDE_WORDS =
  /(?<=[\p{sc=Hebr}\p{sc=Cyrl}])["'`\u05f3\u05f4\u2018-\u201f\u2032\u2033]{1,2}(?=[\p{sc=Hebr}\p{sc=Cyrl}])/gu
/** Signs that are typed for that of a long vowel: waves behind Kana, a dash between them. */
const WAVES = /[\u3041-\u30ff][~\u301c]+/g
const DASHES = /(?<=[\u3041-\u30ff])[-\u2010-\u2015\u2212\u2500](?=[\u3041-\u30ff])/g
// oxlint-disable-next-line no-control-regex -- ASCII is what it asks about
const PLAIN = /^[\u0000-\u007f]*$/
const SOFT_HYPHEN = '\u00ad'
const LONG = 'ー'

/** Returns the text's letters, and where they are in it; null where they are in the same places. */
export function lettersOf(text: string): { letters: string; placeOf: PlaceOf | null } {
  if (PLAIN.test(text)) return { letters: text, placeOf: null }
  const changes: Change[] = []
  const isSame = text.search(CLUSTERS) < 0 || (compatible(text) === text && text.search(DIGITS) < 0)
  const letters = isSame ? text : replaceClusters(text, changes)
  return {
    letters: asTyped(letters),
    placeOf: changes.length === 0 ? null : placesBy(changes),
  }
}

/** Returns the letters with one sign for what is typed for it, in the same places. */
function asTyped(letters: string): string {
  return letters
    .replace(APOSTROPHES, "'")
    .replace(INSIDE_WORDS, (signs) => SOFT_HYPHEN.repeat(signs.length))
    .replace(WAVES, (waves) => waves.charAt(0).padEnd(waves.length, LONG))
    .replace(DASHES, LONG)
}

/** Returns the text with each cluster as its letters, and adds what changed. */
function replaceClusters(text: string, changes: Change[]): string {
  let letters = ''
  let done = 0
  for (const { 0: piece, index } of text.matchAll(PIECES)) {
    if (compatible(piece) === piece && piece.search(DIGITS) < 0) continue
    for (const { 0: cluster, index: inPiece } of piece.matchAll(CLUSTERS)) {
      const plain = plainOf(cluster)
      if (plain === cluster) continue
      const from = index + inPiece
      letters += text.slice(done, from)
      done = from + cluster.length
      changes.push({ start: letters.length, end: letters.length + plain.length, from, to: done })
      letters += plain
    }
  }
  return letters + text.slice(done)
}

function plainOf(cluster: string): string {
  return SIGNS.test(cluster) ? cluster : compatible(cluster).replace(DIGITS, digitOf)
}

/** Returns the digit of ASCII: digits of a script stand in a row, from that of nought on. */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let value = 0
  while (value < 9 && DIGIT.test(String.fromCodePoint(code - value - 1))) value += 1
  return String(value)
}

function placesBy(changes: readonly Change[]): PlaceOf {
  let next = 0
  return (start, end) => {
    while ((changes[next]?.start ?? Infinity) < end) next += 1
    const first = lastBegun(changes, next, start)
    const last = lastBegun(changes, next, end - 1)
    return { start: placeFrom(first, start, 'from'), end: placeFrom(last, end, 'to') }
  }
}

/** Returns the last of the first `count` changes that begins at a place among the letters, or before it. */
function lastBegun(changes: readonly Change[], count: number, place: number): Change | undefined {
  let at = count - 1
  while ((changes[at]?.start ?? -1) > place) at -= 1
  return changes[at]
}

/** Returns the place in the text: as far behind the change as among the letters. Within it, all of it is meant. */
function placeFrom(change: Change | undefined, place: number, side: 'from' | 'to'): number {
  if (change === undefined) return place
  return place < change.end ? change[side] : change.to + place - change.end
}
