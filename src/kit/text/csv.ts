/** CSV by RFC 4180: lines end in CRLF, and a cell is quoted only where it has to be. */

/** The beginning of a cell that a spreadsheet takes for a formula. */
const FORMULA = /^[=+\-@\t\r]/
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/

export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\r\n`
}

/** Guards a person's text against being run by a spreadsheet: a `'` is put before a formula's sign. */
export function guardFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text
}

function quoted(cell: string): string {
  return NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
