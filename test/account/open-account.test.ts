/** Opening the account of a visitor who signed in, and two browsers that do it at the same moment. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { openAccount } from '../../src/features/accounts/account.ts'
import { transact } from '../../src/kit/postgres/database.ts'
import { testDatabase } from '../support/database.ts'

const { db } = await testDatabase({ after })

async function user({ id, isProven }: { id: string; isProven: boolean }): Promise<string> {
  await sql`insert into sign_in_user (id, name, email, email_verified) values (${id}, ${id}, ${`${id}@example.org`}, ${isProven})`.execute(
    db,
  )
  return id
}

async function accounts(): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from account`.execute(db)
  return rows[0]!.n
}

test('an address that is not proven has no user, and nobody unknown gets an account', async () => {
  await assert.rejects(user({ id: 'unproven', isProven: false }), /sign_in_user_is_proven/)
  assert.equal(
    await transact(db, (tx) => openAccount(tx, { userId: 'nobody', welcomeMicros: 0n })),
    null,
  )
  assert.equal(await accounts(), 0)
})

test('two first visits at the same moment open one account with one welcome credit', async () => {
  const userId = await user({ id: 'twice', isProven: true })
  const begun = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<void>()
  const first = transact(db, async (tx) => {
    const id = await openAccount(tx, { userId, welcomeMicros: 500_000n })
    begun.resolve()
    await opened.promise
    return id
  })
  await begun.promise
  const others = Promise.all(
    Array.from({ length: 5 }, () =>
      transact(db, (tx) => openAccount(tx, { userId, welcomeMicros: 500_000n })),
    ),
  )
  // The other transactions wait for the row before the first one commits.
  for (let waiting = 0; waiting < 5;) {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
    `.execute(db)
    waiting = rows[0]!.n
  }
  opened.resolve()
  assert.deepEqual(new Set([await first, ...(await others)]).size, 1)
  assert.equal(await accounts(), 1)
  const { rows } = await sql<{
    posted: bigint
  }>`select posted_micros as posted from balance`.execute(db)
  assert.deepEqual(rows, [{ posted: 500_000n }])
})
