/** The check of `npm run check` refuses, by file and line, comments that begin without their subject. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { findCommentBreaches } from './check-comments.ts'

function check(code: string): string[] {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'comments-'))
  fs.mkdirSync(path.join(root, 'src'))
  fs.writeFileSync(path.join(root, 'src/odd.ts'), code)
  const found = findCommentBreaches(root)
  fs.rmSync(root, { recursive: true })
  return found
}

for (const comment of [
  '/** Of an account, newest first. */',
  '/**\n * The same for a list.\n */',
  '// By the clock of the database.',
  'export const a = 1 // With a margin.',
])
  test(`refused: ${JSON.stringify(comment)}`, () => {
    const [found, ...more] = check(`export {}\n${comment}\n`)
    assert.match(found ?? '', /^src\/odd\.ts:2 a comment begins with "/)
    assert.deepEqual(more, [])
  })

test('refused are lines wider than a screen, but for those behind code', () => {
  const wide = 'It goes on '.repeat(12)
  const [found, ...more] = check(
    `/** Short. */\n/**\n * ${wide}\n */\nlet a = '${wide}' // is short\n`,
  )
  assert.equal(found, 'src/odd.ts:2 a comment has lines of 135 columns: 120 at most')
  assert.deepEqual(more, [])
})

test('allowed is what begins with its subject, the lines that a comment goes on with, and what is no comment', () => {
  const code = [
    '/** Returns the newest of an account. */',
    '// The lock is held until the commit,',
    '// As said before, by whoever has it.',
    "export const text = '// Of course'",
    '/** Offers are kept. */',
  ]
  assert.deepEqual(check(code.join('\n')), [])
})
