/** What a statement was given is free when it is done: small collections take it, not only that of the whole heap. */
import assert from 'node:assert/strict'
import test from 'node:test'
import v8 from 'node:v8'
import vm from 'node:vm'
import { sql } from 'kysely'
import { prepared } from '../../src/postgres/database.ts'
import { testDatabase } from '../support/database.ts'

const VALUE_BYTES = 100_000
const STATEMENTS = 100

v8.setFlagsFromString('--expose-gc')
const collect = vm.runInNewContext('gc') as (of: { type: 'minor' | 'major' }) => void

test('values of statements that are done are left to small collections', async (t) => {
  const { db } = await testDatabase(t)
  const ask = (): Promise<unknown> =>
    sql`${prepared('kept-values')} select length(${Buffer.allocUnsafeSlow(VALUE_BYTES)}::bytea)`.execute(
      db,
    )
  await ask()
  collect({ type: 'major' })
  const before = process.memoryUsage().arrayBuffers
  for (let at = 0; at < STATEMENTS; at += 1) await ask()
  collect({ type: 'minor' })
  collect({ type: 'minor' })
  // What was collected is freed beside us.
  for (let look = 0; look < 100 && keptSince(before) > STATEMENTS / 4; look += 1)
    await new Promise((resolve) => setImmediate(resolve))
  assert.ok(keptSince(before) <= STATEMENTS / 4, `${keptSince(before)} values are kept`)
})

/** How many values the memory of buffers has grown by. */
function keptSince(before: number): number {
  return Math.round((process.memoryUsage().arrayBuffers - before) / VALUE_BYTES)
}
