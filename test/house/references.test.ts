/** Documents name only files and functions that exist, and stay short enough to be read. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { trackedFiles } from '../support/tracked-files.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const TEN_MINUTES_OF_WORDS = 2_500
const DECISION_COLUMNS = 120
const PAGE_OF_WORDS = 300
const PICTURES_BYTES_MAX = 7 * 1024 * 1024

const tracked = trackedFiles()
const documents = tracked.filter((name) => name.endsWith('.md') && name !== 'CHANGELOG.md')
const code = tracked
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => read(name))
  .join('\n')

test('every file and folder that a document names exists', () => {
  const names = documents.flatMap((document) =>
    [...read(document).matchAll(/`([\w.-]+\/[\w./-]*|[\w.-]+\.(?:ts|tsx|mjs|sql))`/g)].map(
      ([, name = '']) => ({ document, name }),
    ),
  )
  assert.ok(names.length > 100)
  const missing = names.filter(({ name }) => isOurs(name) && !exists(name))
  assert.deepEqual(missing, [])
})

test('every link of a document leads to a file', () => {
  const links = [...documents, 'CHANGELOG.md'].flatMap((document) =>
    [...read(document).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, to = '']) => ({
      document,
      to,
    })),
  )
  assert.ok(links.length > 15)
  const dead = links.filter(
    ({ document, to }) => !fs.existsSync(path.resolve(ROOT, path.dirname(document), to)),
  )
  assert.deepEqual(dead, [])
})

test('examples have one name for the API key', () => {
  const shown = tracked.filter(
    (name) =>
      /^(?:web\/src|src\/api|src\/mcp|clients)\/.*\.(?:tsx?|py)$/.test(name) ||
      documents.includes(name),
  )
  const names = shown.flatMap((name) =>
    [...read(name).matchAll(/(?<![A-Z_])(?:SCRIPTORIUM_|API_|)(?:API_)?KEY\b/g)].map(
      ([word]) => word,
    ),
  )
  assert.deepEqual([...new Set(names)], ['SCRIPTORIUM_API_KEY'])
})

test('every function that a document names exists', () => {
  const names = documents.flatMap((document) =>
    [...read(document).matchAll(/`(?:\w+\.)*(\w+)\(\)?/g)].map(([, name = '']) => ({
      document,
      name,
    })),
  )
  assert.ok(names.length > 0)
  const missing = names.filter(({ name }) => !new RegExp(`\\b${name}\\b`).test(code))
  assert.deepEqual(missing, [])
})

test('README, ARCHITECTURE and CONTRIBUTING are read in ten minutes', () => {
  const words = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md']
    .map(
      (name) =>
        read(name)
          .split(/\s+/)
          .filter((word) => /\w/.test(word)).length,
    )
    .reduce((sum, one) => sum + one, 0)
  assert.ok(words <= TEN_MINUTES_OF_WORDS, `${words} words; at most ${TEN_MINUTES_OF_WORDS}`)
})

test('README shows four of the pictures, each view is there in its looks, and all of them are light', () => {
  assert.equal([...read('README.md').matchAll(/!\[\w+\]\(docs\/pictures\/[\w.-]+\)/g)].length, 4)
  const pictures = tracked.filter((name) => name.startsWith('docs/pictures/'))
  const bytes = pictures.map((name) => fs.statSync(path.join(ROOT, name)).size)
  assert.ok(bytes.reduce((sum, one) => sum + one, 0) <= PICTURES_BYTES_MAX)
  for (const view of ['welcome', 'job', 'reader', 'money'])
    for (const look of ['light', 'dark', 'phone'])
      assert.ok(pictures.includes(`docs/pictures/${view}.${look}.webp`), `${view}.${look}`)
})

test('a decision fits the width of a screen', () => {
  const wide = documents
    .filter((name) => name.startsWith('docs/decisions/'))
    .flatMap((name) =>
      read(name)
        .split('\n')
        .map((line, at) => ({ where: `${name}:${at + 1}`, columns: [...line].length })),
    )
    .filter(({ columns }) => columns > DECISION_COLUMNS)
  assert.deepEqual(wide, [])
})

test('a decision fits a page, and names each file that embodies it once', () => {
  const decisions = documents.filter((name) => name.startsWith('docs/decisions/'))
  assert.ok(decisions.length > 20)
  const long = decisions
    .map((name) => ({ name, words: (read(name).split('**Embodied by**')[0] ?? '').split(/\s+/) }))
    .map(({ name, words }) => ({ name, words: words.length }))
    .filter(({ words }) => words > PAGE_OF_WORDS)
  assert.deepEqual(long, [])
  const twice = decisions.flatMap((name) => {
    const files = [...(read(name).split('**Embodied by**')[1] ?? '').matchAll(/`[^`]+`/g)].map(
      ([file]) => file,
    )
    return files.filter((file, at) => files.indexOf(file) !== at).map((file) => ({ name, file }))
  })
  assert.deepEqual(twice, [])
})

/**
 * Returns whether a path is the program's, not one of an installation (`./data`), of the API (`jobs/{id}`) or of a
 * result.
 */
function isOurs(name: string): boolean {
  if (name.includes('/out/')) return false
  const [first = ''] = name.split('/')
  return /\.(ts|tsx|mjs|sql)$/.test(name) || tracked.some((file) => file.startsWith(`${first}/`))
}

/** Returns whether a path exists; a document may leave out folders that its context names. */
function exists(name: string): boolean {
  const bare = name.replace(/\/$/, '')
  return tracked.some((file) => `/${file}/`.includes(`/${bare}/`))
}

function read(name: string): string {
  return fs.readFileSync(path.join(ROOT, name), 'utf8')
}

test('the changelog tells each change once', () => {
  const lines = read('CHANGELOG.md')
    .split('\n')
    .filter((line) => line.startsWith('- '))
    .map((line) => line.slice(0, 80))
  assert.deepEqual(
    lines.filter((line, at) => lines.indexOf(line) !== at),
    [],
  )
})
