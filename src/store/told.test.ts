/** Remembering in DATA_DIR what was told, by several processes, whatever becomes of the file. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import { pino } from 'pino'
import { LIMITS } from '../config/config.ts'
import { openTold, type ToldEntry } from './told.ts'

/** Longer than any disk takes that does not hang. */
const PATIENCE_MS = 60_000
const first = { systemId: '7', timeline: 1 }
const second = { systemId: '7', timeline: 2 }

function entry(number: number): ToldEntry {
  return {
    accountId: 'acc',
    number: String(number),
    hash: String(number).padStart(64, '0'),
    reference: `grant:${number}`,
    books: '1',
  }
}

function folderOf(t: TestContext) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'told-'))
  t.after(() => fs.rmSync(folder, { recursive: true, force: true }))
  const warnings: string[] = []
  const log = pino({}, { write: (line) => void warnings.push(line) })
  return { folder, warnings, open: () => openTold({ folder, name: 'a/b', log }) }
}

test('a later process remembers what each of two processes told, and what it told itself is of its own timeline', async (t) => {
  const { open } = folderOf(t)
  const [one, two] = [open(), open()]
  one.raise(first)
  two.raise(first)
  one.note([entry(1)])
  two.note([entry(2)])
  one.confirm({ position: '0/FF', timeline: 1 })
  two.confirm({ position: '1/0', timeline: 1 })
  await Promise.all([one.close(PATIENCE_MS), two.close(PATIENCE_MS)])
  const later = open()
  assert.deepEqual(later.known(), first)
  assert.deepEqual(later.before(first), { entries: [], position: null })
  later.raise(second)
  later.note([entry(3)])
  const { entries, position } = later.before(second)
  const numbers = entries.map(({ number }) => number).toSorted() // which process writes first is chance
  assert.deepEqual(numbers, ['1', '2'])
  assert.equal(position, '1/0')
  await later.close(PATIENCE_MS)
  assert.deepEqual(open().known(), second)
})

test('the position told before a failover stays to be compared, though the new server confirms one first', async (t) => {
  const { open } = folderOf(t)
  const told = open()
  told.raise(first)
  told.confirm({ position: '0/FF', timeline: 1 })
  told.raise(second)
  told.confirm({ position: '0/A0', timeline: 2 })
  assert.equal(told.before(second).position, '0/FF')
  await told.close(PATIENCE_MS)
  assert.equal(open().before(second).position, '0/FF')
  assert.equal(open().before({ ...first, timeline: 3 }).position, '0/A0')
})

test('a torn line costs itself alone', async (t) => {
  const { folder, open } = folderOf(t)
  const told = open()
  told.raise(first)
  told.note([entry(1)])
  await told.close(PATIENCE_MS)
  const [name = ''] = fs.readdirSync(folder)
  const file = path.join(folder, name)
  told.note([entry(2)])
  await told.close(PATIENCE_MS)
  fs.truncateSync(file, fs.statSync(file).size - 9)
  told.note([entry(3)])
  await told.close(PATIENCE_MS)
  const numbers = open()
    .before(second)
    .entries.map(({ number }) => number)
  assert.deepEqual(numbers, ['1', '3'])
})

test('another system replaces the known one only where a person accepts it', async (t) => {
  const { open } = folderOf(t)
  const told = open()
  told.raise(second)
  const other = { systemId: '8', timeline: 1 }
  told.raise(other)
  await told.close(PATIENCE_MS)
  assert.deepEqual(open().known(), second)
  told.accept(other)
  await told.close(PATIENCE_MS)
  assert.deepEqual(open().known(), other)
})

test('memory and files are bounded; the latest and the known timeline stay', async (t) => {
  const { folder, open } = folderOf(t)
  const told = open()
  told.raise(first)
  const many = LIMITS.toldEntries + 1
  for (let n = 1; n <= 80_000; n += 1_000) {
    told.note(Array.from({ length: 1_000 }, (_, at) => entry(n + at)))
    await told.close(PATIENCE_MS)
  }
  const { entries } = told.before(second)
  assert.equal(entries.length, many - 1)
  assert.equal(entries.at(-1)?.number, '80000')
  assert.equal(open().before(second).entries.at(-1)?.number, '80000')
  assert.deepEqual(open().known(), first)
  const sizes = fs.readdirSync(folder).map((name) => fs.statSync(path.join(folder, name)).size)
  assert.ok(sizes.length === 2 && Math.max(...sizes) < 2 * LIMITS.toldFileBytes, String(sizes))
})

test('a folder that cannot be written is one warning, and the process remembers', async (t) => {
  const { folder, warnings, open } = folderOf(t)
  fs.rmdirSync(folder)
  fs.writeFileSync(folder, '')
  const told = open()
  told.raise(first)
  told.note([entry(1)])
  await told.close(PATIENCE_MS)
  told.note([entry(2)])
  await told.close(PATIENCE_MS)
  assert.equal(told.before(second).entries.length, 2)
  assert.equal(warnings.length, 1)
})

test('a disk that hangs holds up nobody', async (t) => {
  const { folder, open } = folderOf(t)
  const told = open()
  const file = path.join(folder, 'told-a%2Fb.log')
  execFileSync('mkfifo', [file])
  told.raise(first)
  told.note([entry(1)])
  await told.close()
  assert.equal(told.before(second).entries.length, 1)
  // Lets it write, and so end: opened for both, it stays open between two writes.
  const reader = await fs.promises.open(file, 'r+')
  await told.close(PATIENCE_MS)
  await reader.close()
})
