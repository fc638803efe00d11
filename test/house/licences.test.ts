/**
 * Every file has an owner and a licence whose text is here (REUSE 3.3). `reuse lint` says the same; it is not among
 * what the gate can install, so the part of REUSE.toml that we write is read here.
 */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { trackedFiles } from '../support/tracked-files.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const FIELDS = ['path', 'SPDX-FileCopyrightText', 'SPDX-License-Identifier']
/** The texts themselves need no entry, nor does the file that has the entries. */
const FREE = /^(?:LICENSES\/|LICENSE$|REUSE\.toml$)/

type Entry = Record<string, string[]>

const read = (name: string): string => fs.readFileSync(path.join(ROOT, name), 'utf8')
const entries = readEntries(read('REUSE.toml'))
const tracked = trackedFiles().filter((name) => !FREE.test(name))

/** Reads the entries; strings and lists of strings are written alike in TOML and in JSON. */
function readEntries(text: string): Entry[] {
  const [head = '', ...tables] = text.split('[[annotations]]\n')
  assert.match(head, /^version = 1$/m)
  return tables.map((table) => {
    const lines = table.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    const fields = lines.map((line) => {
      const [name = '', value = ''] = line.split(' = ')
      return [name, [JSON.parse(value) as string | string[]].flat()] as const
    })
    assert.deepEqual(
      fields.map(([name]) => name),
      FIELDS,
    )
    return Object.fromEntries(fields)
  })
}

/** Returns the entry that counts for a file: the last that matches it. */
function entryOf(file: string): Entry | undefined {
  return entries.findLast(({ path: patterns = [] }) =>
    patterns.some((pattern) => pattern === '**' || pattern === file),
  )
}

test('every file has an entry, and every entry a file', () => {
  const used = new Set(tracked.map((file) => entryOf(file)))
  assert.ok(!used.has(undefined))
  for (const entry of entries) {
    assert.ok(used.has(entry), JSON.stringify(entry))
    for (const pattern of entry['path'] ?? [])
      assert.ok(pattern === '**' || tracked.includes(pattern), pattern)
  }
})

test('the text of each licence is there, and no other', () => {
  const named = new Set(entries.flatMap((entry) => entry['SPDX-License-Identifier'] ?? []))
  const texts = fs
    .readdirSync(path.join(ROOT, 'LICENSES'))
    .map((name) => name.replace(/\.txt$/, ''))
  assert.deepEqual(texts.toSorted(), [...named].toSorted())
  const lines = (name: string): string[] => read(name).split('\n')
  const ours = lines('LICENSES/Apache-2.0.txt')
  const others = lines('LICENSE').filter((line, at) => line !== ours[at])
  assert.equal(others.length, 1, 'LICENSE differs in the line with our name')
})

test('who made a typeface is who its licence file names', () => {
  for (const file of tracked.filter((name) => /\/fonts\/.*-LICENSE\.txt$/.test(name))) {
    const [owner = ''] = read(file).split('\n')
    const entry = entryOf(file) ?? {}
    assert.deepEqual(entry['SPDX-License-Identifier'], ['OFL-1.1'])
    const isNamed = (entry['SPDX-FileCopyrightText'] ?? []).some((one) => owner.includes(one))
    assert.ok(isNamed, `${file}: ${owner}`)
    assert.equal(entryOf(file.replace('-LICENSE.txt', '.woff2')), entry)
  }
})

test('what is packed and published names the same licence', () => {
  for (const file of tracked.filter((name) => /(?:^|\/)package\.json$/.test(name)))
    assert.equal(JSON.parse(read(file)).license, 'Apache-2.0', file)
  assert.match(read('clients/python/pyproject.toml'), /^license = "Apache-2\.0"$/m)
})
