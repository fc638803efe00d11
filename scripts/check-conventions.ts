/**
 * Looks for every row of docs/conventions.md in the tree: `node scripts/check-conventions.ts`. Prints each that is not
 * where it should be, and ends with 1 if there is one. Part of `npm run check`.
 */
import fs from 'node:fs'
import path from 'node:path'

const ROOT = path.dirname(import.meta.dirname)
export const TABLE = 'docs/conventions.md'

/** A file, and words that stand in it while the convention holds. */
type Place = { file: string; words: string }
export type Convention = { area: string; what: string; where: Place[]; checkedBy: Place[] }

/** Reads the rows of the table; a row that cannot be read is one without places. */
export function readConventions(markdown: string): Convention[] {
  const rows = markdown.split('\n').filter((line) => line.startsWith('| '))
  return rows.slice(1).map((line) => {
    const [, area = '', what = '', where = '', checkedBy = ''] = line
      .split(' | ')
      .flatMap((cell, at) => (at === 0 ? ['', cell.slice(2)] : [cell]))
    return { area, what, where: placesIn(where), checkedBy: placesIn(checkedBy) }
  })
}

function placesIn(cell: string): Place[] {
  return [...cell.matchAll(/`([^`]+)`: `([^`]+)`/g)].map(([, file = '', words = '']) => ({
    file,
    words,
  }))
}

/** Returns a sentence for each row that was taken away. `read` returns a file's text, or null where it is gone. */
export function missingConventions(
  conventions: readonly Convention[],
  read: (file: string) => string | null = readHere,
): string[] {
  return conventions.flatMap(({ area, what, where, checkedBy }) => {
    const row = `${area}, ${what}`
    const lost = [...where, ...checkedBy].flatMap(({ file, words }) => {
      const text = read(file)
      if (text === null) return [`${row}: ${file} is gone`]
      return text.includes(words) ? [] : [`${row}: ${file} has no “${words}”`]
    })
    const isUnchecked = checkedBy.length === 0 || where.length === 0
    return isUnchecked ? [...lost, `${row}: nothing says where it is, or what checks it`] : lost
  })
}

/** Returns the text of a file of this checkout; null where there is none. */
export function readHere(file: string): string | null {
  const whole = path.join(ROOT, file)
  return fs.existsSync(whole) ? fs.readFileSync(whole, 'utf8') : null
}

if (process.argv[1] === import.meta.filename) {
  const missing = missingConventions(readConventions(readHere(TABLE) ?? ''))
  for (const line of missing) process.stderr.write(`conventions: ${line}\n`)
  process.exitCode = missing.length > 0 ? 1 : 0
}
