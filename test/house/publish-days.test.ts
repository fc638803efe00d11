/**
 * A video's day is named by `publishDay` alone, and shown by `publishedOn`: whoever makes a date, or a piece of text,
 * of `publishedAt` soon names a day of another zone. Acts of accounts are shown by the reader's zone.
 */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const ROOT = path.resolve(import.meta.dirname, '../..')
const TREES = '{src,web/src,clients/typescript/src,clients/cli/src}/**/*.{ts,tsx}'

/** Files that need the instant, or have no such function, each with why. */
const INSTANTS: Record<string, string> = {
  'clients/typescript/src/earlier.ts': 'compares as the service does; the client stands alone',
  'src/model/files/four-cat.ts': 'the column that 4CAT reads as UTC',
  'src/model/jobs/history.ts': 'how long ago it was',
  'src/model/platform/publish-day.ts': 'the function',
  'src/platform/youtube/list-page.ts': 'orders a list by instants',
}

const MADE =
  /(?:\bDate(?:\.parse)?|\bwhen|\brecently|\brecentWords|\bday|\bnamedDay|\.format)\((?:[\w!?.]+\.)?publishedAt|publishedAt\??\)?\??\.(?:slice|split|substring|replace|match)\b|exec\((?:[\w.]+\.)?publishedAt/

test('no day is made of publishedAt but by the one function', () => {
  const files = globSync(TREES, { cwd: ROOT }).filter((file) => !file.endsWith('.test.ts'))
  assert.ok(files.length > 300)
  const making = files.filter((file) => MADE.test(readFileSync(path.join(ROOT, file), 'utf8')))
  assert.deepEqual(making.toSorted(), Object.keys(INSTANTS).toSorted())
})

test('what makes one is recognised', () => {
  const made = [
    'when(video.publishedAt)',
    'day(publishedAt)',
    'new Date(row.publishedAt)',
    'publishedAt?.slice(0, 10)',
    'Date.parse(publishedAt)',
    "/^a/.exec(publishedAt ?? '')",
  ]
  for (const code of made) assert.match(code, MADE)
  assert.doesNotMatch('publishDay(video.publishedAt)', MADE)
})
