/** Room that a text takes, counted in Latin letters. */

/** East Asian characters and emoji take two cells. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u
/** Characters that are shown in the cell of the one before, as combining marks are, or not at all. */
const NO_CELL = /[\p{M}\p{DI}]/u
const NARROW = /^[\x20-\x7e]*$/

export function cellsOf(text: string): number {
  if (NARROW.test(text)) return text.length
  let cells = 0
  for (const character of text) cells += WIDE.test(character) ? 2 : NO_CELL.test(character) ? 0 : 1
  return cells
}

/** Returns the class of a title by its length, for which tokens.css has a size. */
export function titleSize(title: string): 'short' | 'long' | 'longest' {
  const cells = cellsOf(title)
  if (cells <= SHORT_CELLS_MAX) return 'short'
  return cells <= LONG_CELLS_MAX ? 'long' : 'longest'
}
const SHORT_CELLS_MAX = 60
const LONG_CELLS_MAX = 120
