/** The usage meter: CPU time is shared out by what was received, and nothing is lost by a failed flush. */
import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { test } from 'node:test'
import { readUsage } from '../../store/account-usage.ts'
import { createAccount } from '../accounts/account.ts'
import { transact } from '../../kit/postgres/database.ts'
import type { Tx } from '../../store/database.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { createUsageMeter } from './usage-meter.ts'

test('what is counted belongs to whoever it is done for, however the work is interleaved', async (t) => {
  const { db } = await testDatabase(t)
  const [one, two] = await Promise.all(
    ['one', 'two'].map((name) =>
      transact(db, (tx) => createAccount(tx, { email: `${name}@example.org` })),
    ),
  )
  let cpu = 0
  const meter = createUsageMeter(() => cpu)
  const work = async (bytes: number): Promise<void> => {
    for (let request = 0; request < 3; request += 1) {
      await setImmediate()
      meter.countRequest(bytes)
    }
    meter.countStored(10)
  }
  await Promise.all([
    meter.onBehalfOf(one!, () => work(4_096)),
    meter.onBehalfOf(two!, () => work(20_480)),
    work(1_000_000),
  ])
  cpu += 8_000_000
  await meter.flush(db)
  assert.deepEqual(await readUsage(db, { accountId: one!, days: 1 }), {
    calls: 3,
    receivedBytes: 12_288,
    cpuMs: 2_000,
    storedBytes: 10,
  })
  assert.deepEqual(await readUsage(db, { accountId: two!, days: 1 }), {
    calls: 3,
    receivedBytes: 61_440,
    cpuMs: 6_000,
    storedBytes: 10,
  })

  cpu += 5_000_000 // nothing was counted for any account
  await meter.flush(db)
  await meter.onBehalfOf(one!, () => work(100))
  cpu += 1_000_000
  await transact(db, async (tx) => {
    await transactionBreaks(tx)
    await assert.rejects(meter.flush(tx))
  }).catch(() => undefined)
  await meter.flush(db)
  assert.deepEqual(await readUsage(db, { accountId: one!, days: 1 }), {
    calls: 6,
    receivedBytes: 12_588,
    cpuMs: 3_000,
    storedBytes: 20,
  })
})

/** Makes every further statement of the transaction fail. */
async function transactionBreaks(tx: Tx): Promise<void> {
  const { sql } = await import('kysely')
  await sql`select 1 / 0`.execute(tx).catch(() => undefined)
}
