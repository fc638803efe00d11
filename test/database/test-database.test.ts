/** The databases of the tests themselves: migrated, empty, separate from each other. */
import assert from 'node:assert/strict'
import test from 'node:test'
import { readMigrations } from '../../src/store/migrate.ts'
import { testDatabase } from '../support/database.ts'
import { until } from '../support/until.ts'

test('every test file has a database of its own with all migrations', async (t) => {
  const [one, other] = await Promise.all([testDatabase(t), testDatabase(t)])

  const { rows } = await one.pool.query(
    `select name from migration where sha256 <> '' union all select name from schema_change order by name`,
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

test('nothing is connected any more to a test database that was dropped', async (t) => {
  const [stays, goes] = [await testDatabase(t), await testDatabase(t)]
  const name = new URL(goes.url).pathname.slice(1)
  await goes.connect()
  await goes.drop()
  await until('its sessions are over', async () => {
    const { rows } = await stays.pool.query('select from pg_stat_activity where datname = $1', [
      name,
    ])
    return rows.length === 0
  })
})
