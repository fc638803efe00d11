/** The erasure plan names every table: a change that adds a table has to say what becomes of its rows. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ERASURE_PLAN } from '../../src/model/accounts/erasure-plan.ts'
import { testDatabase } from '../support/database.ts'

const { pool } = await testDatabase({ after })

test('every table is named in the plan, once: nobody forgets to say what becomes of it', async () => {
  const { rows } = await pool.query<{ name: string }>(
    `select relname::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
  )
  const { atOnce, ofJobs, ofAccount, afterJobs, withAnother, stripped, kept } = ERASURE_PLAN
  const named = [atOnce, ofJobs, stripped].flat()
  for (const part of [ofAccount, afterJobs, withAnother, kept]) named.push(...Object.keys(part))
  assert.deepEqual(
    named.toSorted(),
    rows.map(({ name }) => name).toSorted(),
    'say in src/model/accounts/erasure-plan.ts what becomes of it when its account is deleted',
  )
})

test('what the database is to delete with another row, it does', async () => {
  const { rows } = await pool.query<{ name: string; with: string }>(`
    select conrelid::regclass::text as name, confrelid::regclass::text as with from pg_constraint
    where contype = 'f' and confdeltype = 'c'`)
  const cascades = rows.map((row) => `${row.name} with ${row.with}`)
  for (const [table, other] of Object.entries(ERASURE_PLAN.withAnother))
    assert.ok(cascades.includes(`${table} with ${other}`), table)
})
