/** The growth plan names every table, and what it says of bounds is what the code holds. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ERASURE_PLAN } from '../../src/model/accounts/erasure-plan.ts'
import { type Growth, GROWTH_ELSEWHERE, GROWTH_PLAN } from '../../src/model/accounts/growth-plan.ts'
import { testDatabase } from '../support/database.ts'
import { numberOf } from '../support/number-in-code.ts'

const { pool } = await testDatabase({ after })

test('every table is named in the plan: nobody forgets to say what bounds its growth', async () => {
  const { rows } = await pool.query<{ name: string }>(
    `select relname::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
  )
  assert.deepEqual(
    Object.keys(GROWTH_PLAN).toSorted(),
    rows.map(({ name }) => name).toSorted(),
    'say in src/model/accounts/growth-plan.ts what bounds how many rows an account can cause',
  )
})

test('what is erased with an account is bounded: by a number of its own, or by the rows of a table that is', () => {
  const { atOnce, ofJobs, ofAccount, afterJobs, withAnother, stripped } = ERASURE_PLAN
  const named = [atOnce, ofJobs, stripped].flat()
  for (const part of [ofAccount, afterJobs, withAnother]) named.push(...Object.keys(part))
  for (const table of named.filter((one) => one !== 'operator')) {
    const seen = new Set<string>()
    let at = table
    for (let growth = growthOf(at); growth.of !== undefined; growth = growthOf(at)) {
      assert.ok(!seen.has(at), `${table} is bounded by itself`)
      seen.add(at)
      at = growth.of
    }
    assert.notEqual(growthOf(at).per, 'none', table)
  }
})

test('each number is the one that the code holds', () => {
  for (const [name, { held = {} }] of Object.entries({ ...GROWTH_PLAN, ...GROWTH_ELSEWHERE }))
    for (const [file, numbers] of Object.entries(held))
      for (const [constant, number] of Object.entries(numbers))
        assert.equal(numberOf(file, constant), number, `${name}: ${constant} in ${file}`)
})

function growthOf(table: string): Growth {
  const growth = GROWTH_PLAN[table]
  assert.ok(growth !== undefined, table)
  return growth
}
