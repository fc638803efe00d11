/** Payments by Stripe: credited once whatever happens to the events, refunds and disputes taken back. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { readEffect, WEBHOOK_EVENTS } from '../../src/model/money/payment-effect.ts'
import { verifyLedger } from '../../src/features/money/verify-ledger.ts'
import { readStatement } from '../../src/features/money/balance.ts'
import { listRefusedEvents, listReportedClaims } from '../../src/store/payments.ts'
import { addCredit } from '../../src/features/money/balance.ts'
import { transact } from '../../src/kit/postgres/database.ts'
import { openShop } from './shop.ts'

const { stripe, database, webhook, customer, checkout, outcomeOf } = await openShop({ after })
const { db } = database

test('who pays at the hosted page comes back and has the credit', async () => {
  const buyer = await customer('0')
  stripe.webhookUrl = webhook
  const { url, checkoutId } = await checkout(buyer, 25n)
  assert.match(await (await fetch(url)).text(), /Pay 25\.00 USD[\s\S]*<button>Pay<\/button>/)
  const paid = await fetch(url, { method: 'POST', redirect: 'manual' })
  stripe.webhookUrl = null
  assert.equal(paid.headers.get('location'), `http://localhost/paid?checkout=${checkoutId}`)
  assert.equal(await buyer.balance(), '25.000')
  const { entries } = await readStatement(db, { accountId: buyer.accountId, offset: 0, limit: 10 })
  assert.deepEqual(
    entries.map((entry) => [entry.kind, entry.reference]),
    [['top_up', `checkout:${checkoutId}`]],
  )
})

test('a payment told twice, ten times at once and by another event is credited once', async () => {
  const buyer = await customer('0')
  const { checkoutId } = await checkout(buyer)
  const event = await stripe.pay(checkoutId)
  const replies = await Promise.all(Array.from({ length: 10 }, () => outcomeOf(event)))
  assert.deepEqual(replies.sort(), ['credited', ...Array.from({ length: 9 }, () => 'repeated')])
  const other = {
    ...event,
    id: `evt_${randomUUID()}`,
    type: 'checkout.session.async_payment_succeeded',
  }
  assert.equal(await outcomeOf(other), 'noted')
  assert.equal(await buyer.balance(), '10.000')
})

test('a checkout that is complete but not paid yet is credited when its payment succeeds', async () => {
  const buyer = await customer('0')
  const { checkoutId } = await checkout(buyer)
  const paid = await stripe.pay(checkoutId)
  const unpaid = {
    ...paid,
    id: `evt_${randomUUID()}`,
    data: { object: { ...paid.data.object, payment_status: 'unpaid' } },
  }
  assert.equal(await outcomeOf(unpaid), 'ignored')
  assert.equal(await buyer.balance(), '0.000')
  assert.equal(
    await outcomeOf({ ...paid, type: 'checkout.session.async_payment_succeeded' }),
    'credited',
  )
  assert.equal(await buyer.balance(), '10.000')
})

test('a refund takes the money back once, a failed one gives it back, whatever the order', async () => {
  const start = Math.floor(Date.now() / 1000)
  const orders = [
    [0, 1, 2, 3],
    [3, 2, 1, 0],
    [1, 0, 3, 2],
    [2, 0, 1, 3, 0, 2],
    [1, 3, 2, 0, 1],
  ]
  for (const order of orders) {
    const buyer = await customer('0')
    const { checkoutId, paymentIntent } = await checkout(buyer)
    const refund = (id: string, cents: number, status: string, created: number) =>
      stripe.tell('refund', { id: `${id}_${paymentIntent}`, paymentIntent, cents, status, created })
    const events = [
      await stripe.pay(checkoutId),
      await refund('re_1', 300, 'succeeded', start),
      await refund('re_2', 200, 'pending', start + 1),
      await refund('re_2', 200, 'failed', start + 2),
    ]
    for (const index of order) await outcomeOf(events[index]!)
    assert.equal(await buyer.balance(), '7.000', `order ${order.join()}`)
  }
})

test('a dispute takes what is there, stops at zero, is shown to the operator, and returns when won', async () => {
  const buyer = await customer('0')
  const { checkoutId, paymentIntent } = await checkout(buyer)
  await outcomeOf(await stripe.pay(checkoutId))
  await buyer.startsJob({ urls: ['dQw4w9WgXcQ'], maxVideos: 500 }) // reserves 4.000; no worker runs here
  const tell = (status: string, created: number) =>
    stripe.tell('dispute', {
      id: `dp_${paymentIntent}`,
      paymentIntent,
      cents: 1_000,
      status,
      created,
    })
  const now = Math.floor(Date.now() / 1000)

  assert.equal(await outcomeOf(await tell('warning_needs_response', now)), 'noted')
  assert.equal(await buyer.balance(), '6.000')
  assert.equal(await outcomeOf(await tell('needs_response', now + 1)), 'adjusted')
  assert.equal(await buyer.balance(), '0.000')
  const [claim] = (await listReportedClaims(db, 10)).filter(
    (one) => one.paymentId === paymentIntent,
  )
  assert.deepEqual(
    [claim?.claimedMicros, claim?.takenMicros, claim?.accountId],
    [10_000_000n, 6_000_000n, buyer.accountId],
  )

  assert.equal(await outcomeOf(await tell('won', now + 2)), 'adjusted')
  assert.equal(await buyer.balance(), '6.000')
  assert.equal(await outcomeOf(await tell('under_review', now + 1)), 'noted', 'an older event')
  assert.equal(await buyer.balance(), '6.000')
})

test('a claim told again with the same amount moves nothing, also where credit came that it could take', async () => {
  const buyer = await customer('0')
  const { checkoutId, paymentIntent } = await checkout(buyer)
  await outcomeOf(await stripe.pay(checkoutId))
  await buyer.startsJob({ urls: ['dQw4w9WgXcQ'], maxVideos: 500 }) // reserves 4.000; no worker runs here
  const dispute = { id: `dp_${paymentIntent}`, paymentIntent, cents: 1_000, status: 'lost' }
  const created = Math.floor(Date.now() / 1000)
  const tell = async () => outcomeOf(await stripe.tell('dispute', { ...dispute, created }))
  assert.equal(await tell(), 'adjusted')
  const { accountId } = buyer
  const credit = {
    accountId,
    micros: 3_000_000n,
    reference: `credit:${paymentIntent}`,
    reason: null,
  }
  await transact(db, (tx) => addCredit(tx, credit))
  assert.equal(await tell(), 'noted')
  assert.equal(await buyer.balance(), '3.000')
})

const STATUSES: [type: string, takes: string[], takesNot: string[]][] = [
  [
    'charge.dispute.updated',
    ['needs_response', 'under_review', 'lost', 'a_status_of_tomorrow'],
    ['won', 'prevented', 'warning_needs_response', 'warning_under_review', 'warning_closed'],
  ],
  ['refund.updated', ['pending', 'requires_action', 'succeeded'], ['failed', 'canceled']],
]

test('each status of a dispute and of a refund takes all that is claimed, or nothing', () => {
  for (const [type, takes, takesNot] of STATUSES)
    for (const status of [...takes, ...takesNot]) {
      const object = { id: 'x_1', payment_intent: 'pi_1', amount: 5, currency: 'usd', status }
      const effect = readEffect({ type, created: 1, data: { object } } as never)
      const micros = effect.kind === 'claimed' ? effect.micros : null
      assert.equal(micros, takes.includes(status) ? 50_000n : 0n, `${type} ${status}`)
    }
})

test('refund and dispute of one payment together take no more than it credited', async () => {
  const buyer = await customer('5')
  const { checkoutId, paymentIntent } = await checkout(buyer)
  await outcomeOf(await stripe.pay(checkoutId))
  await outcomeOf(
    await stripe.tell('refund', {
      id: `re_${paymentIntent}`,
      paymentIntent,
      cents: 700,
      status: 'succeeded',
    }),
  )
  await outcomeOf(
    await stripe.tell('dispute', {
      id: `dp_${paymentIntent}`,
      paymentIntent,
      cents: 1_000,
      status: 'lost',
    }),
  )
  assert.equal(await buyer.balance(), '5.000')
})

test('money that cannot be placed is refused and shown, foreign events are ignored', async () => {
  const buyer = await customer('0')
  const { checkoutId } = await checkout(buyer)
  const paid = await stripe.pay(checkoutId)
  const object = paid.data.object
  const variant = (change: object) => ({
    ...paid,
    id: `evt_${randomUUID()}`,
    data: { object: { ...object, ...change } },
  })
  assert.equal(await outcomeOf(variant({ metadata: {} })), 'ignored')
  assert.equal(await outcomeOf(variant({ currency: 'eur' })), 'refused')
  assert.equal(await outcomeOf(variant({ amount_total: null })), 'refused')
  assert.equal(
    await outcomeOf(variant({ metadata: { scriptorium_account: 'acc_nobody' } })),
    'refused',
  )
  assert.equal(
    await outcomeOf({ ...paid, id: `evt_${randomUUID()}`, type: 'customer.created' }),
    'ignored',
  )
  assert.equal((await listRefusedEvents(db, 10)).length, 3)
  assert.equal(await buyer.balance(), '0.000')
  assert.equal(await outcomeOf(paid), 'credited')
})

test('a payment service that fails for a moment is asked again, one that is away is a 503', async () => {
  const buyer = await customer('0')
  stripe.failNext(1, 500)
  assert.match((await checkout(buyer)).url, /^http/)
  stripe.failNext(9, 503)
  await assert.rejects(checkout(buyer), { code: 'server_busy', status: 503 })
  stripe.failNext(0, 500)
  await assert.rejects(checkout(buyer, 11n), { code: 'invalid_request' })
})

test('every event we ask Stripe for is one we understand', () => {
  const object = {
    id: 'x_1',
    metadata: { scriptorium_account: 'acc_1' },
    payment_status: 'paid',
    payment_intent: 'pi_1',
    amount_total: 5,
    amount: 5,
    currency: 'usd',
    status: 'lost',
  }
  for (const type of WEBHOOK_EVENTS) {
    const effect = readEffect({ type, created: 1, data: { object } } as never)
    assert.match(effect.kind, /^(paid|claimed)$/, type)
  }
})

test('after all of it the ledger verifies', async () => {
  const { differences, listed } = await verifyLedger(db)
  assert.deepEqual([differences, listed], [0, []])
})
