/**
 * CSV by RFC 4180: lines end in CRLF, and a cell is quoted only where it has to be; or with semicolons between the
 * cells, as spreadsheets expect in countries that write decimals with a comma. Every cell is guarded against being
 * run, as a formula by a spreadsheet or as a command by a terminal that shows the file, unless it is said to be exact.
 */

import { withoutControls } from './controls.ts'
import { firstSign } from './invisible.ts'
import { decomposed } from './outside-text.ts'

/** The beginning of a formula; programs skip what has no ink in front of it, and some know the sign U+2212. */
const FORMULA = /^[=+\-@\u2212]/
/** Signs that OWASP names beside them ("CSV Injection", read in 2026). */
const BREAK_FIRST = /^[\t\r\n]/
/** Signs of which no spreadsheet can make a call. */
const EXACT = /^[\w.-]*$/
const DECIMAL = /^-?\d+\.\d+$/

/** The first character of a file of which old spreadsheets would not know otherwise that it is UTF-8. */
const BYTE_ORDER_MARK = '\ufeff'

/** A cell: text, or what must be read as it is, such as `-dash_first` or `-0.008`. */
export type Cell = string | { exact: string }

/** Signs between cells, by their names. */
const SIGNS = {
  comma: { sign: ',', decimal: '.', needsQuotes: /[",\r\n]|^\s|\s$/ },
  semicolon: { sign: ';', decimal: ',', needsQuotes: /[";\r\n]|^\s|\s$/ },
} as const
export type Separator = keyof typeof SIGNS
export const SEPARATORS = Object.keys(SIGNS) as Separator[]

/** How a table is written: `bom` puts a byte order mark first, for old spreadsheets; commas where it does not say. */
export type TableStyle = { bom: boolean; separator?: Separator | undefined }

/** Returns the beginning of a table: the names of its columns. */
export function csvHead(columns: readonly string[], { bom, separator }: TableStyle): string {
  return (bom ? BYTE_ORDER_MARK : '') + csvLine(columns, separator)
}

export function csvLine(cells: readonly Cell[], separator: Separator = 'comma'): string {
  const { sign, decimal, needsQuotes } = SIGNS[separator]
  const written = cells.map((cell) => {
    const text = DECIMAL.test(exactOf(cell)) ? exactOf(cell).replace('.', decimal) : guarded(cell)
    return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  })
  return `${written.join(sign)}\r\n`
}

/** Returns what must be read as it is; nothing for text. */
function exactOf(cell: Cell): string {
  return typeof cell === 'string' ? '' : cell.exact
}

/** Returns an id or a number as a cell that is not guarded; other text in its place is guarded all the same. */
export function exactCell(value: string | number | bigint): Cell {
  const exact = String(value)
  return EXACT.test(exact) ? { exact } : exact
}

/** Returns text with a `'` before what begins like a formula, and a space for each control; tabs and line ends stay. */
function guarded(cell: Cell): string {
  if (typeof cell !== 'string') return cell.exact
  const shown = withoutControls(cell)
  return BREAK_FIRST.test(shown) || FORMULA.test(decomposed(firstSign(shown))) ? `'${shown}` : shown
}
