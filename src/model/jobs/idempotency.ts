/**
 * Idempotency keys: one of a caller, or one of a subscription's own job, in the same column of the job.
 *
 * A caller may send any key. A key that begins like ours is kept with a word in front of it, so that no caller's key is
 * ever the one that a subscription needs next, and none finds a job that it did not make.
 */
import { hashBody } from './job-request.ts'

/** The key as it is kept, and the hash of the body that was sent with it. */
export type Idempotency = { key: string; bodyHash: string }

const OURS = 'follow:'
const SENT = 'sent:'

/** Returns how a key that a caller sent is kept; two keys are never kept as one. */
export function sentIdempotency(key: string, body: unknown): Idempotency {
  const isAside = key.startsWith(OURS) || key.startsWith(SENT)
  return { key: isAside ? SENT + key : key, bodyHash: hashBody(body) }
}

/** Returns the key of the job that a subscription starts for one of its slots. */
export function followIdempotency(
  { subscriptionId, slot }: { subscriptionId: string; slot: number },
  body: unknown,
): Idempotency {
  return { key: `${OURS}${subscriptionId}:${slot}`, bodyHash: hashBody(body) }
}
