/** What is given once is not given again to who deletes an account, spells its address otherwise, or changes it. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { after, test } from 'node:test'
import { accountOfUser, createAccountWithKey } from '../../src/features/accounts/account.ts'
import {
  confirmAddressChange,
  startAddressChange,
} from '../../src/features/accounts/address-change.ts'
import { deleteAccount, eraseDeletedAccounts } from '../../src/features/accounts/delete-account.ts'
import { sweepRemembered } from '../../src/features/accounts/given-once.ts'
import { backup, restore } from '../../src/features/backup/backup.ts'
import { readBalance } from '../../src/features/money/balance.ts'
import { giveCredit } from '../../src/features/operator/acts.ts'
import { transact } from '../../src/kit/postgres/database.ts'
import { findBeneficiary } from '../../src/store/accounts.ts'
import { lockForStart } from '../../src/store/admission.ts'
import { addFreeCalls, readFreeCalls, takeFreeCalls } from '../../src/store/free-calls.ts'
import { testDatabase, type TestDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/embedded-process.ts'

const CREDIT = 500_000n
const home = await testDatabase({ after })
const { db, pool } = home

type Owner = { userId: string; accountId: string; credit: bigint }

/** Opens the account of a user with this address, as a visit after a sign-up or a provider's sign-in does. */
async function opens(email: string, at: TestDatabase = home): Promise<Owner> {
  const userId = randomUUID()
  await at.pool.query(
    `insert into sign_in_user (id, name, email, email_verified, created_at, updated_at)
    values ($1, 'name', $2, true, now(), now())`,
    [userId, email],
  )
  const accountId = await accountOfUser(at.db, { userId, welcomeMicros: CREDIT })
  assert.ok(accountId !== null)
  const { availableMicros: credit } = await readBalance(at.db, accountId)
  return { userId, accountId, credit }
}

async function leaves({ accountId }: Pick<Owner, 'accountId'>): Promise<void> {
  const word = { actor: 'tester', reason: 'a test', leftMoney: 'given-up' } as const
  assert.equal((await deleteAccount(db, { accountId, ...word })).kind, 'deleted')
}

/** Gives the account another address, proven at both ends. */
async function moves({ userId }: Owner, [oldEmail, newEmail]: [string, string]): Promise<void> {
  const { confirmToken: token } = await startAddressChange(db, { userId, oldEmail, newEmail })
  assert.equal((await confirmAddressChange(db, { token, userId })).kind, 'confirmed')
}

test('the welcome credit is given once to a mailbox, deleted accounts included', async () => {
  const first = await opens('anna.berg@gmail.com')
  assert.equal(first.credit, CREDIT)
  assert.equal((await opens('annaberg+live@gmail.com')).credit, 0n)
  await leaves(first)
  assert.equal((await opens('anna.berg@gmail.com')).credit, 0n)
  assert.equal((await opens('a.nnaberg@googlemail.com')).credit, 0n)
  assert.equal((await opens('anna.berg@example.org')).credit, CREDIT)
})

test('of two sign-ups at once with tags of one address, one gets the credit', async () => {
  for (let turn = 0; turn < 5; turn += 1) {
    const tags = ['', '+a', '+b', '+c']
    const all = await Promise.all(tags.map((tag) => opens(`race${turn}${tag}@example.org`)))
    assert.equal(
      all.reduce((sum, { credit }) => sum + credit, 0n),
      CREDIT,
    )
  }
})

test('the free calls of the day go on where a deleted account was, and are shared by tags of one address', async () => {
  const allowance = 10
  const first = await opens('lists@example.org')
  assert.equal(await takeFreeCalls(db, { accountId: first.accountId, calls: 6, allowance }), true)
  await addFreeCalls(db, first.accountId, { listing: 0, refused: 3 })
  await leaves(first)
  await addFreeCalls(db, first.accountId, { listing: 1, refused: 1 }) // a worker that learns of it too late

  const { accountId } = await opens('lists@example.org')
  const tagged = await opens('lists+again@example.org')
  assert.deepEqual(await readFreeCalls(db, accountId), { listing: 6, refused: 3, jobs: 0 })
  assert.equal(await takeFreeCalls(db, { accountId, calls: 3, allowance }), true)
  const more = { accountId: tagged.accountId, calls: 2, allowance }
  assert.equal(await takeFreeCalls(db, more), false)
  assert.equal(await takeFreeCalls(db, { ...more, allowance: 100 }), true) // it brought more money
  const { today } = await transact(db, (tx) => lockForStart(tx, { accountId, urlSetHash: 'set' }))
  assert.deepEqual([today.listing, today.refused], [11, 3])
  const other = await opens('others@example.org')
  assert.deepEqual(await readFreeCalls(db, other.accountId), { listing: 0, refused: 0, jobs: 0 })
})

test('a change of address to a fresh one and back gains nothing, and all addresses are remembered', async () => {
  const [before, between, fresh] = [
    'before@example.org',
    'between@example.org',
    'fresh@example.org',
  ]
  const one = await opens(before)
  await addFreeCalls(db, one.accountId, { listing: 4, refused: 0 })
  await moves(one, [before, between])
  assert.equal((await opens('between+beside@example.org')).credit, 0n)
  await moves(one, [between, fresh])
  assert.equal((await readFreeCalls(db, one.accountId)).listing, 4)
  assert.equal((await opens('before+beside@example.org')).credit, 0n)
  await leaves(one)
  for (const email of [before, between, fresh]) {
    const again = await opens(email)
    assert.deepEqual([again.credit, (await readFreeCalls(db, again.accountId)).listing], [0n, 4])
  }
})

test("an operator's credits are never limited, and their accounts are remembered, too", async () => {
  const micros = 7n
  const email = 'granted@example.org'
  const made = await createAccountWithKey(db, { email, micros })
  await addFreeCalls(db, made.accountId, { listing: 2, refused: 0 })
  await leaves(made)
  const again = await createAccountWithKey(db, { email, micros })
  assert.equal((await readBalance(db, again.accountId)).availableMicros, micros)
  assert.equal((await readFreeCalls(db, again.accountId)).listing, 2)
  const { accountId, credit } = await opens('granted+own@example.org')
  assert.equal(credit, CREDIT) // nobody welcomed them before
  const gift = { accountId, micros, actor: 'operator', reason: 'a gift' }
  assert.notEqual(await giveCredit(db, gift), null)
  assert.equal((await readBalance(db, accountId)).availableMicros, CREDIT + micros)
})

test('accounts of earlier releases are remembered with what they were given', async () => {
  const [swept, deleted] = [await opens('swept@example.org'), await opens('early@example.org')]
  const ids = [swept.accountId, deleted.accountId]
  await pool.query(
    `delete from given_once where beneficiary in (select beneficiary from account where id = any($1))`,
    [ids],
  )
  await pool.query('update account set beneficiary = null where id = any($1)', [ids])
  await leaves(deleted)
  assert.deepEqual(await sweepRemembered(db), { remembered: 1, forgotten: 0 })
  assert.deepEqual(await sweepRemembered(db), { remembered: 0, forgotten: 0 })
  for (const email of ['swept+x@example.org', 'early@example.org'])
    assert.equal((await opens(email)).credit, 0n, email)
})

test('an account that the release before deleted leads to no beneficiary, once it is erased', async () => {
  const { accountId } = await opens('rolling@example.org')
  await pool.query(
    `update account set deleted_at = now(), suspended_at = now(), email = id || '@deleted.invalid' where id = $1`,
    [accountId],
  )
  while ((await eraseDeletedAccounts(db, -1)) > 0);
  assert.equal(await findBeneficiary(db, accountId), null)
  assert.equal((await opens('rolling+again@example.org')).credit, 0n)
})

test('what is remembered names nobody, survives a restore, and is forgotten in the end', async () => {
  const [gone, stays] = [await opens('forgets@example.org'), await opens('stays@example.org')]
  await leaves(gone)
  const { rows } = await pool.query('select g::text as row from given_once g')
  assert.ok(rows.every(({ row }) => !/@|acc_|example|forgets/.test(row)))
  const file = path.join(temporaryFolder({ after }), 'once.backup')
  await backup(pool, file)
  const restored = await testDatabase({ after })
  await restore(restored.pool, file)
  assert.equal((await opens('forgets+restored@example.org', restored)).credit, 0n)
  assert.equal((await opens('stays+restored@example.org', restored)).credit, 0n)

  assert.equal((await sweepRemembered(db)).forgotten, 0)
  assert.ok((await sweepRemembered(db, -1)).forgotten > 0)
  assert.equal((await opens('stays+tag@example.org')).credit, 0n, stays.accountId)
  assert.equal((await opens('forgets@example.org')).credit, CREDIT)
})
