/** Idempotency keys, and the bodies by which they recognise a repeat. */
import { hash } from 'node:crypto'
import { canonicalJson } from '../../kit/text/canonical-json.ts'

/** The key as it is kept, and the hash of the body that was sent with it. */
export type Idempotency = { key: string; bodyHash: string }

/** Beginning of the keys that no caller sent (starter.ts). */
export const OWN_KEY_START = 'follow:'
const SENT = 'sent:'

/**
 * Returns how a key that a caller sent is kept. One that begins like our own, with which it shares a column, is kept
 * with a word in front of it; two keys are never kept as one.
 */
export function sentIdempotency(key: string, body: unknown): Idempotency {
  const isAside = key.startsWith(OWN_KEY_START) || key.startsWith(SENT)
  return { key: isAside ? SENT + key : key, bodyHash: hashBody(body) }
}

/** Returns the SHA-256 (hex) of a body's canonical JSON. */
export function hashBody(body: unknown): string {
  return hash('sha256', canonicalJson(body))
}
