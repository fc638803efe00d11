/**
 * Sends deliveries over HTTP, to addresses that the guarded agent allows. Redirects are not followed, replies are
 * read up to a limit, all within a deadline.
 */
import { request } from 'undici'
import { LIMITS } from '../../config/config.ts'
import {
  type AgentRules,
  ForbiddenAddress,
  NoAddress,
  openGuardedAgent,
} from '../../kit/outbound/guarded-agent.ts'
import type { AttemptOutcome } from '../../model/webhooks/webhook.ts'

/** Number of bytes that are read of a reply. */
const REPLY_BYTES = 65_536

type DeliveryRequest = {
  url: string
  headers: Readonly<Record<string, string>>
  body: string
}

export type Sent =
  | { kind: 'answered'; status: number; reply: string }
  | { kind: 'unanswered'; outcome: AttemptOutcome; error: string }

export type Sender = ReturnType<typeof openSender>

export function openSender(rules: AgentRules) {
  const dispatcher = openGuardedAgent({ ...rules, timeoutMs: LIMITS.deliveryMs })
  return {
    /** Sends one attempt. Throws only the reason of `signal`. */
    async send(sending: DeliveryRequest, signal: AbortSignal): Promise<Sent> {
      const deadline = AbortSignal.timeout(LIMITS.deliveryMs)
      try {
        const reply = await request(sending.url, {
          dispatcher,
          method: 'POST',
          headers: sending.headers,
          body: sending.body,
          signal: AbortSignal.any([signal, deadline]),
          headersTimeout: LIMITS.deliveryMs,
          bodyTimeout: LIMITS.deliveryMs,
        })
        const beginning = await readBeginning(reply.body)
        return { kind: 'answered', status: reply.statusCode, reply: beginning }
      } catch (error) {
        if (signal.aborted) throw signal.reason
        return { kind: 'unanswered', ...(deadline.aborted ? LATE : failureOf(error)) }
      }
    },
    close: () => dispatcher.destroy(),
  }
}

/** Returns the beginning of a reply. The status is known already: what else comes, or fails to, changes nothing. */
async function readBeginning(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk.subarray(0, REPLY_BYTES - size))
      size += chunk.length
      if (size >= REPLY_BYTES) break
    }
  } catch {
    // The beginning is kept.
  }
  const text = Buffer.concat(chunks).toString().slice(0, LIMITS.replyKeptChars)
  return text.toWellFormed().replaceAll('\0', '\uFFFD')
}

type Failure = { outcome: AttemptOutcome; error: string }

const LATE: Failure = {
  outcome: 'timed_out',
  error: `No answer came within ${LIMITS.deliveryMs / 1000} seconds.`,
}

/** Returns what failed. No text of the error goes on: it may tell addresses of the operator's network. */
function failureOf(error: unknown): Failure {
  if (error instanceof ForbiddenAddress)
    return { outcome: 'forbidden', error: 'The address leads into a private network.' }
  if (error instanceof NoAddress)
    return { outcome: 'unreachable', error: 'The host name has no address.' }
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (/TIMEOUT|ETIMEDOUT/.test(code)) return LATE
  return { outcome: 'unreachable', error: sentenceOfCode(code) }
}

function sentenceOfCode(code: string): string {
  if (code === 'ECONNREFUSED') return 'The connection was refused.'
  if (/CERT|SIGNED|TLS|SSL|EPROTO|ISSUER/.test(code))
    return `The certificate is not valid (${code}).`
  if (/ECONNRESET|EPIPE|UND_ERR_SOCKET/.test(code))
    return 'The connection broke before an answer came.'
  if (/HTTP|HPE|PARSE/.test(code)) return 'The answer was not HTTP.'
  return 'The receiver could not be reached.'
}
