/**
 * Idempotency keys: one of a caller, or one of a subscription's own job, in the same column of the job.
 *
 * A caller may send any key. Those that begin like ours are kept with a word in front of them, so that nobody's key
 * is ever the one that a subscription needs next, and none finds a job that it did not make.
 */
import { hashBody } from './job-request.ts'

/** As it is kept. */
export type Idempotency = { key: string; bodyHash: string }

const OURS = 'follow:'
const SENT = 'sent:'

/** Of a key that a caller sent; two keys are never kept as one. */
export function sentIdempotency(key: string, body: unknown): Idempotency {
  const isAside = key.startsWith(OURS) || key.startsWith(SENT)
  return { key: isAside ? SENT + key : key, bodyHash: hashBody(body) }
}

/** Of the job that a subscription starts for one of its slots. */
export function followIdempotency(
  { subscriptionId, slot }: { subscriptionId: string; slot: number },
  body: unknown,
): Idempotency {
  return { key: `${OURS}${subscriptionId}:${slot}`, bodyHash: hashBody(body) }
}
