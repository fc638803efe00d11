/** Rows for people on a terminal of any width; in a pipe nothing is cut or wrapped. */
import { printable } from './printable.ts'
import type { Terminal } from './terminal.ts'
import { cellsOf } from '../../../src/kit/text/cells.ts'
import { wrapped } from './wrap.ts'

type Width = Pick<Terminal, 'columns' | 'isUnicode'>
type Rows = readonly (readonly string[])[]

const GAP = '  '
/** Least width of the last column: a shorter one would be of no use. */
const LAST_MIN = 12

/**
 * Returns aligned columns, the last one cut to the terminal's width. Where less than `lastMin` would be left of it,
 * each row takes several lines instead: none of its cells is cut, and the last has lines of its own.
 */
export function tableOf(rows: Rows, { columns, isUnicode }: Width, lastMin = LAST_MIN): string {
  const cells = rows.map((row) => row.map((cell) => printable(cell, { isUnicode })))
  const last = Math.max(0, ...cells.map((row) => row.length)) - 1
  const widths = widthsOf(cells, last)
  const before = widths.reduce((sum, width) => sum + width + GAP.length, 0)
  const room = columns - before
  const longest = Math.max(0, ...cells.map((row) => cellsOf(row[last] ?? '')))
  if (room < Math.min(lastMin, longest)) return linesOf(cells.map((row) => inLines(row, columns)))
  return linesOf(cells.map((row) => padded(row, widths) + cut(row[last] ?? '', room, isUnicode)))
}

/** Returns each name with its text, which takes several lines where it has to. */
export function factsOf(rows: readonly [string, string][], { columns, isUnicode }: Width): string {
  const cells = rows.map((row) => row.map((cell) => printable(cell, { isUnicode })))
  const widths = widthsOf(cells, 1)
  const indent = ' '.repeat((widths[0] ?? 0) + GAP.length)
  return linesOf(
    cells.map((row) => {
      const [name = '', text = ''] = row
      const longest = Math.max(...text.split(' ').map(cellsOf))
      // A wrapped id or path could not be copied.
      if (longest + indent.length > columns)
        return [...(name === '' ? [] : [name]), GAP + text].join('\n')
      return wrapped(padded(row, widths) + text, columns, indent)
    }),
  )
}

function widthsOf(cells: Rows, last: number): number[] {
  return Array.from({ length: last }, (_, at) =>
    Math.max(0, ...cells.map((row) => cellsOf(row[at] ?? ''))),
  )
}

/** Returns all but the last cell, padded. */
function padded(row: readonly string[], widths: readonly number[]): string {
  return widths
    .map((width, at) => {
      const cell = row[at] ?? ''
      return cell + ' '.repeat(width - cellsOf(cell)) + GAP
    })
    .join('')
}

function inLines(row: readonly string[], columns: number): string {
  const lines: string[] = []
  let open = ''
  for (const cell of row.slice(0, -1)) {
    const longer = open === '' ? cell : open + GAP + cell
    if (cellsOf(longer) <= columns || open === '') open = longer
    else {
      lines.push(open)
      open = GAP + cell
    }
  }
  return [...lines, open, wrapped(GAP + (row.at(-1) ?? ''), columns)].join('\n')
}

function linesOf(rows: readonly string[]): string {
  const lines = rows.flatMap((row) => row.split('\n'))
  return lines.map((line) => `${line.trimEnd()}\n`).join('')
}

function cut(text: string, room: number, isUnicode: boolean): string {
  if (cellsOf(text) <= room) return text
  const mark = isUnicode ? '…' : '...'
  let kept = ''
  let width = mark.length
  for (const character of text) {
    width += cellsOf(character)
    if (width > room) break
    kept += character
  }
  return kept + mark
}

/** Returns an instant to the minute in the user's own time zone. */
export function minute(instant: string): string {
  const at = new Date(instant)
  const two = (number: number): string => String(number).padStart(2, '0')
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}`
}
