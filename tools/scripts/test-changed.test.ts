/** `npm test -- --changed`: which tests a change asks for, in a small project of its own. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { findChangedTests } from './test-changed.ts'

const FILES = {
  'src/price.ts': 'export const price = 8',
  'src/price.test.ts': "import { price } from './price.ts'",
  'src/order.ts': "import { price } from './price.ts'",
  'src/order.test.ts': "import { order } from './order.ts'",
  'test/bill.test.ts': "import { price } from '../src/price.ts'",
  'test/files.test.ts': "read('docs/prices.md')",
  'test/shop.full.test.ts': "await import('../src/price.ts')",
  'docs/prices.md': 'eight',
}
const TESTS = Object.keys(FILES).filter((file) => file.endsWith('.test.ts'))

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'changed-'))
after(() => fs.rmSync(root, { recursive: true, force: true }))
const git = (...words: string[]): void => {
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.org']
  execFileSync('git', [...who, ...words], { cwd: root, stdio: 'ignore' })
}
const write = (file: string, text: string): void => {
  fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
  fs.writeFileSync(path.join(root, file), text)
}
git('init')
for (const [file, text] of Object.entries(FILES)) write(file, text)
git('add', '.')
git('commit', '-m', 'all')

test('a changed file asks for the test beside it and for those that import it, not for what these import', () => {
  write('src/price.ts', 'export const price = 9')
  assert.deepEqual(findChangedTests(root, TESTS), {
    changed: ['src/price.ts'],
    files: ['src/price.test.ts', 'test/bill.test.ts'],
    left: ['test/shop.full.test.ts'],
  })
})

test('a document asks for the tests that name it, a new test for itself', () => {
  write('src/price.ts', FILES['src/price.ts'])
  write('docs/prices.md', 'nine')
  write('test/new.test.ts', '')
  const { changed, files } = findChangedTests(root, [...TESTS, 'test/new.test.ts'])
  assert.deepEqual(changed, ['docs/prices.md', 'test/new.test.ts'])
  assert.deepEqual(files, ['test/files.test.ts', 'test/new.test.ts'])
})

test('where nothing is open, the last commit is the change', () => {
  git('add', '.')
  git('commit', '-m', 'nine')
  assert.deepEqual(findChangedTests(root, TESTS).files, ['test/files.test.ts'])
})
