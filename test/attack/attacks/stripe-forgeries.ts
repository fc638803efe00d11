/** Attacks for money from nowhere: deliveries to the payment webhook that Stripe did not send, or that are odd. */
import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { Stripe } from 'stripe'
import { checkBooks } from '../../machines/fleet.ts'
import type { Customer } from '../../../tools/conformance/customer.ts'
import type { Json } from '../../../tools/conformance/http.ts'
import { STAND_IN_KEY, STAND_IN_WEBHOOK_SECRET } from '../../support/stripe-stand-in.ts'
import { OF_PAYMENTS, stripeEvent, nowSeconds, session, storiesOf } from './stripe-stories.ts'
import type { Attack, Target } from '../attack.ts'

const CASES_MIN = 30
const TOLERANCE_SECONDS = 300
const BODY_BYTES_MAX = 512 * 1024

const { webhooks } = new Stripe(STAND_IN_KEY)

export const STRIPE_FORGERIES: readonly Attack[] = [
  {
    name: 'deliveries to the payment webhook that Stripe did not sign, or not these, or not now',
    class: 'payment events',
    isInGate: true,
    settings: OF_PAYMENTS,
    async run(target) {
      const thief = await target.customer('0')
      const forged = forgedDeliveries(thief.accountId)
      assert.ok(forged.length >= CASES_MIN)
      for (const { what, path = '/webhooks/stripe', ...init } of forged) {
        const answer = await fetch(target.address + path, { method: 'POST', ...init })
        const text = await answer.text()
        assert.ok(answer.status >= 400 && answer.status < 500, `${what}: ${answer.status} ${text}`)
        assert.equal(typeof (JSON.parse(text) as Json)['error'].code, 'string', what)
        assert.equal(await owned(target, thief), 0n, what)
      }
      return `${forged.length} deliveries refused, nothing credited`
    },
  },
  {
    name: 'signed deliveries that are replayed, swapped, negative, in other money or out of order',
    class: 'payment events',
    isInGate: true,
    settings: OF_PAYMENTS,
    async run(target) {
      const stories = storiesOf(await target.customer('0'), await target.customer('0'))
      let told = 0
      for (const { what, events, ends, isAtOnce = false } of stories) {
        const who = await target.customer('0')
        const deliveries = events.map((event) =>
          JSON.stringify(event).replaceAll('BUYER', who.accountId),
        )
        const answers: Response[] = []
        if (isAtOnce)
          answers.push(
            ...(await Promise.all(deliveries.map((payload) => deliver(target, payload)))),
          )
        else for (const payload of deliveries) answers.push(await deliver(target, payload))
        for (const answer of answers)
          assert.ok(answer.status < 500, `${what}: ${answer.status} ${await answer.text()}`)
        assert.equal(await owned(target, who), BigInt(ends) * 10_000n, what)
        told += deliveries.length
      }
      await checkBooks(target.fleet.database)
      return `${told} deliveries of ${stories.length} stories, each credited what was paid and no cent more`
    },
  },
]

type Delivery = {
  what: string
  path?: string
  method?: string
  headers: Record<string, string>
  body?: string | Uint8Array<ArrayBuffer> | null
}

function sign(payload: string, secret = STAND_IN_WEBHOOK_SECRET, timestamp = nowSeconds()): string {
  return webhooks.generateTestHeaderString({ payload, secret, timestamp })
}

function deliver({ address }: Target, payload: string): Promise<Response> {
  const headers = { 'Content-Type': 'application/json', 'Stripe-Signature': sign(payload) }
  return fetch(`${address}/webhooks/stripe`, { method: 'POST', headers, body: payload })
}

async function owned({ fleet }: Target, { accountId }: Customer): Promise<bigint> {
  const { rows } = await fleet.database.pool.query<{ posted: bigint }>(
    'select posted_micros as posted from balance where account_id = $1',
    [accountId],
  )
  return rows[0]?.posted ?? -1n
}

function forgedDeliveries(accountId: string): Delivery[] {
  const payload = JSON.stringify(
    stripeEvent(
      'checkout.session.completed',
      session({ metadata: { scriptorium_account: accountId } }),
    ),
  )
  const right = sign(payload)
  const [t = '', v1 = ''] = right.split(',')
  const json = { 'Content-Type': 'application/json' }
  const signed = (what: string, signature: string | null, body = payload): Delivery => ({
    what,
    headers: { ...json, ...(signature === null ? {} : { 'Stripe-Signature': signature }) },
    body,
  })
  const other = JSON.stringify(stripeEvent('customer.created', {}))
  const dear = payload.replace('1000', '9000')
  return [
    signed('no signature', null),
    signed('an empty one', ''),
    signed('a time alone', t),
    signed('a signature alone', v1),
    signed('nonsense', 't=1,v1=zz'),
    signed('a made-up one', `${t},v1=${'0'.repeat(64)}`),
    signed('an old scheme', `${t},${v1.replace('v1', 'v0')}`),
    signed('no scheme', `${t},${v1.slice(3)}`),
    signed('cut', right.slice(0, -1)),
    signed('longer', `${right}0`),
    signed('another time', `t=${nowSeconds() - 1},${v1}`),
    signed('no number as time', `t=now,${v1}`),
    signed(
      'a time of zero',
      `t=0,v1=${createHmac('sha256', STAND_IN_WEBHOOK_SECRET).update(`0.${payload}`).digest('hex')}`,
    ),
    signed('an hour old', sign(payload, STAND_IN_WEBHOOK_SECRET, nowSeconds() - 3_600)),
    signed(
      'just too old',
      sign(payload, STAND_IN_WEBHOOK_SECRET, nowSeconds() - TOLERANCE_SECONDS - 2),
    ),
    ...[
      'whsec_other',
      STAND_IN_KEY,
      ' ',
      'null',
      'undefined',
      STAND_IN_WEBHOOK_SECRET.toUpperCase(),
      STAND_IN_WEBHOOK_SECRET.slice(6),
    ].map((secret) => signed(`the secret ${secret}`, sign(payload, secret))),
    signed('the signature of another event', sign(other)),
    signed('more money', right, dear),
    signed('the sum in other bytes', right, payload.replace('1000', '1e3')),
    signed('another account', sign(payload.replace(accountId, 'acc_other'))),
    signed('the same JSON in other bytes', right, JSON.stringify(JSON.parse(payload), null, 1)),
    signed('a blank behind', right, `${payload} `),
    signed('a mark before', right, `\ufeff${payload}`),
    signed('two bodies', right, payload + payload),
    signed('no body', right, ''),
    signed('a signature of nothing', sign(''), payload),
    signed(
      'many signatures',
      `${t},${Array.from({ length: 50 }, () => `v1=${randomBytes(32).toString('hex')}`).join(',')}`,
    ),
    {
      what: 'compressed',
      headers: { ...json, 'Content-Encoding': 'gzip', 'Stripe-Signature': right },
      body: new Uint8Array(gzipSync(payload)),
    },
    {
      what: 'too large',
      headers: { ...json, 'Stripe-Signature': right },
      body: payload + ' '.repeat(BODY_BYTES_MAX),
    },
    { what: 'by GET', method: 'GET', headers: { 'Stripe-Signature': right } },
    {
      what: 'by PUT',
      method: 'PUT',
      headers: { ...json, 'Stripe-Signature': right },
      body: payload,
    },
    {
      what: 'elsewhere',
      path: '/webhooks/stripe/',
      headers: { ...json, 'Stripe-Signature': right },
      body: payload,
    },
    {
      what: 'below the API',
      path: '/api/v1/webhooks/stripe',
      headers: { ...json, 'Stripe-Signature': right },
      body: payload,
    },
  ]
}
