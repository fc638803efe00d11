/** SECURITY.md names only checks that exist. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { ATTACKS } from '../attack/attacks/all.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const text = fs.readFileSync(path.join(ROOT, 'SECURITY.md'), 'utf8')

test('every file that SECURITY.md names is there', () => {
  const files = [...text.matchAll(/`((?:test|src|docs)\/[\w./-]+)`/g)].map(([, name = '']) => name)
  assert.ok(files.length > 10)
  for (const name of files) assert.ok(fs.existsSync(path.join(ROOT, name)), name)
})

test('every word by which SECURITY.md chooses attacks chooses some', () => {
  const words = [...text.matchAll(/npm run attack -- ([a-z ]+)`/g)].flatMap(([, list = '']) =>
    list.split(' '),
  )
  assert.ok(words.length > 6)
  for (const word of words)
    assert.ok(
      ATTACKS.some(({ name }) => name.includes(word)),
      word,
    )
})

test('every promise has a check', () => {
  const [, promised = ''] = text.split('## What is promised\n')
  const promises = promised
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (promise|-)/.test(line))
  assert.ok(promises.length > 8)
  for (const line of promises) assert.match(line.split('|')[2] ?? '', /`/, line)
})

test('the version that gets fixes is the one that is here', () => {
  const [, table = ''] = text.split('## Supported versions\n')
  const rows = [
    ...(table.split('\n## ')[0] ?? '').matchAll(/^\| ([^|]+) \| (yes|no) \| [^|]+ \|$/gm),
  ]
  const { version } = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8'))
  const supported = rows.filter(([, , isSupported]) => isSupported === 'yes').map(([, one]) => one)
  assert.deepEqual(supported, [version.split('.').slice(0, 2).join('.'), '`main`'])
  assert.equal(rows.length, 3, 'and what of earlier ones')
})
