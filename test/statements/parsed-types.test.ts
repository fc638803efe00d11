/** The pool parses each type of PostgreSQL to the type of TypeScript that statements are checked against. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../support/database.ts'
import { TYPESCRIPT_TYPES } from './describe.ts'

const SAMPLES: Record<string, string> = {
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
  json: '{}',
  jsonb: '{}',
  pg_lsn: '0/1',
  _float8: '{1.5}',
  _text: '{a}',
  _timestamptz: '{2026-01-01}',
}

test('the pool parses each type to what statements say of it', async (t) => {
  const { pool } = await testDatabase(t)
  for (const [type, name] of Object.entries(TYPESCRIPT_TYPES)) {
    const { rows } = await pool.query<{ it: unknown }>(`select $1::${type} as it`, [SAMPLES[type]])
    assert.equal(nameOf(rows[0]?.it), name, type)
  }
})

test('each column of the schema has a type that statements know', async (t) => {
  const { pool } = await testDatabase(t)
  const { rows } = await pool.query<{ name: string; type: string }>(
    `select table_name || '.' || column_name as name, udt_name::text as type
    from information_schema.columns where table_schema = 'public'`,
  )
  assert.deepEqual(
    rows.filter(({ type }) => !(type in TYPESCRIPT_TYPES)),
    [],
  )
})

function nameOf(value: unknown): string {
  if (Array.isArray(value)) return `${nameOf(value[0])}[]`
  if (value instanceof Date) return 'Date'
  if (Buffer.isBuffer(value)) return 'Buffer'
  return typeof value === 'object' ? 'unknown' : typeof value
}
