/**
 * A webhook: an address of an account that is told of its final jobs, and of what it follows if it asks for that. What
 * it is sent is signed (standardwebhooks.com, version 1, symmetric).
 *
 * A delivery is pending until a 2xx answer or its last attempt; a replay makes a failed one pending again. Deliveries
 * come at least once: an attempt whose process dies is made again, with the same `webhook-id`.
 */
import { createHmac } from 'node:crypto'
import { SUBSCRIPTION_EVENT_TYPES } from '../follow/subscription.ts'
import { FINAL_STATES } from '../jobs/job.ts'

const SECRET_START = 'whsec_'
/** Length of a secret in bytes; the specification asks for 24 to 64. */
export const WEBHOOK_SECRET_BYTES = 32

/** Returns a new secret from WEBHOOK_SECRET_BYTES random bytes, as its owner keeps it. */
export function webhookSecretOf(random: Buffer): string {
  return `${SECRET_START}${random.toString('base64')}`
}

/** Returns the headers of one attempt. `secrets` are two while one replaces the other; either verifies. */
export function signedHeaders(
  { id, at, body }: { id: string; at: Date; body: string },
  secrets: readonly string[],
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const seconds = String(Math.floor(at.getTime() / 1000))
  const signed = `${id}.${seconds}.${body}`
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SECRET_START.length), 'base64')
    return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': signatures.join(' '),
  }
}

export const JOB_EVENT_TYPES = FINAL_STATES.map((state) => `job.${state}` as const)
/** Events that a webhook can ask for. One that names none gets all about jobs: its receiver expects a job in `data`. */
export const ASKED_EVENT_TYPES = [...JOB_EVENT_TYPES, ...SUBSCRIPTION_EVENT_TYPES] as const
export const EVENT_TYPES = [...ASKED_EVENT_TYPES, 'webhook.test'] as const
export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const

export type AskedEventType = (typeof ASKED_EVENT_TYPES)[number]
export type EventType = (typeof EVENT_TYPES)[number]
export type DeliveryState = (typeof DELIVERY_STATES)[number]

/** Why a webhook gets nothing: its owner, its receiver (410), five days of failure, a secret that cannot be opened. */
export type DisabledBecause = 'asked' | 'gone' | 'failing' | 'secret_lost'

/** How an attempt ended; `forbidden` means an address that this service may not reach. */
export const ATTEMPT_OUTCOMES = [
  'delivered',
  'gone',
  'refused',
  'unreachable',
  'forbidden',
  'timed_out',
] as const
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number]

const [MINUTE, HOUR] = [60, 3600]
/** How long after a failed attempt the next one is due, in seconds; eight attempts over 28 hours. */
export const RETRY_SECONDS = [
  5,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  10 * HOUR,
] as const

/** Returns the seconds until the next attempt; null after the last one. A test has one attempt. */
export function retryAfter(type: EventType, failed: number): number | null {
  return type === 'webhook.test' ? null : (RETRY_SECONDS[failed - 1] ?? null)
}

/** Returns what a reply's status means: any 2xx is success, whatever the body; redirects are not followed. */
export function outcomeOfStatus(status: number): AttemptOutcome {
  if (status >= 200 && status < 300) return 'delivered'
  return status === 410 ? 'gone' : 'refused'
}

/** Returns the body of a delivery: the same bytes in every attempt. */
export function payloadOf(delivery: { type: EventType; timestamp: Date; data: object }): string {
  const { type, timestamp, data } = delivery
  return JSON.stringify({ type, timestamp: timestamp.toISOString(), data })
}
