/** The payment service: hosted checkouts of Stripe, and its events, proven by their signature. */
import { Stripe } from 'stripe'
import { dollars, parseUsd } from '../../model/money/money.ts'
import type { Config } from '../../config/config.ts'
import { Busy, Problem } from '../../kit/problem.ts'
import { ConfigError } from '../../kit/settings.ts'
import {
  ACCOUNT_METADATA,
  MICROS_PER_CENT,
  type PaymentEvent,
  readEvent,
} from '../../model/money/payment-effect.ts'

/** How often a request to Stripe is repeated. */
const PAYMENT_PROVIDER_RETRIES = 2
const PAYMENT_BUSY_RETRY_SECONDS = 10
/** How old the signature of an event may be, so that a recorded one is not good for ever. */
const PAYMENT_EVENT_AGE_SECONDS = 300

type CheckoutInput = {
  accountId: string
  email: string
  /** The sum to pay, one of `amounts`. */
  micros: bigint
  /** Where the browser goes afterwards; `{CHECKOUT_SESSION_ID}` in it is filled in. */
  successUrl: string
  cancelUrl: string
}

/** Payments, opened. */
export type Payments = NonNullable<ReturnType<typeof openPayments>>

/**
 * Opens payments; null where no key is set: then only the operator adds credit. Throws one sentence for half a setting.
 */
export function openPayments(config: Config) {
  const { STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: webhookSecret } = config
  if (key === null) return null
  if (webhookSecret === null) {
    throw new ConfigError(
      'STRIPE_WEBHOOK_SECRET must be set with STRIPE_SECRET_KEY, or payments would never be credited; ' +
        'Stripe shows it with the webhook endpoint',
    )
  }
  const amounts = topUpAmounts(config)
  const stripe = new Stripe(key, {
    timeout: config.deadlines.paymentProviderMs,
    maxNetworkRetries: PAYMENT_PROVIDER_RETRIES,
    telemetry: false,
    ...whereTo(config),
  })

  return {
    /** The sums from which a customer may choose, in micros. */
    amounts,
    /** Makes a checkout; the customer pays at `url`. Nothing is credited before the event of it. */
    async createCheckout(input: CheckoutInput): Promise<{ checkoutId: string; url: string }> {
      if (!amounts.includes(input.micros)) {
        const choice = amounts.map(dollars).join(', ')
        throw new Problem('invalid_request', { message: `The amount must be one of ${choice}.` })
      }
      const { id, url } = await asking(() => stripe.checkout.sessions.create(sessionOf(input)))
      if (url === null) throw new Error(`checkout ${id} has no address for the payment`)
      return { checkoutId: id, url }
    },
    /** Reads the event of a webhook's raw body. Throws a Problem that says what is wrong with body or signature. */
    readEvent(rawBody: unknown, signature: unknown): PaymentEvent {
      if (typeof signature !== 'string' || signature === '') throw refusedEvent('unsigned')
      if (!Buffer.isBuffer(rawBody) || rawBody.length === 0) throw refusedEvent('malformed')
      // The body is passed as text: of bytes the library would leave out a byte order mark before it compares.
      const body = rawBody.toString('utf8')
      const verified = (ageMax: number): unknown =>
        stripe.webhooks.constructEvent(body, signature, webhookSecret, ageMax)
      let value: unknown
      try {
        value = verified(PAYMENT_EVENT_AGE_SECONDS)
      } catch (error) {
        throw refusedEvent(faultOf(error, signature, () => verified(NO_AGE)))
      }
      const event = readEvent(value)
      if (event === null) throw refusedEvent('malformed')
      return event
    },
  }
}

/** The library's word for a signature of any age. */
const NO_AGE = 0

/** Sentences about events that are refused; the operator reads them at Stripe, which keeps what we answered. */
const EVENT_FAULTS = {
  unsigned: 'The header Stripe-Signature is missing.',
  unreadable: 'Stripe-Signature has no time (t=) or no signature of the scheme v1 (v1=).',
  forged: 'Stripe-Signature does not match the body.',
  late:
    `Stripe-Signature matches the body, but it is older than ${PAYMENT_EVENT_AGE_SECONDS / 60} minutes by this ` +
    "server's clock, which the Date header of this answer shows. Set that clock right if it is ahead, and have " +
    'Stripe send the event again, with a new signature.',
  malformed: 'The body is not a Stripe event.',
}
type EventFault = keyof typeof EVENT_FAULTS

function refusedEvent(fault: EventFault): Problem {
  return new Problem('invalid_request', { message: EVENT_FAULTS[fault] })
}

/**
 * Returns what is wrong with an event that the library refused; `verifyAnyAge` verifies it again, whatever its age: one
 * that is also forged is told as forged. Throws any other error.
 */
function faultOf(error: unknown, signature: string, verifyAnyAge: () => unknown): EventFault {
  if (error instanceof SyntaxError) return 'malformed'
  if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) throw error
  const parts = signature.split(',')
  const isReadable = [/^t=\d/, /^v1=./].every((form) => parts.some((part) => form.test(part)))
  if (!isReadable) return 'unreadable'
  try {
    verifyAnyAge()
    return 'late'
  } catch (again) {
    return again instanceof SyntaxError ? 'late' : 'forged'
  }
}

/** Returns the amounts of the setting, in micros, whether or not there is a key. */
function topUpAmounts({ TOP_UP_AMOUNTS: text }: Config): bigint[] {
  return text.split(',').map((amount) => parseUsd(amount) ?? 0n)
}

function sessionOf(input: CheckoutInput): Stripe.Checkout.SessionCreateParams {
  const metadata = { [ACCOUNT_METADATA]: input.accountId }
  return {
    mode: 'payment',
    client_reference_id: input.accountId,
    customer_email: input.email,
    metadata,
    payment_intent_data: { metadata },
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: 'usd',
          unit_amount: Number(input.micros / MICROS_PER_CENT),
          product_data: { name: 'Credit for transcripts' },
        },
      },
    ],
    // The account is kept in dollars: what is paid must be what is credited.
    adaptive_pricing: { enabled: false },
    success_url: input.successUrl,
    cancel_url: input.cancelUrl,
  }
}

/** Calls Stripe. Where it does not respond the caller may try again; its refusals are bugs of ours. */
async function asking<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    const isAway =
      error instanceof Stripe.errors.StripeConnectionError ||
      error instanceof Stripe.errors.StripeRateLimitError ||
      (error instanceof Stripe.errors.StripeError && (error.statusCode ?? 0) >= 500)
    if (!isAway) throw new Error('while asking the payment service', { cause: error })
    throw new Busy(
      'The payment service is not responding; try again after Retry-After seconds.',
      PAYMENT_BUSY_RETRY_SECONDS,
    )
  }
}

function whereTo({ STRIPE_API_ORIGIN: origin }: Config) {
  if (origin === null) return {}
  const { hostname, port, protocol } = new URL(origin)
  const isHttp = protocol === 'http:'
  const protocolName = isHttp ? 'http' : 'https'
  return { host: hostname, port: port || (isHttp ? '80' : '443'), protocol: protocolName } as const
}
