/**
 * Holds comments to sentences that a stranger can use: `node scripts/check-comments.ts [FOLDER]`. A comment begins with
 * its subject, or with "Returns"; what begins with "Of", "By" or "The same" has its subject somewhere else, which only its
 * author remembers. Prints each breach, and ends with 1 if there is one. Part of `npm run check`.
 */
import fs from 'node:fs'
import path from 'node:path'
import { parseSync } from 'vite'

const TREES =
  '{src,clients,web,test,emulator,bench,scripts,demo,conformance,tools}/**/*.{ts,tsx,mts,mjs}'
const NOT_OURS = ['node_modules', 'dist', 'out', 'generated']
const FRAGMENT = /^(Of|The same|By|Those|As|With)\b/

/** Returns a sentence for each breach. `root` is a checkout or a copy of one. */
export function findFragments(root: string): string[] {
  const exclude = (name: string): boolean => NOT_OURS.includes(name)
  return fs
    .globSync(TREES, { cwd: root, exclude })
    .sort()
    .flatMap((file) => fragmentsOf(file, fs.readFileSync(path.join(root, file), 'utf8')))
}

function fragmentsOf(file: string, code: string): string[] {
  const found: string[] = []
  let endOfLast = 0
  for (const { type, value, start, end } of parseSync(file, code).comments) {
    const goesOn = type === 'Line' && /^\s*$/.test(code.slice(endOfLast, start)) && endOfLast > 0
    const [, word] = goesOn ? [] : (FRAGMENT.exec(value.replace(/^[*/\s]+/, '')) ?? [])
    if (word !== undefined) {
      const line = code.slice(0, start).split('\n').length
      found.push(`${file}:${line} a comment begins with "${word}": begin with its subject`)
    }
    endOfLast = type === 'Line' ? end : 0
  }
  return found
}

if (process.argv[1] === import.meta.filename) {
  const fragments = findFragments(process.argv[2] ?? path.dirname(import.meta.dirname))
  for (const fragment of fragments) process.stderr.write(`${fragment}\n`)
  process.exitCode = fragments.length > 0 ? 1 : 0
}
