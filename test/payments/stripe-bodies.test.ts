/** Bodies that the payment webhook refuses: Stripe did not sign them, or they are no event. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Stripe } from 'stripe'
import { STAND_IN_WEBHOOK_SECRET } from '../support/stripe-stand-in.ts'
import { openShop } from './shop.ts'

const { stripe, webhook, customer, checkout, outcomeOf } = await openShop({ after })

test('an event is refused unless Stripe signed these very bytes not long ago', async () => {
  const buyer = await customer('0')
  const event = await stripe.pay((await checkout(buyer)).checkoutId)
  const payload = JSON.stringify(event)
  const { webhooks } = new Stripe('sk_test_x')
  const sign = (given: { payload: string; secret: string; timestamp?: number }) =>
    webhooks.generateTestHeaderString(given)
  const now = Math.floor(Date.now() / 1000)
  const secret = STAND_IN_WEBHOOK_SECRET
  const cases: [name: string, headers: Record<string, string>, body?: string][] = [
    ['no signature', {}],
    ['another secret', { 'Stripe-Signature': sign({ payload, secret: 'whsec_other' }) }],
    [
      'another body',
      { 'Stripe-Signature': sign({ payload: payload.replace('1000', '9000'), secret }) },
    ],
    [
      'the same JSON in other bytes',
      { 'Stripe-Signature': sign({ payload: JSON.stringify(event, null, 1), secret }) },
    ],
    [
      'a byte order mark before it',
      { 'Stripe-Signature': sign({ payload, secret }) },
      `\ufeff${payload}`,
    ],
    ['an hour old', { 'Stripe-Signature': sign({ payload, secret, timestamp: now - 3_600 }) }],
    ['nonsense', { 'Stripe-Signature': 't=1,v1=zz' }],
  ]
  for (const [name, headers, body = payload] of cases) {
    const reply = await fetch(webhook, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body,
    })
    assert.equal(reply.status, 400, name)
    assert.equal(
      ((await reply.json()) as { error: { code: string } }).error.code,
      'invalid_request',
    )
  }
  assert.equal(await buyer.balance(), '0.000')

  const spaced = JSON.stringify(event, null, 1) // the signature is over the bytes, not over the JSON they spell
  const headers = {
    'Content-Type': 'application/json',
    'Stripe-Signature': sign({ payload: spaced, secret }),
  }
  assert.equal((await fetch(webhook, { method: 'POST', headers, body: spaced })).status, 200)
  assert.equal(await buyer.balance(), '10.000')
})

test('a well signed body that is no event, or not of the shape we know, is a 400', async () => {
  const { webhooks } = new Stripe('sk_test_x')
  const event = (change: object): string =>
    JSON.stringify({
      id: 'evt_odd',
      type: 'checkout.session.completed',
      created: 1,
      data: { object: { id: 'cs_1', payment_status: 'paid' } },
      ...change,
    })
  const object = (change: object): string =>
    event({
      data: {
        object: {
          id: 'cs_1',
          payment_status: 'paid',
          metadata: { scriptorium_account: 'acc_1' },
          ...change,
        },
      },
    })
  const bodies = [
    '',
    '{',
    'null',
    '[]',
    '1',
    '"evt"',
    '{}',
    '[[[[',
    '{"id":"evt_1"}',
    `${event({})}}`,
    '\u0000',
    Buffer.from([0xff, 0xfe]).toString('latin1'),
    event({ id: 5 }),
    event({ id: '' }),
    event({ id: 'evt_\0' }),
    event({ id: 'evt_\ud800' }),
    event({ type: null }),
    event({ type: 'x\0' }),
    event({ created: 'now' }),
    event({ created: 1e300 }),
    event({ created: -1 }),
    event({ created: null }),
    event({ data: null }),
    event({ data: [] }),
    event({ data: {} }),
    event({ data: { object: null } }),
    event({ data: { object: 'cs_1' } }),
    object({ id: null }),
    object({ metadata: 'acc' }),
    object({ metadata: { scriptorium_account: 7 } }),
    object({ metadata: { scriptorium_account: 'acc\0' } }),
    object({ payment_intent: 5 }),
    object({ payment_intent: {} }),
    object({ amount_total: '5' }),
    object({ currency: 5 }),
    object({ payment_status: 5 }),
    event({
      type: 'refund.updated',
      data: {
        object: {
          id: 're_1',
          payment_intent: 'pi_1',
          amount: null,
          currency: 'usd',
          status: 'failed',
        },
      },
    }),
    event({ type: 'charge.dispute.closed', data: { object: {} } }),
  ]
  for (const payload of bodies) {
    const headers = {
      'Content-Type': 'application/json',
      'Stripe-Signature': webhooks.generateTestHeaderString({
        payload,
        secret: STAND_IN_WEBHOOK_SECRET,
      }),
    }
    const reply = await fetch(webhook, { method: 'POST', headers, body: payload })
    const { error } = (await reply.json()) as { error?: { code: string } }
    assert.deepEqual([reply.status, error?.code], [400, 'invalid_request'], payload)
  }
  const huge = object({
    amount_total: Number.MAX_SAFE_INTEGER,
    currency: 'usd',
    payment_intent: 'pi_huge',
  })
  assert.equal(await outcomeOf({ ...JSON.parse(huge), id: 'evt_huge' }), 'refused')
})
