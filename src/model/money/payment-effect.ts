/**
 * The effect of a payment event: what it means for an account's money, as a closed union.
 *
 *     checkout.session.completed, .async_payment_succeeded   paid      credit the payment, once
 *     refund.*, charge.refund.updated                        claimed   the payment goes back
 *     charge.dispute.*                                       claimed   its bank asks it back
 *
 * Events come late, twice and in any order. A payment is credited by its own id, and a claim carries
 * the whole state of a refund or dispute at the second the event was made: the newest one counts.
 * Facts: docs.stripe.com/api/events, /checkout/sessions, /refunds, /disputes, 2026-10-28.
 */
import type { Stripe } from 'stripe'

export type ClaimKind = 'refund' | 'dispute'

export type PaymentEffect =
  | { kind: 'paid'; paymentId: string; checkoutId: string; accountId: string; micros: bigint }
  /** `micros` is what is asked back at present: 0 where it failed, was withdrawn or won. */
  | {
      kind: 'claimed'
      paymentId: string
      claimId: string
      claim: ClaimKind
      status: string
      micros: bigint
      at: Date
    }
  /** The event is about no payment of ours. */
  | { kind: 'ignored'; note: string }
  /** The money belongs to no account: the operator has to look into it. */
  | { kind: 'refused'; note: string }

/** The events to send to /webhooks/stripe; any other is ignored. */
export const WEBHOOK_EVENTS = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
] as const

/** The name of a checkout's metadata that holds its account. */
export const ACCOUNT_METADATA = 'scriptorium_account'

export const MICROS_PER_CENT = 10_000n

/** Stripe takes at most twelve digits, in any currency. */
const CENTS_MAX = 999_999_999_999

/** Refunds that did not happen, and disputes that took nothing or gave it back. */
const WITHOUT_EFFECT: Record<ClaimKind, ReadonlySet<string>> = {
  refund: new Set(['failed', 'canceled']),
  dispute: new Set([
    'won',
    'prevented',
    'warning_needs_response',
    'warning_under_review',
    'warning_closed',
  ]),
}

export function readEffect(event: Stripe.Event): PaymentEffect {
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return readCheckout(event.data.object)
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
    case 'charge.refund.updated':
      return readClaim('refund', event.data.object, event.created)
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated':
      return readClaim('dispute', event.data.object, event.created)
    default:
      return { kind: 'ignored', note: `${event.type} moves no money of ours` }
  }
}

function readCheckout(session: Stripe.Checkout.Session): PaymentEffect {
  const accountId = session.metadata?.[ACCOUNT_METADATA]
  if (accountId === undefined)
    return { kind: 'ignored', note: `checkout ${session.id} is not one of ours` }
  const { id: checkoutId, payment_status: status } = session
  if (status !== 'paid') {
    return {
      kind: 'ignored',
      note: `checkout ${checkoutId} is ${status}; its payment is told later`,
    }
  }
  const paymentId = idOf(session.payment_intent)
  const { amount_total: cents, currency } = session
  if (paymentId === null || currency !== 'usd' || !isCents(cents)) {
    const note = `checkout ${checkoutId} paid ${String(cents)} of ${String(currency)} by ${String(paymentId)}`
    return { kind: 'refused', note }
  }
  return { kind: 'paid', paymentId, checkoutId, accountId, micros: BigInt(cents) * MICROS_PER_CENT }
}

type ClaimObject = {
  id: string
  payment_intent: string | { id: string } | null
  amount: number
  currency: string
  status: string | null
}

function readClaim(claim: ClaimKind, object: ClaimObject, createdSeconds: number): PaymentEffect {
  const paymentId = idOf(object.payment_intent)
  if (paymentId === null)
    return { kind: 'ignored', note: `${claim} ${object.id} is of no payment of ours` }
  if (object.currency !== 'usd' || !isCents(object.amount)) {
    const { id, amount, currency } = object
    return {
      kind: 'refused',
      note: `${claim} ${id} of payment ${paymentId} is ${amount} of ${currency}`,
    }
  }
  const status = object.status ?? 'pending'
  const micros = WITHOUT_EFFECT[claim].has(status) ? 0n : BigInt(object.amount) * MICROS_PER_CENT
  const at = new Date(createdSeconds * 1000)
  return { kind: 'claimed', paymentId, claimId: object.id, claim, status, micros, at }
}

function idOf(reference: string | { id: string } | null | undefined): string | null {
  return typeof reference === 'string' ? reference : (reference?.id ?? null)
}

function isCents(amount: number | null): amount is number {
  return Number.isSafeInteger(amount) && amount !== null && amount > 0 && amount <= CENTS_MAX
}
