/** Money that came to an account in the moment of its deletion: it is found, and can be taken. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { deleteAccount } from '../../src/features/accounts/delete-account.ts'
import { transact } from '../../src/kit/postgres/database.ts'
import { topUp } from '../../src/model/money/ledger.ts'
import { appendEntries, lockBalance } from '../../src/store/ledger.ts'
import { testDatabase } from '../support/database.ts'
import { openAccount } from '../support/money-fixtures.ts'
import { adminOn } from './admin-command.ts'

const { db, url } = await testDatabase({ after })
const { value, refusal, admin } = adminOn(url)

test('money that a deleted account owns is named by ledger verify, and taken by deleting once more', async () => {
  const accountId = await openAccount(db, 2_000_000n)
  const word = { actor: 'tester', reason: 'a test' }
  await deleteAccount(db, { accountId, ...word, leftMoney: 'given-up' })
  // A release before this one credited what was paid in the moment of the deletion.
  await transact(db, async (tx) => {
    const balance = await lockBalance(tx, accountId)
    const posting = { reference: 'checkout:cs_of_that_moment', jobId: null, reason: null }
    await appendEntries(tx, balance, [{ entry: topUp(5_000_000n), posting }])
  })
  const found = await admin('ledger', 'verify')
  assert.equal(found.code, 1)
  assert.match(
    found.out,
    new RegExp(`${accountId}: balance: the account is deleted and owns 5000000`),
  )

  const order = ['account', 'delete', accountId, '--reason', 'late money'] as const
  assert.match(await refusal(...order), /owns \$5\.00 and nothing was done/)
  assert.equal((await value(...order, '--balance', 'paid-back'))['leftUsd'], '5.000')
  assert.equal((await value('ledger', 'verify'))['ok'], true)
})
