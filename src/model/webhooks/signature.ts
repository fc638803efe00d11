/** Signatures of deliveries by Standard Webhooks (standardwebhooks.com, version 1, symmetric), and their secrets. */
import { createHmac } from 'node:crypto'

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
