/** Checks that a webhook came from the service, by the Standard Webhooks rules. */
import { ScriptoriumError } from './errors.ts'
import type { WebhookEvent } from './schema.ts'

export type WebhookOptions = {
  /** Most seconds between its time and now, against replays; 300 by default. */
  toleranceSeconds?: number
}

/** The request is not one of the service's, or too old. Answer it with 400 and do nothing. */
export class WebhookError extends ScriptoriumError {
  constructor(message: string) {
    super({ code: 'webhook_invalid', message })
  }
}

const TOLERANCE_S = 300
const PREFIX = 'whsec_'
const VERSION = 'v1,'

/**
 * Returns the event of a genuine webhook; throws WebhookError for any other. `payload` is the body as it arrived,
 * before any parsing. `headers` are the request's, as Headers or as an object with names in lower case. While a secret
 * is rotated, a signature with either one is accepted.
 */
export async function verifyWebhook(
  payload: string | Uint8Array<ArrayBuffer>,
  headers: Headers | Record<string, string | string[] | undefined>,
  secret: string,
  { toleranceSeconds = TOLERANCE_S }: WebhookOptions = {},
): Promise<WebhookEvent> {
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const signatures = headerOf(headers, 'webhook-signature')
  const ageSeconds = /^\d{1,12}$/.test(timestamp)
    ? Math.abs(Date.now() / 1000 - Number(timestamp))
    : Number.NaN
  if (!(ageSeconds <= toleranceSeconds))
    throw new WebhookError('Its timestamp is too old or lies in the future.')

  const body = typeof payload === 'string' ? payload : new TextDecoder().decode(payload)
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  const key = await keyOf(secret)
  for (const signature of signatures.split(' ')) {
    const bytes = signature.startsWith(VERSION) ? fromBase64(signature.slice(VERSION.length)) : null
    // `verify` compares in constant time.
    if (bytes !== null && (await crypto.subtle.verify('HMAC', key, bytes, signed)))
      return JSON.parse(body) as WebhookEvent
  }
  throw new WebhookError('No signature matches: it is not from the service, or was changed.')
}

function headerOf(
  headers: Headers | Record<string, string | string[] | undefined>,
  name: string,
): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name]
  if (typeof value === 'string' && value !== '') return value
  throw new WebhookError(`It has no header ${name}.`)
}

async function keyOf(secret: string) {
  const bytes = fromBase64(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret)
  if (bytes === null || bytes.length === 0)
    throw new TypeError('the secret of a webhook begins with whsec_, then base64')
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  return crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify'])
}

/** Returns null for text that is no base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  } catch {
    return null
  }
}
