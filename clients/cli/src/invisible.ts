/**
 * What nobody sees: as in the service, which keeps the list and compares this one with it. This program is packed by
 * itself.
 */

const VISIBLE =
  /[^\s\p{Cc}\p{DI}\p{NChar}\u2800\ufff9-\ufffc\u{13430}-\u{1343f}\u{13441}\u{13442}\u{16fe4}\u{1d159}]/u
/** What looks like a blank and is none for `\s`. */
const WIDE = /[\u2800\u3164\uffa0]/g
/** What misleads in a name. What words and emoji are written with is not in it: joiners, selectors, tags, fillers. */
const MISLEADING =
  /[\p{Cc}\p{NChar}\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff0-\ufffc]/gu

/** What keeps letters apart or together, and does nothing at the end of a name. */
export const JOINERS = '\u200c\u200d'
/** What takes no room on a terminal. */
const NO_CELL = /[\p{M}\p{DI}]/u

/** Returns whether anything in the text is seen: without it, the text is blank. */
export function hasVisible(text: string): boolean {
  return VISIBLE.test(text)
}

/** Returns the text without what misleads in a name; what looks like a blank becomes one. Joiners inside words stay. */
export function withoutMisleading(text: string): string {
  return text.replace(WIDE, ' ').replace(MISLEADING, '')
}

/** Returns whether a terminal shows the character in the cell of the one before it, or not at all. */
export function takesNoCell(character: string): boolean {
  return NO_CELL.test(character)
}
