/** Events of the payment service: what each says, and what it means for an account's money. */
import type { Stripe } from 'stripe'
import { type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { unstorableIn } from '../../kit/text/outside-text.ts'
import { adjust, type Balance, type Entry } from './ledger.ts'

// An event of Stripe, checked before it is believed: a signature proves who wrote it, not that it has the shape
// we know. Shapes: docs.stripe.com/api/events/object, 2026-10-28.

export type PaymentEvent = { id: string; type: string; createdAt: Date; effect: PaymentEffect }

const Id = Type.String({ minLength: 1, maxLength: 255 })
const Words = Type.String({ maxLength: 255 })
const orNothing = (schema: TSchema) => Type.Optional(Type.Union([schema, Type.Null()]))
const Reference = orNothing(Type.Union([Id, Type.Object({ id: Id })]))

/** The last second of the year 9999. */
const SECONDS_MAX = 253_402_300_799

const ENVELOPE = Compile(
  Type.Object({
    id: Id,
    type: Type.String({ minLength: 1, maxLength: 255 }),
    created: Type.Integer({ minimum: 0, maximum: SECONDS_MAX }),
    data: Type.Object({ object: Type.Object({}) }),
  }),
)

const CHECKOUT = Compile(
  Type.Object({
    id: Id,
    metadata: orNothing(Type.Record(Type.String(), Type.String())),
    payment_status: Words,
    payment_intent: Reference,
    amount_total: orNothing(Type.Number()),
    currency: orNothing(Words),
  }),
)

const CLAIM = Compile(
  Type.Object({
    id: Id,
    payment_intent: Reference,
    amount: Type.Number(),
    currency: Words,
    status: orNothing(Words),
  }),
)

/** Returns the event; null where it has not the shape of one, or not that of what it is about. */
export function readEvent(value: unknown): PaymentEvent | null {
  if (!ENVELOPE.Check(value) || unstorableIn(value) !== null) return null
  const { id, type, created, data } = value
  const object = type.startsWith('checkout.') ? CHECKOUT : CLAIM
  if (TYPES_READ.has(type) && !object.Check(data.object)) return null
  return {
    id,
    type,
    createdAt: new Date(created * 1000),
    effect: readEffect(value as unknown as Stripe.Event),
  }
}

// Claims: refunds and disputes of a payment. A claim takes back its amount, all claims of a payment together at
// most what the payment credited, and never more than the account has available: what is missing is the operator's
// loss, shown by `admin payment claims`.

export type Claim = { id: string; claimedMicros: bigint; takenMicros: bigint }

/**
 * Returns the adjustment that brings one of a payment's claims to where it must be; null where nothing can or need
 * move.
 */
export function settleClaim(
  balance: Balance,
  { creditedMicros, claims }: { creditedMicros: bigint; claims: readonly Claim[] },
  claim: Claim,
): Entry | null {
  const others = claims
    .filter(({ id }) => id !== claim.id)
    .reduce((sum, { takenMicros }) => sum + takenMicros, 0n)
  const left = creditedMicros - others
  const due = claim.claimedMicros < left ? claim.claimedMicros : left
  const micros = claim.takenMicros - due
  return micros === 0n ? null : adjust(balance, micros)
}

/** Returns what a claim could not take back, in micros. */
export function shortfall({ claimedMicros, takenMicros }: Claim): bigint {
  return claimedMicros > takenMicros ? claimedMicros - takenMicros : 0n
}

// Effects. Events come late, twice and in any order. A payment is credited by its own id, and a claim carries the whole
// state of a refund or dispute at the second the event was made: the newest one counts. Facts:
// docs.stripe.com/api/events, /checkout/sessions, /refunds, /disputes, 2026-10-28.

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

const TYPES_READ = new Set<string>([...WEBHOOK_EVENTS, 'charge.refund.updated'])

export function readEffect({ type, created, data: { object } }: Stripe.Event): PaymentEffect {
  if (!TYPES_READ.has(type)) return { kind: 'ignored', note: `${type} moves no money of ours` }
  if (type.startsWith('checkout.')) return readCheckout(object as Stripe.Checkout.Session)
  const claim = type.startsWith('charge.dispute.') ? 'dispute' : 'refund'
  return readClaim(claim, object as Stripe.Refund | Stripe.Dispute, created)
}

function readCheckout(session: Stripe.Checkout.Session): PaymentEffect {
  const accountId = session.metadata?.[ACCOUNT_METADATA]
  if (accountId === undefined)
    return { kind: 'ignored', note: `checkout ${session.id} is not one of ours` }
  const { id: checkoutId, payment_status: status } = session
  if (status !== 'paid')
    return {
      kind: 'ignored',
      note: `checkout ${checkoutId} is ${status}; its payment is told later`,
    }
  const paymentId = idOf(session.payment_intent)
  const { amount_total: cents, currency } = session
  if (paymentId === null || currency !== 'usd' || !isCents(cents)) {
    const note = `checkout ${checkoutId} paid ${String(cents)} of ${String(currency)} by ${String(paymentId)}`
    return { kind: 'refused', note }
  }
  return { kind: 'paid', paymentId, checkoutId, accountId, micros: BigInt(cents) * MICROS_PER_CENT }
}

function readClaim(
  claim: ClaimKind,
  object: Stripe.Refund | Stripe.Dispute,
  createdSeconds: number,
): PaymentEffect {
  const paymentId = idOf(object.payment_intent)
  if (paymentId === null)
    return { kind: 'ignored', note: `${claim} ${object.id} is of no payment of ours` }
  if (object.currency !== 'usd' || !isCents(object.amount)) {
    const { id, amount, currency } = object
    const note = `${claim} ${id} of payment ${paymentId} is ${amount} of ${currency}`
    return { kind: 'refused', note }
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
