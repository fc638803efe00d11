/** The databases of the tests themselves: migrated, empty, apart from each other. */
import assert from 'node:assert/strict'
import test from 'node:test'
import { readMigrations } from '../../src/postgres/migrate.ts'
import { testDatabase } from '../support/database.ts'

test('every test file has a database of its own with all migrations', async (t) => {
  const [one, other] = await Promise.all([testDatabase(t), testDatabase(t)])

  const { rows } = await one.pool.query(
    'select name from migration union all select name from schema_change order by name',
  )
  const known = await readMigrations()
  assert.deepEqual(
    rows.map((row) => row.name),
    known.map(({ name }) => name),
  )

  await one.pool.query('create table only_here ()')
  const found = await other.pool.query(`select to_regclass('only_here') as it`)
  assert.equal(found.rows[0].it, null)
})

test('a dropped test database is gone', async (t) => {
  const [stays, goes] = [await testDatabase(t), await testDatabase(t)]
  const name = new URL(goes.url).pathname.slice(1)
  await goes.drop()
  const { rows } = await stays.pool.query('select from pg_database where datname = $1', [name])
  assert.equal(rows.length, 0)
})
