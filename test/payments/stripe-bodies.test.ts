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
  const signed = (timestamp: number, more: Partial<{ payload: string; secret: string }> = {}) =>
    sign({ payload, secret, timestamp, ...more })
  const right = signed(now)
  const hash = right.slice(right.indexOf('v1='))
  const [missing, unreadable] = [/is missing/, /no time \(t=\) or no signature/]
  const [forged, late] = [/does not match the body/, /matches the body, but it is older than 5 min/]
  const cases: [name: string, signature: string | null, said: RegExp, body?: string][] = [
    ['no signature', null, missing],
    ['an empty signature', '', missing],
    ['nonsense', 'hello', unreadable],
    ['no time', hash, unreadable],
    ['a time that is no number', `t=now,${hash}`, unreadable],
    ['no scheme that is known', right.replace('v1=', 'v0='), unreadable],
    ['another secret', signed(now, { secret: 'whsec_other' }), forged],
    ['another body', signed(now, { payload: payload.replace('1000', '9000') }), forged],
    [
      'the same JSON in other bytes',
      signed(now, { payload: JSON.stringify(event, null, 1) }),
      forged,
    ],
    ['a byte order mark before it', right, forged, `\ufeff${payload}`],
    ['another time', right.replace(`t=${now}`, `t=${now + 1}`), forged],
    ['an old time and nonsense', 't=1,v1=zz', forged],
    ['old, by another secret', signed(now - 3_600, { secret: 'whsec_other' }), forged],
    ['six minutes old', signed(now - 360), late],
    ['an hour old', signed(now - 3_600), late],
    ['as old as time', signed(1), late],
    ['old, beside a signature of a secret before', `${signed(now - 360)},v1=zz`, late],
    ['old, and no JSON', signed(now - 360, { payload: '{' }), late, '{'],
    ['well signed, and no JSON', signed(now, { payload: '{' }), /is not a Stripe event/, '{'],
    ['an empty body', signed(now), /is not a Stripe event/, ''],
  ]
  for (const [name, signature, said, body = payload] of cases) {
    const reply = await fetch(webhook, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        ...(signature === null ? {} : { 'Stripe-Signature': signature }),
      },
      body,
    })
    assert.equal(reply.status, 400, name)
    assert.ok(reply.headers.has('date'), 'the clock that was read')
    const { error } = (await reply.json()) as { error: { code: string; message: string } }
    assert.equal(error.code, 'invalid_request')
    assert.match(error.message, said, name)
  }
  assert.equal(await buyer.balance(), '0.000')

  const spaced = JSON.stringify(event, null, 1) // the signature is over the bytes, not over the JSON they spell
  const headers = {
    'Content-Type': 'application/json',
    // A second secret is at work while the first one is replaced; a clock that is ahead of ours is no fault.
    'Stripe-Signature': `${signed(now + 3_600, { payload: spaced })},v1=zz`,
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
