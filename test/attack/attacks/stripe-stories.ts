/** Stories of deliveries that are signed but odd, and what the buyer owns after each. */
import { randomBytes } from 'node:crypto'
import type { Customer } from '../../../tools/conformance/customer.ts'
import { STAND_IN_KEY, STAND_IN_WEBHOOK_SECRET } from '../../support/stripe-stand-in.ts'

/**
 * Settings of a service that takes payments. Nothing listens at that origin: no delivery makes the service ask Stripe.
 */
export const OF_PAYMENTS = {
  STRIPE_SECRET_KEY: STAND_IN_KEY,
  STRIPE_WEBHOOK_SECRET: STAND_IN_WEBHOOK_SECRET,
  STRIPE_API_ORIGIN: 'http://127.0.0.1:9',
}

/** Amount of one payment, in cents. */
const CENTS = 1_000

export const nowSeconds = (): number => Math.floor(Date.now() / 1000)

const id = (kind: string): string => `${kind}_${randomBytes(12).toString('hex')}`

export function stripeEvent(type: string, object: object, created = nowSeconds()) {
  return { id: id('evt'), object: 'event', created, type, data: { object } }
}

export function session(change: object = {}) {
  return {
    id: id('cs'),
    object: 'checkout.session',
    mode: 'payment',
    amount_total: CENTS,
    currency: 'usd',
    payment_intent: id('pi'),
    payment_status: 'paid',
    status: 'complete',
    metadata: { scriptorium_account: 'BUYER' },
    ...change,
  }
}

/** `ends` is what the buyer owns afterwards, in cents. */
export type Story = { what: string; events: object[]; ends: number; isAtOnce?: boolean }

export function storiesOf(other: Customer, third: Customer): Story[] {
  const paid = (change: object = {}, type = 'checkout.session.completed') =>
    stripeEvent(type, session(change))
  const once = (what: string, change: object, ends = 0): Story => ({
    what,
    events: [paid(change)],
    ends,
  })
  const claim = (kind: 'refund' | 'dispute', about: object, created?: number) =>
    stripeEvent(
      kind === 'refund' ? 'refund.updated' : 'charge.dispute.updated',
      { id: id(kind), object: kind, amount: CENTS, currency: 'usd', status: 'succeeded', ...about },
      created,
    )
  const first = paid()
  const intent = id('pi')
  const swapped = { ...first, data: { object: { ...first.data.object, amount_total: 90 * CENTS } } }
  const pending = session()
  const refund = { id: id('re'), payment_intent: intent }
  return [
    {
      what: 'a replay, twenty at once',
      events: Array.from({ length: 20 }, () => first),
      ends: CENTS,
      isAtOnce: true,
    },
    { what: 'its id with another body', events: [swapped], ends: 0 }, // the story before has used the id
    {
      what: 'one payment told by ten events at once',
      events: Array.from({ length: 10 }, () => paid({ payment_intent: intent })),
      ends: CENTS,
      isAtOnce: true,
    },
    {
      what: 'a payment of another account once more',
      events: [paid({ payment_intent: intent })],
      ends: 0,
    },
    ...[-CENTS, 0, 0.5, 1e20, '1000', null, true, [CENTS]].map((amount_total) =>
      once(`an amount of ${JSON.stringify(amount_total)}`, { amount_total }),
    ),
    ...['eur', 'USD', 'jpy', '', null].map((currency) =>
      once(`the currency ${currency}`, { currency }),
    ),
    ...['unpaid', 'no_payment_required', null].map((payment_status) =>
      once(`the payment status ${payment_status}`, { payment_status }),
    ),
    once('no payment', { payment_intent: null }),
    once('no metadata', { metadata: null }),
    once('an account that is not here', { metadata: { scriptorium_account: 'acc_0' } }),
    once('another account', { metadata: { scriptorium_account: other.accountId } }),
    once('an account in another spelling', {
      metadata: { scriptorium_account: third.accountId.toUpperCase() },
    }),
    {
      what: 'a failure, then a success',
      events: [
        paid({ ...pending, payment_status: 'unpaid' }),
        paid(pending, 'checkout.session.async_payment_failed'),
        paid(pending, 'checkout.session.async_payment_succeeded'),
      ],
      ends: CENTS,
    },
    {
      what: 'a success told by both events',
      events: [paid(pending), paid(pending, 'checkout.session.async_payment_succeeded')],
      ends: 0,
    }, // the story before was credited
    {
      what: 'an end without payment',
      events: [
        paid({}, 'checkout.session.expired'),
        paid({}, 'payment_intent.succeeded'),
        paid({}, 'charge.succeeded'),
      ],
      ends: 0,
    },
    {
      what: 'a refund of a payment that never was',
      events: [claim('refund', { payment_intent: id('pi') })],
      ends: 0,
    },
    {
      what: 'a negative refund',
      events: [
        paid({ payment_intent: 'pi_negative' }),
        claim('refund', { payment_intent: 'pi_negative', amount: -CENTS }),
      ],
      ends: CENTS,
    },
    {
      what: 'a refund of more than was paid',
      events: [
        paid({ payment_intent: 'pi_more' }),
        claim('refund', { payment_intent: 'pi_more', amount: 50 * CENTS }),
      ],
      ends: 0,
    },
    {
      what: 'a refund in other money',
      events: [
        paid({ payment_intent: 'pi_eur' }),
        claim('refund', { payment_intent: 'pi_eur', currency: 'eur' }),
      ],
      ends: CENTS,
    },
    {
      what: 'a refund before its payment',
      events: [
        claim('refund', { payment_intent: 'pi_early', amount: 400 }),
        paid({ payment_intent: 'pi_early' }),
      ],
      ends: CENTS - 400,
    },
    {
      what: 'a failed refund told ten times',
      events: [
        paid({ payment_intent: 'pi_failed' }),
        ...Array.from({ length: 10 }, () =>
          claim('refund', { ...refund, payment_intent: 'pi_failed', status: 'failed' }),
        ),
      ],
      ends: CENTS,
    },
    {
      what: 'a dispute won ten times',
      events: [
        paid({ payment_intent: 'pi_won' }),
        ...Array.from({ length: 10 }, () =>
          claim('dispute', { payment_intent: 'pi_won', status: 'won' }),
        ),
      ],
      ends: CENTS,
    },
    {
      what: 'an old event of a refund after newer ones',
      events: [
        paid({ payment_intent: 'pi_old' }),
        claim('refund', { id: 're_old', payment_intent: 'pi_old' }, nowSeconds() + 2),
        claim(
          'refund',
          { id: 're_old', payment_intent: 'pi_old', status: 'failed' },
          nowSeconds() - 9,
        ),
      ],
      ends: 0,
    },
  ]
}
