/** Races with the deletion of an account: what waited for its lock finds it gone, and gives it nothing. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { accountOfUser } from '../../src/features/accounts/account.ts'
import { deleteAccount } from '../../src/features/accounts/delete-account.ts'
import { issueKey } from '../../src/features/accounts/keys.ts'
import { createSubscription } from '../../src/features/follow/subscriptions.ts'
import { openSecretBox } from '../../src/features/mail/secret-box.ts'
import { takeEvent } from '../../src/features/money/payments.ts'
import { readBalance } from '../../src/features/money/balance.ts'
import { verifyLedger } from '../../src/features/money/verify-ledger.ts'
import { giveCredit } from '../../src/features/operator/acts.ts'
import { createWebhook } from '../../src/features/webhooks/webhooks.ts'
import { transact } from '../../src/kit/postgres/database.ts'
import type { PaymentEffect } from '../../src/model/money/payment-effect.ts'
import { lockAccount } from '../../src/store/accounts.ts'
import type { Tx } from '../../src/store/database.ts'
import { lockBalance } from '../../src/store/ledger.ts'
import { listRefusedEvents } from '../../src/store/payments.ts'
import { testDatabase } from '../support/database.ts'
import { openAccount } from '../support/money-fixtures.ts'
import { until } from '../support/until.ts'

const { db, pool } = await testDatabase({ after })
const WORD = { actor: 'tester', reason: 'a test', leftMoney: 'given-up' } as const
const MICROS = 10_000_000n

/** Returns how many sessions wait for the locks of others. */
async function countWaiting(): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
    where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`,
  )
  return rows[0]?.count ?? 0
}

/**
 * Holds a lock that the deletion needs until the deletion waits for it, and `act` behind the deletion. PostgreSQL gives
 * a row's lock to those who wait in the order in which they came.
 */
async function whileDeleting<T>(
  accountId: string,
  { lock, act }: { lock: (tx: Tx) => Promise<unknown>; act: () => Promise<T> },
): Promise<PromiseSettledResult<T>> {
  const isLocked = Promise.withResolvers<void>()
  const goesOn = Promise.withResolvers<void>()
  const holding = transact(db, async (tx) => {
    await lock(tx)
    isLocked.resolve()
    await goesOn.promise
  })
  await isLocked.promise
  const deleting = deleteAccount(db, { accountId, ...WORD })
  await until('the deletion waits', async () => (await countWaiting()) === 1)
  let hasActed = false
  const acting = Promise.allSettled([act().finally(() => (hasActed = true))])
  await until('both wait', async () => hasActed || (await countWaiting()) === 2)
  goesOn.resolve()
  await holding
  assert.equal((await deleting).kind, 'deleted')
  return (await acting)[0]
}

/** Gives or makes something while the account's balance is locked for its deletion. */
const whileItsMoneyGoes = <T>(accountId: string, act: () => Promise<T>) =>
  whileDeleting(accountId, { lock: (tx) => lockBalance(tx, accountId), act })

/** Makes something while the account's own row is locked for its deletion. */
const whileItGoes = <T>(accountId: string, act: () => Promise<T>) =>
  whileDeleting(accountId, { lock: (tx) => lockAccount(tx, accountId), act })

async function ownsNothing(accountId: string): Promise<void> {
  assert.equal((await readBalance(db, accountId)).availableMicros, 0n)
  assert.deepEqual((await verifyLedger(db)).listed, [])
}

const eventOf = (id: string, effect: PaymentEffect) => ({
  id: `evt_${id}`,
  type: 'of a test',
  createdAt: new Date(0),
  effect,
})

test('a payment that waited for the deletion of its account is refused, kept, and told to the operator', async () => {
  const accountId = await openAccount(db, 5n)
  const paid = { paymentId: 'pi_1', checkoutId: 'cs_1', accountId, micros: MICROS }
  const taken = await whileItsMoneyGoes(accountId, () =>
    takeEvent(db, eventOf('paid', { kind: 'paid', ...paid })),
  )
  assert.ok(taken.status === 'fulfilled')
  assert.deepEqual([taken.value.outcome, taken.value.needsOperator], ['refused', true])
  assert.match(taken.value.note, /payment pi_1 .*not here any more/)
  const [refused] = await listRefusedEvents(db, 10)
  assert.deepEqual([refused?.id, refused?.note], ['evt_paid', taken.value.note])
  await ownsNothing(accountId)
})

test('a dispute that is won while its account is deleted gives nothing back to it, and is refused', async () => {
  const accountId = await openAccount(db, 0n)
  const paid = { paymentId: 'pi_2', checkoutId: 'cs_2', accountId, micros: MICROS }
  await takeEvent(db, eventOf('paid2', { kind: 'paid', ...paid }))
  const dispute = {
    kind: 'claimed',
    paymentId: 'pi_2',
    claimId: 'dp_2',
    claim: 'dispute',
  } as const
  const lost = { ...dispute, status: 'needs_response', micros: MICROS, at: new Date(1) }
  assert.equal((await takeEvent(db, eventOf('lost', lost))).outcome, 'adjusted')
  const won = { ...dispute, status: 'won', micros: 0n, at: new Date(2) }
  const taken = await whileItsMoneyGoes(accountId, () => takeEvent(db, eventOf('won', won)))
  assert.ok(taken.status === 'fulfilled')
  assert.deepEqual([taken.value.outcome, taken.value.needsOperator], ['refused', true])
  assert.match(taken.value.note, /dispute dp_2 .* \$10\.00 .*deleted/)
  await ownsNothing(accountId)
})

test("an operator's credit that waited for the deletion is refused with a sentence that says so", async () => {
  const accountId = await openAccount(db, 5n)
  const grant = { accountId, micros: MICROS, actor: 'operator', reason: 'a gift' }
  const given = await whileItsMoneyGoes(accountId, () => giveCredit(db, grant))
  assert.deepEqual(given, { status: 'fulfilled', value: null })
  const { rows } = await pool.query(
    `select from operator_act where act = 'add_credit' and account_id = $1`,
    [accountId],
  )
  assert.equal(rows.length, 0, 'the log tells of no credit')
  await ownsNothing(accountId)
})

test('keys, webhooks and subscriptions that waited for the deletion are not made', async () => {
  const box = await openSecretBox(db, null)
  const rules = { isPrivateAllowed: false }
  const makes: [table: string, (accountId: string) => Promise<unknown>][] = [
    ['api_key', (accountId) => transact(db, (tx) => issueKey(tx, { accountId, name: 'late' }))],
    [
      'webhook',
      (accountId) =>
        createWebhook(db, { box, rules }, { accountId, url: 'https://a.example/', events: null }),
    ],
    [
      'subscription',
      (accountId) =>
        createSubscription(db, {
          accountId,
          input: { url: '@captionlab', monthlyCap: '5' },
          max: 9,
        }),
    ],
  ]
  for (const [table, make] of makes) {
    const accountId = await openAccount(db, 0n)
    const made = await whileItGoes(accountId, () => make(accountId))
    assert.equal(made.status === 'rejected' && made.reason.code, 'unauthorized', table)
    const { rows } = await pool.query(`select from ${table} where account_id = $1`, [accountId])
    assert.equal(rows.length, 0, table)
  }
})

test('who signs up while the account of their address is deleted gets an account of their own', async () => {
  const accountId = await openAccount(db, 0n)
  const { rows } = await pool.query<{ email: string }>('select email from account where id = $1', [
    accountId,
  ])
  const email = rows[0]?.email ?? ''
  const opened = await whileItGoes(accountId, async () => {
    await pool.query(
      `insert into sign_in_user (id, name, email, email_verified, created_at, updated_at)
      values ('late', 'late', $1, true, now(), now())`,
      [email],
    )
    return accountOfUser(db, { userId: 'late', welcomeMicros: 0n })
  })
  assert.ok(opened.status === 'fulfilled' && opened.value !== null)
  assert.notEqual(opened.value, accountId)
  assert.equal(await accountOfUser(db, { userId: 'late', welcomeMicros: 0n }), opened.value)
})
