/** The types of the tables are the migrations': tsc accepts for a column what PostgreSQL does. */
import assert from 'node:assert/strict'
import fs from 'node:fs/promises'
import { test } from 'node:test'
import { describeTables, TABLES_FILE, TYPESCRIPT_TYPES } from '../../scripts/tables.ts'
import { testDatabase } from '../support/database.ts'

test('the committed types of all tables are those of a database that was just migrated', async (t) => {
  const { pool } = await testDatabase(t)
  assert.equal(
    await describeTables(pool),
    await fs.readFile(TABLES_FILE, 'utf8'),
    'run `npm run tables` after a new migration',
  )
})

test('a column that a migration adds, renames or lets be null changes the types', async (t) => {
  const { pool } = await testDatabase(t)
  const before = await describeTables(pool)
  for (const change of [
    'alter table publish_date add column note text',
    'alter table publish_date rename column asked_at to told_at',
    'alter table publish_date alter column published_at drop not null',
  ]) {
    await pool.query(change)
    assert.notEqual(await describeTables(pool), before, change)
  }
  await pool.query('alter table publish_date add column place point')
  await assert.rejects(describeTables(pool), /publish_date\.place: point/)
})

test('the pool parses each type to what the tables say', async (t) => {
  const { pool } = await testDatabase(t)
  const samples: Record<string, string> = {
    text: 'a',
    uuid: '00000000-0000-0000-0000-000000000000',
    bool: 'true',
    int4: '1',
    float8: '1.5',
    int8: '1',
    numeric: '1.5',
    bytea: '\\x00',
    timestamptz: '2026-01-01',
    date: '2026-01-01',
    jsonb: '{}',
    _float8: '{1.5}',
    _text: '{a}',
    _timestamptz: '{2026-01-01}',
  }
  for (const [type, name] of Object.entries(TYPESCRIPT_TYPES)) {
    const { rows } = await pool.query<{ it: unknown }>(`select $1::${type} as it`, [samples[type]])
    assert.equal(nameOf(rows[0]?.it), name, type)
  }
})

function nameOf(value: unknown): string {
  if (Array.isArray(value)) return `${nameOf(value[0])}[]`
  if (value instanceof Date) return 'Date'
  if (Buffer.isBuffer(value)) return 'Buffer'
  return typeof value === 'object' ? 'Json' : typeof value
}
