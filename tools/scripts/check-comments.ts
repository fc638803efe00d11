/**
 * Holds comments to sentences that a stranger can use: `node tools/scripts/check-comments.ts [FOLDER]`. A comment
 * begins with its subject, or with "Returns"; what begins with "Of", "By" or "The same" has its subject somewhere else,
 * which only its author remembers. Its lines fit a screen. Prints each breach, and ends with 1 if there is one. Part of
 * `npm run check`.
 */
import fs from 'node:fs'
import path from 'node:path'
import { parseSync } from 'vite'

const TREES = '{src,clients,web,test,emulator,tools}/**/*.{ts,tsx,mts,mjs}'
/** Folders and generated files whose comments nobody writes here. */
const NOT_OURS = /^(node_modules|dist|out|generated|[\w-]*schema(\.d)?\.ts)$/
const FRAGMENT = /^(Of|The same|By|Those|As|With)\b/
const COLUMNS_MAX = 120

/** Returns a sentence for each breach. `root` is a checkout or a copy of one. */
export function findCommentBreaches(root: string): string[] {
  const exclude = (name: string): boolean => NOT_OURS.test(path.basename(name))
  return fs
    .globSync(TREES, { cwd: root, exclude })
    .sort()
    .flatMap((file) => breachesOf(file, fs.readFileSync(path.join(root, file), 'utf8')))
}

function breachesOf(file: string, code: string): string[] {
  const found: string[] = []
  let endOfLast = 0
  for (const { type, value, start, end } of parseSync(file, code).comments) {
    const goesOn = type === 'Line' && /^\s*$/.test(code.slice(endOfLast, start)) && endOfLast > 0
    const [, word] = goesOn ? [] : (FRAGMENT.exec(value.replace(/^[*/\s]+/, '')) ?? [])
    const line = code.slice(0, start).split('\n').length
    if (word !== undefined)
      found.push(`${file}:${line} a comment begins with "${word}": begin with its subject`)
    const widest = Math.max(...linesOf(code, start, end).map((text) => text.length))
    if (widest > COLUMNS_MAX)
      found.push(`${file}:${line} a comment has lines of ${widest} columns: ${COLUMNS_MAX} at most`)
    endOfLast = type === 'Line' ? end : 0
  }
  return found
}

/** Returns the whole lines of a comment that has its lines to itself; a comment behind code is as wide as that is. */
function linesOf(code: string, start: number, end: number): string[] {
  const lineStart = code.lastIndexOf('\n', start) + 1
  return /\S/.test(code.slice(lineStart, start)) ? [''] : code.slice(lineStart, end).split('\n')
}

if (process.argv[1] === import.meta.filename) {
  const breaches = findCommentBreaches(
    process.argv[2] ?? path.resolve(import.meta.dirname, '../..'),
  )
  for (const breach of breaches) process.stderr.write(`${breach}\n`)
  process.exitCode = breaches.length > 0 ? 1 : 0
}
