/** CSV by RFC 4180: lines end in CRLF, and a cell is quoted only where it has to be. */

import { withoutControls } from './controls.ts'

/** The beginning of a cell that a spreadsheet takes for a formula. */
const FORMULA = /^[=+\-@\t\r]/
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/

/** The first character of a file of which old spreadsheets would not know otherwise that it is UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff'

export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\r\n`
}

/**
 * Guards a person's text against being run: by a spreadsheet, where a `'` is put before a formula's sign, and by a
 * terminal that shows the file, where what it would obey becomes a space.
 */
export function guardFormula(text: string): string {
  const shown = withoutControls(text)
  return FORMULA.test(shown) ? `'${shown}` : shown
}

function quoted(cell: string): string {
  return NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
