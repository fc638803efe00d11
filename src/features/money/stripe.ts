/** The payment service: hosted checkouts of Stripe, and its events, proven by their signature. */
import { Stripe } from 'stripe'
import { dollars, parseUsd } from '../../model/money/money.ts'
import type { Config } from '../../config/config.ts'
import { Problem } from '../../kit/problem.ts'
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

type EventReading =
  { kind: 'event'; event: PaymentEvent } | { kind: 'forged' } | { kind: 'malformed' }

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
    /**
     * Reads the event of a webhook's raw body: `forged` has a wrong signature, or one older than five minutes;
     * `malformed` is well signed, and no event.
     */
    readEvent(rawBody: Buffer, signature: string): EventReading {
      let value: unknown
      try {
        // The body is passed as text: of bytes the library would leave out a byte order mark before it compares.
        value = stripe.webhooks.constructEvent(rawBody.toString('utf8'), signature, webhookSecret)
      } catch (error) {
        if (error instanceof Stripe.errors.StripeSignatureVerificationError)
          return { kind: 'forged' }
        if (error instanceof SyntaxError) return { kind: 'malformed' }
        throw error
      }
      const event = readEvent(value)
      return event === null ? { kind: 'malformed' } : { kind: 'event', event }
    },
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
    throw new Problem('server_busy', {
      message: 'The payment service is not responding; try again after Retry-After seconds.',
      headers: { 'Retry-After': String(PAYMENT_BUSY_RETRY_SECONDS) },
    })
  }
}

function whereTo({ STRIPE_API_ORIGIN: origin }: Config) {
  if (origin === null) return {}
  const { hostname, port, protocol } = new URL(origin)
  const isHttp = protocol === 'http:'
  const protocolName = isHttp ? 'http' : 'https'
  return { host: hostname, port: port || (isHttp ? '80' : '443'), protocol: protocolName } as const
}
