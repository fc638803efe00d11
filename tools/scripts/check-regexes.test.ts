/** The proof of `npm run check` refuses a slow regular expression by file, line and text. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'

const CHECK = path.join(import.meta.dirname, 'check-regexes.ts')

/** Each line of a file, and what the check says about it; null where it says nothing. */
const LINES: [code: string, said: RegExp | null][] = [
  ['export const nested = /^(?:a+)+$/', /is not linear/],
  ['export const blanksAtTheEnd = /\\s+$/', /is not linear/], // quadratic only because a search may begin anywhere
  ['export const closing = /[>"\']+$/', /is not linear/],
  ['export const unclosed = /<p\\b([^>]*?)(?:\\/>|>([^]*?)<\\/p>)/g', /is not linear/],
  ['const WORDS = String.raw`(\\w+\\s?)*$`', null],
  ['export const named = new RegExp(WORDS)', /is not linear/],
  ['export const schema = { pattern: `^${WORDS}` }', /is not linear/],
  ['export const made = (name: string) => new RegExp(`${name}+`)', /put together at run time/],
  ['export const harmless = /^[\\w-]{11}$/', null],
]

test('a regular expression that is not linear, or cannot be proven to be, is refused by name', () => {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'regexes-'))
  fs.mkdirSync(path.join(root, 'src'))
  fs.writeFileSync(path.join(root, 'src/odd.ts'), LINES.map(([code]) => `${code}\n`).join(''))
  const { status, stderr } = spawnSync(process.execPath, [CHECK, root], { encoding: 'utf8' })
  fs.rmSync(root, { recursive: true })

  assert.equal(status, 1, stderr)
  for (const [at, [code, said]] of LINES.entries()) {
    const told = stderr.split('\n').filter((line) => line.startsWith(`src/odd.ts:${at + 1}: `))
    assert.equal(told.length, said === null ? 0 : 1, `${code}\n${stderr}`)
    if (said !== null) assert.match(told[0] ?? '', said)
  }
})
