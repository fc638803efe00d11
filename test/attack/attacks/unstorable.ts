/** Attacks by text that nothing can store, and by signed payment events that are none: they get a 400, never a 500. */
import assert from 'node:assert/strict'
import { Stripe } from 'stripe'
import { STAND_IN_KEY, STAND_IN_WEBHOOK_SECRET } from '../../support/stripe-stand-in.ts'
import type { Attack, Target } from '../attack.ts'
import { loadSignIn } from './stalls.ts'
import { OF_PAYMENTS } from './stripe-stories.ts'

const TEXTS = ['\\u0000', '\\ud800', '\\udc00\\ud800', 'x\\u0000']
const QUERIES = ['%00', '%ED%A0%80', 'x%00y']
const VIDEO = 'https://youtu.be/jNQXAC9IVRw'

const EVENT = {
  id: 'evt_attack',
  type: 'checkout.session.completed',
  created: 1,
  data: { object: {} },
}
const EVENTS = [
  '{',
  'null',
  '[]',
  '"evt"',
  '{}',
  '\u0000',
  '['.repeat(250_000),
  `{"id":${'['.repeat(100_000)}`,
  JSON.stringify({ ...EVENT, id: 'evt_\0' }),
  JSON.stringify({ ...EVENT, type: '\ud800' }),
  JSON.stringify({ ...EVENT, created: 1e300 }),
  JSON.stringify(EVENT),
  JSON.stringify({ ...EVENT, data: null }),
  JSON.stringify({ ...EVENT, data: { object: { id: 'cs_1', metadata: 5 } } }),
]

export const UNSTORABLE: readonly Attack[] = [
  {
    name: 'zero characters and half surrogate pairs in every field of a body',
    class: 'unstorable text',
    isInGate: true,
    run: sendBodies,
  },
  {
    name: 'zero characters and half surrogate pairs in queries and paths',
    class: 'unstorable text',
    isInGate: true,
    run: sendAddresses,
  },
  {
    name: 'malformed payment events with the right signature',
    class: 'payment events',
    isInGate: true,
    settings: OF_PAYMENTS,
    run: sendEvents,
  },
]

async function sendBodies(target: Target): Promise<string> {
  const { address, origin, customer } = target
  await loadSignIn(target)
  const { apiKey } = await customer('10')
  const own = { 'Content-Type': 'application/json', Origin: origin }
  for (const text of TEXTS) {
    const bodies = [
      `{"urls":"${text}"}`,
      `{"urls":["${VIDEO}","${text}"]}`,
      `{"urls":"${VIDEO}","language":"${text}"}`,
      `{"${text}":1}`,
      `{"a":[[{"b":"${text}"}]]}`,
      `"${text}"`,
    ]
    for (const body of bodies) {
      await refused(`${address}/api/v1/jobs`, {
        method: 'POST',
        body,
        headers: { ...own, Authorization: `Bearer ${apiKey}` },
      })
      await refused(`${address}/account/auth/sign-up/email`, { method: 'POST', body, headers: own })
    }
    const person = `{"email":"${text}a@example.org","password":"a long ${text} enough","name":"${text}"}`
    for (const path of ['sign-up/email', 'sign-in/email', 'request-password-reset']) {
      await refused(`${address}/account/auth/${path}`, {
        method: 'POST',
        body: person,
        headers: own,
      })
    }
  }
  return '400 each'
}

async function sendAddresses({ address, customer }: Target): Promise<string> {
  const { apiKey } = await customer('0')
  const headers = { Authorization: `Bearer ${apiKey}` }
  for (const text of QUERIES) {
    for (const path of [
      `/api/v1/jobs?offset=${text}`,
      `/api/v1/balance?x=${text}`,
      `/api/v1/jobs/x/results?q=${text}`,
      `/account/session?${text}=1`,
      `/account/session?x=${text}`,
    ]) {
      await refused(`${address}${path}`, { headers })
    }
    for (const path of [
      `/api/v1/jobs/${text}`,
      `/api/v1/jobs/x/files/${text}`,
      `/api/v1/${text}`,
    ]) {
      await refused(`${address}${path}`, { headers }, 404)
    }
  }
  return '400 in queries, 404 in paths'
}

async function sendEvents({ address }: Target): Promise<string> {
  const { webhooks } = new Stripe(STAND_IN_KEY)
  for (const payload of EVENTS) {
    const signature = webhooks.generateTestHeaderString({
      payload,
      secret: STAND_IN_WEBHOOK_SECRET,
    })
    const headers = { 'Content-Type': 'application/json', 'Stripe-Signature': signature }
    await refused(`${address}/webhooks/stripe`, { method: 'POST', headers, body: payload })
  }
  return `${EVENTS.length} times 400`
}

async function refused(url: string, init: RequestInit, status = 400): Promise<void> {
  const response = await fetch(url, { ...init, redirect: 'manual' })
  const text = await response.text()
  assert.equal(
    response.status,
    status,
    `${url} ${String(init.body).slice(0, 100)}: ${text.slice(0, 200)}`,
  )
}
