/** Lines for people, broken between words, since terminals would break them anywhere. */

/** Characters that a terminal shows in the cell of the one before, or not at all. */
const NO_CELL = /[\p{M}\p{DI}]/u
/** Commands and addresses to be copied stay one line, which terminals wrap themselves and copy as a whole. */
const COPIED = /(?:^| )(?:scriptorium|npx) [^ ]/

/**
 * Returns the line as one or more lines of at most `columns`. Lines after the first begin with `indent`, by default the
 * first one's. A part without spaces, such as an address, is left to the terminal.
 */
export function wrapped(
  line: string,
  columns: number,
  indent = /^ */.exec(line)?.[0] ?? '',
): string {
  if (cellsOf(line) <= columns) return line
  const start = /^ */.exec(line)?.[0] ?? ''
  const lines: string[] = []
  let open = start
  let isEmpty = true
  for (const word of wordsOf(line.slice(start.length))) {
    if (!isEmpty && cellsOf(open) + 1 + cellsOf(word) > columns) {
      lines.push(open)
      open = indent + word
    } else {
      open += isEmpty ? word : ` ${word}`
    }
    isEmpty = false
  }
  return [...lines, open].join('\n')
}

function wordsOf(text: string): string[] {
  const copied = COPIED.exec(text)
  if (copied === null) return text.split(' ')
  const before = text.slice(0, copied.index)
  return [...(before === '' ? [] : before.split(' ')), text.slice(before.length).trimStart()]
}

/** East Asian characters and emoji take two cells, combining marks none. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u
const NARROW = /^[\x20-\x7e]*$/

export function cellsOf(text: string): number {
  if (NARROW.test(text)) return text.length
  let cells = 0
  for (const character of text) cells += WIDE.test(character) ? 2 : NO_CELL.test(character) ? 0 : 1
  return cells
}
