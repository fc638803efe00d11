/** Lines for people, broken between words, since terminals would break them anywhere. */
import { cellsOf } from '../../../src/kit/text/cells.ts'

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
