/**
 * Looks for every row of conventions.ts in the tree: `node scripts/check-conventions.ts`. Prints each that is not where
 * it should be, and ends with 1 if there is one. Part of `npm run check`.
 */
import fs from 'node:fs'
import path from 'node:path'
import { type Convention, CONVENTIONS } from './conventions.ts'

/** Returns a sentence for each row that was taken away. `read` returns a file's text, or null where it is gone. */
export function missingConventions(
  conventions: readonly Convention[],
  read: (file: string) => string | null,
): string[] {
  return conventions.flatMap(({ area, what, where, checkedBy }) => {
    const row = `${area}, ${what}`
    const lost = [...where, ...checkedBy].flatMap(([file, words]) => {
      const text = read(file)
      if (text === null) return [`${row}: ${file} is gone`]
      return text.includes(words) ? [] : [`${row}: ${file} has no “${words}”`]
    })
    const isUnchecked = checkedBy.length === 0 || where.length === 0
    return isUnchecked ? [...lost, `${row}: nothing says where it is, or what checks it`] : lost
  })
}

function readIn(root: string): (file: string) => string | null {
  return (file) => {
    const whole = path.join(root, file)
    return fs.existsSync(whole) ? fs.readFileSync(whole, 'utf8') : null
  }
}

if (process.argv[1] === import.meta.filename) {
  const missing = missingConventions(CONVENTIONS, readIn(path.dirname(import.meta.dirname)))
  for (const line of missing) process.stderr.write(`conventions: ${line}\n`)
  process.exitCode = missing.length > 0 ? 1 : 0
}
