/** The rows of a pasted table, of which each is about one thing, and the lines of a log. */
import { hasVisible } from '../../kit/text/invisible.ts'

/** What stands by itself in a document: a cell, a value, a text between tags, or a word of a tag, which is no name. */
export type Piece = { number: number; text: string; isTag?: boolean }

/** A row, as one line of text. A quoted cell may have held several lines. */
export type TextRecord = { text: string; cells: Piece[] }

const SEPARATORS = ['\t', ';', '|', ',']
/** A row of Markdown that says how columns are aligned. */
const RULE = /^[-:|\s]+$/
const LINE_BREAK = /\r\n|[\n\r]/
/** A date or a time, with which each line of a log and of a chat begins. */
const TIMESTAMP = /^\s*[[(]?(?:\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{1,2}:\d\d)/

/**
 * Most cells of a table, and words of a log, since each costs a reading. The longest request has room for 3,200 short
 * addresses, one in each row.
 */
const CELLS_MAX = 16_000

/**
 * Returns the rows; null where the text is no table, in which each row has as many cells, or a table of too many cells.
 */
export function tableRecords(text: string): TextRecord[] | null {
  const rows = rowsOf(text)
  if (rows.length < 2) return null
  for (const separator of SEPARATORS) {
    const count = cellsOf(rows[0]?.text ?? '', separator).length
    if (count < 2 || count * rows.length > CELLS_MAX) continue
    if (!rows.every(({ text: row }) => cellsOf(row, separator).length === count)) continue
    return rows.map(({ text: row, number }) => ({
      text: row,
      cells: cellsOf(row, separator).map((cell) => ({ number, text: cell })),
    }))
  }
  return null
}

/** Returns the lines of a log, in words; null where one of them begins without a time, or there are too many words. */
export function logRecords(text: string): TextRecord[] | null {
  const lines = text.split(LINE_BREAK)
  const filled = lines.filter(hasVisible)
  if (filled.length < 2 || !filled.every((line) => TIMESTAMP.test(line))) return null
  const words = lines.map((line) => line.split(/\s+/))
  if (words.reduce((sum, { length }) => sum + length, 0) > CELLS_MAX) return null
  return lines.map((line, at) => ({
    text: line,
    cells: (words[at] ?? []).map((word) => ({ number: at + 1, text: word })),
  }))
}

type Row = { text: string; number: number }

/** Returns the rows that hold anything; a line with an open quote goes on with the next. */
function rowsOf(text: string): Row[] {
  const rows: Row[] = []
  let isOpen = false
  for (const [at, line] of text.split(LINE_BREAK).entries()) {
    const before = rows.at(-1)
    if (isOpen && before !== undefined) before.text += ` ${line}`
    else if (hasVisible(line) && !RULE.test(line)) rows.push({ text: line, number: at + 1 })
    if ((line.split('"').length - 1) % 2 === 1) isOpen = !isOpen
  }
  return rows
}

/** Returns the cells of a row, without their quotes; a separator between quotes is part of its cell. */
function cellsOf(row: string, separator: string): string[] {
  const cells: string[] = []
  let cell = ''
  // What stands between every second pair of quotes is quoted; two quotes in a row are nothing in between.
  for (const [at, part] of row.split('"').entries()) {
    const [first = '', ...others] = at % 2 === 0 ? part.split(separator) : [part]
    cell += first
    for (const other of others) {
      cells.push(cell)
      cell = other
    }
  }
  return [...cells, cell]
}
