/** What the benchmark of migrations fills, against what the migrations touch. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMigrations } from '../../src/store/migrate.ts'
import { LAST_OF_OLDEST, TOUCHED } from './migrations.ts'

const MADE = /^create (?:unlogged )?table (\w+)/gm
/**
 * Words before the tables that a migration alters, indexes, refers to, changes or reads: each may make it wait for
 * rows.
 */
const MEANT =
  /\b(?:alter table(?: if exists)?(?: only)?|on|references|update|insert into|delete from|from|join) (\w+)/g

test('every table of the oldest release that a later migration touches is filled, read and written meanwhile', async () => {
  const files = await readMigrations()
  const isLater = ({ name }: { name: string }): boolean => name > LAST_OF_OLDEST
  const found = (text: string, form: RegExp): string[] =>
    [...text.replaceAll(/--.*$/gm, '').matchAll(form)].map(([, name = '']) => name)
  const old = new Set(
    files.filter((file) => !isLater(file)).flatMap(({ text }) => found(text, MADE)),
  )
  const touched = new Set(files.filter(isLater).flatMap(({ text }) => found(text, MEANT)))
  const both = [...old].filter((name) => touched.has(name)).sort()
  assert.deepEqual(both, Object.keys(TOUCHED).sort())
})
