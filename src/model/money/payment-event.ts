/**
 * An event of Stripe, checked before it is believed: a signature proves who wrote it, not that it has the shape we
 * know. Shapes: docs.stripe.com/api/events/object, 2026-10-28.
 */
import type { Stripe } from 'stripe'
import { type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { unstorableIn } from '../../kit/text/outside-text.ts'
import { type PaymentEffect, readEffect, WEBHOOK_EVENTS } from './payment-effect.ts'

export type PaymentEvent = { id: string; type: string; createdAt: Date; effect: PaymentEffect }

const Id = Type.String({ minLength: 1, maxLength: 255 })
const Words = Type.String({ maxLength: 255 })
const orNothing = (schema: TSchema) => Type.Optional(Type.Union([schema, Type.Null()]))
const Reference = orNothing(Type.Union([Id, Type.Object({ id: Id })]))

/** The last second of the year 9999. */
const SECONDS_MAX = 253_402_300_799

const Envelope = Type.Object({
  id: Id,
  type: Type.String({ minLength: 1, maxLength: 255 }),
  created: Type.Integer({ minimum: 0, maximum: SECONDS_MAX }),
  data: Type.Object({ object: Type.Object({}) }),
})

const Checkout = Type.Object({
  id: Id,
  metadata: orNothing(Type.Record(Type.String(), Type.String())),
  payment_status: Words,
  payment_intent: Reference,
  amount_total: orNothing(Type.Number()),
  currency: orNothing(Words),
})

const Claim = Type.Object({
  id: Id,
  payment_intent: Reference,
  amount: Type.Number(),
  currency: Words,
  status: orNothing(Words),
})

const ENVELOPE = Compile(Envelope)
const CHECKOUT = Compile(Checkout)
const CLAIM = Compile(Claim)

/** Returns the event; null where it has not the shape of one, or not that of what it is about. */
export function readEvent(value: unknown): PaymentEvent | null {
  if (!ENVELOPE.Check(value) || unstorableIn(value) !== null) return null
  const { id, type, created, data } = value
  const isOurs = WEBHOOK_EVENTS.some((known) => known === type) || type === 'charge.refund.updated'
  const object = type.startsWith('checkout.session.') ? CHECKOUT : CLAIM
  if (isOurs && !object.Check(data.object)) return null
  return {
    id,
    type,
    createdAt: new Date(created * 1000),
    effect: readEffect(value as unknown as Stripe.Event),
  }
}
