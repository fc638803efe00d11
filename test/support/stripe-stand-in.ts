/**
 * The few endpoints of Stripe that we use, as a server that can be started: making and reading a
 * checkout, its hosted page with a button to pay, refunds and disputes, and webhooks signed by
 * Stripe's own library. Facts: docs.stripe.com/api, 2026-10-28.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Stripe } from 'stripe'

export const STAND_IN_KEY = 'sk_test_stand_in'
export const STAND_IN_WEBHOOK_SECRET = 'whsec_stand_in'

/** A snapshot event in its wire format. */
export type StandInEvent = {
  id: string
  type: string
  created: number
  data: { object: Record<string, unknown> }
}

export type StandInCheckout = {
  id: string
  amountCents: number
  paymentIntent: string
  metadata: Record<string, string>
  clientReference: string
  email: string
  successUrl: string
  cancelUrl: string
  isPaid: boolean
}

export type StripeStandIn = {
  origin: string
  /** Settings of the service that let it talk to this server. */
  env: Record<string, string>
  checkouts: Map<string, StandInCheckout>
  /** Every event made, in order, delivered or not. */
  events: StandInEvent[]
  /** Address to which events are sent by themselves; null where the test delivers them. */
  webhookUrl: string | null
  /** Pays at the hosted page. Resolves with the event, delivered if there is an address. */
  pay(checkoutId: string): Promise<StandInEvent>
  /**
   * Makes an event; `status` is that of Stripe's refunds and disputes, and the same `id` again tells its next status.
   */
  tell(
    claim: 'refund' | 'dispute',
    about: { id: string; paymentIntent: string; cents: number; status: string; created?: number },
  ): Promise<StandInEvent>
  /** Posts an event once, signed now. */
  deliver(event: StandInEvent, to?: string): Promise<Response>
  /** Answers the next `count` requests with this status. */
  failNext(count: number, status: number): void
  close(): Promise<void>
}

export async function startStripeStandIn(): Promise<StripeStandIn> {
  const checkouts = new Map<string, StandInCheckout>()
  const events: StandInEvent[] = []
  let failures = { count: 0, status: 500 }
  const stripe = new Stripe(STAND_IN_KEY)

  const server = http.createServer((request, response) => {
    answer(request, response).catch((error: Error) => response.writeHead(500).end(error.message))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function answer(
    request: http.IncomingMessage,
    response: http.ServerResponse,
  ): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', origin)
    const body = new URLSearchParams(await text(request))
    const [, first, second, third] = pathname.split('/')
    if (first === 'pay') return answerPage(request.method ?? 'GET', second ?? '', response)
    if (failures.count > 0) {
      failures.count -= 1
      return json(response, failures.status, {
        error: { type: 'api_error', message: 'stand-in failure' },
      })
    }
    if (request.headers.authorization !== `Bearer ${STAND_IN_KEY}`)
      return json(response, 401, {
        error: { type: 'invalid_request_error', message: 'Invalid API Key' },
      })
    if (request.method === 'POST' && pathname === '/v1/checkout/sessions')
      return json(response, 200, create(body))
    const found =
      second === 'checkout' && third === 'sessions'
        ? checkouts.get(pathname.split('/')[4] ?? '')
        : undefined
    if (found !== undefined) return json(response, 200, sessionOf(found, origin))
    json(response, 404, {
      error: { type: 'invalid_request_error', message: `Unrecognized request URL ${pathname}` },
    })
  }

  function create(body: URLSearchParams): object {
    const field = (name: string): string => {
      const value = body.get(name)
      assert.ok(value !== null, `a checkout needs ${name}`)
      return value
    }
    assert.equal(field('mode'), 'payment')
    assert.equal(field('line_items[0][price_data][currency]'), 'usd')
    const metadata = [...body].flatMap(([name, value]) => {
      const key = /^metadata\[(.+)\]$/.exec(name)?.[1]
      return key === undefined ? [] : [[key, value]]
    })
    const checkout: StandInCheckout = {
      id: `cs_test_${randomBytes(12).toString('hex')}`,
      amountCents: Number(field('line_items[0][price_data][unit_amount]')),
      paymentIntent: `pi_${randomBytes(12).toString('hex')}`,
      metadata: Object.fromEntries(metadata),
      clientReference: field('client_reference_id'),
      email: field('customer_email'),
      successUrl: field('success_url'),
      cancelUrl: field('cancel_url'),
      isPaid: false,
    }
    checkouts.set(checkout.id, checkout)
    return sessionOf(checkout, origin)
  }

  async function answerPage(
    method: string,
    id: string,
    response: http.ServerResponse,
  ): Promise<void> {
    const checkout = checkouts.get(id)
    if (checkout === undefined) return void response.writeHead(404).end('no such checkout')
    if (method === 'POST') {
      if (!checkout.isPaid) await standIn.pay(id)
      return void response
        .writeHead(303, { Location: checkout.successUrl.replace('{CHECKOUT_SESSION_ID}', id) })
        .end()
    }
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' })
      .end(`<!doctype html><html lang="en">
      <title>Checkout</title><h1>Pay ${(checkout.amountCents / 100).toFixed(2)} USD</h1>
      <form method="post"><button>Pay</button></form><a href="${checkout.cancelUrl}">Cancel</a></html>`)
  }

  const standIn: StripeStandIn = {
    origin,
    env: {
      STRIPE_SECRET_KEY: STAND_IN_KEY,
      STRIPE_WEBHOOK_SECRET: STAND_IN_WEBHOOK_SECRET,
      STRIPE_API_ORIGIN: origin,
    },
    checkouts,
    events,
    webhookUrl: null,
    async pay(checkoutId) {
      const checkout = checkouts.get(checkoutId)
      assert.ok(checkout !== undefined, `there is a checkout ${checkoutId}`)
      checkout.isPaid = true
      return emit('checkout.session.completed', sessionOf(checkout, origin))
    },
    tell(claim, { id, paymentIntent, cents, status, created }) {
      const object = {
        id,
        object: claim,
        payment_intent: paymentIntent,
        amount: cents,
        currency: 'usd',
        status,
      }
      return emit(claim === 'refund' ? 'refund.updated' : 'charge.dispute.updated', object, created)
    },
    deliver(event, to = standIn.webhookUrl ?? '') {
      const payload = JSON.stringify(event)
      const signature = stripe.webhooks.generateTestHeaderString({
        payload,
        secret: STAND_IN_WEBHOOK_SECRET,
      })
      const headers = {
        'Content-Type': 'application/json; charset=utf-8',
        'Stripe-Signature': signature,
      }
      return fetch(to, { method: 'POST', headers, body: payload })
    },
    failNext(count, status) {
      failures = { count, status }
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }

  async function emit(
    type: string,
    object: object,
    created = Math.floor(Date.now() / 1000),
  ): Promise<StandInEvent> {
    const event = {
      id: `evt_${randomBytes(12).toString('hex')}`,
      object: 'event',
      api_version: '2026-10-28.endive',
      created,
      livemode: false,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      type,
      data: { object: object as Record<string, unknown> },
    }
    events.push(event)
    if (standIn.webhookUrl !== null) {
      const reply = await standIn.deliver(event)
      assert.equal(reply.status, 200, `the webhook answers ${type}: ${await reply.text()}`)
    }
    return event
  }

  return standIn
}

function sessionOf(checkout: StandInCheckout, origin: string): object {
  return {
    id: checkout.id,
    object: 'checkout.session',
    mode: 'payment',
    amount_subtotal: checkout.amountCents,
    amount_total: checkout.amountCents,
    currency: 'usd',
    client_reference_id: checkout.clientReference,
    customer_email: checkout.email,
    metadata: checkout.metadata,
    payment_intent: checkout.isPaid ? checkout.paymentIntent : null,
    payment_status: checkout.isPaid ? 'paid' : 'unpaid',
    status: checkout.isPaid ? 'complete' : 'open',
    success_url: checkout.successUrl,
    cancel_url: checkout.cancelUrl,
    url: checkout.isPaid ? null : `${origin}/pay/${checkout.id}`,
  }
}

function json(response: http.ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}
