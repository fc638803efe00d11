/**
 * CSV by RFC 4180: lines end in CRLF, and a cell is quoted only where it has to be. Every cell is guarded against being
 * run, as a formula by a spreadsheet or as a command by a terminal that shows the file, unless it is said to be exact.
 */

import { withoutControls } from './controls.ts'
import { firstSign } from './invisible.ts'
import { decomposed } from './outside-text.ts'

/** The beginning of a formula; programs skip what has no ink in front of it, and some know the sign U+2212. */
const FORMULA = /^[=+\-@\u2212]/
/** Signs that OWASP names beside them ("CSV Injection", read in 2026). */
const BREAK_FIRST = /^[\t\r\n]/
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/
/** Signs of which no spreadsheet can make a call. */
const EXACT = /^[\w.-]*$/

/** The first character of a file of which old spreadsheets would not know otherwise that it is UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff'

/** A cell: text, or what must be read as it is, such as `-dash_first` or `-0.008`. */
export type Cell = string | { exact: string }

export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map((cell) => quoted(guarded(cell))).join(',')}\r\n`
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

function quoted(cell: string): string {
  return NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
