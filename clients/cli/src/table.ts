/** Rows for people: aligned columns, the last one cut to the terminal's width; in a pipe nothing is cut. */
import { printable } from './printable.ts'
import type { Terminal } from './terminal.ts'

const GAP = '  '

/** Of the last column at least so much is shown, even where it wraps. */
const LAST_MIN = 10

export function tableOf(
  rows: readonly (readonly string[])[],
  { columns, isUnicode }: Pick<Terminal, 'columns' | 'isUnicode'>,
): string {
  const cells = rows.map((row) => row.map((cell) => printable(cell, { isUnicode })))
  const last = Math.max(0, ...cells.map((row) => row.length)) - 1
  const widths = Array.from({ length: last }, (_, at) =>
    Math.max(0, ...cells.map((row) => cellsOf(row[at] ?? ''))),
  )
  const before = widths.reduce((sum, width) => sum + width + GAP.length, 0)
  const room = Math.max(LAST_MIN, columns - before)
  return cells
    .map((row) => {
      const padded = widths.map((width, at) => {
        const cell = row[at] ?? ''
        return cell + ' '.repeat(width - cellsOf(cell)) + GAP
      })
      return `${padded.join('')}${cut(row[last] ?? '', room, isUnicode)}`.trimEnd()
    })
    .map((line) => `${line}\n`)
    .join('')
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

/** East Asian characters and emoji take two cells, marks that stand on a letter none. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u
const NARROW = /^[\x20-\x7e]*$/
const NONE = /\p{M}|\u200b|\u200c|\u200d/u

function cellsOf(text: string): number {
  if (NARROW.test(text)) return text.length
  let cells = 0
  for (const character of text) cells += WIDE.test(character) ? 2 : NONE.test(character) ? 0 : 1
  return cells
}
