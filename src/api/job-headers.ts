/** The request headers of POST /jobs: Idempotency-Key and Prefer. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LIMITS } from '../kit/config/config.ts'
import { type Idempotency, sentIdempotency } from '../model/jobs/idempotency.ts'
import { Problem } from '../kit/problem.ts'

const SECONDS = /^(?:\d{1,9}|"\d{1,9}")$/

/** Returns the request's key and the hash of its body; null without a key. Throws where the key is malformed. */
export function idempotencyOf(request: FastifyRequest): Idempotency | null {
  const key = request.headers['idempotency-key']
  if (key === undefined) return null
  // Node joins a repeated header by a comma; a key is never a list.
  const isOne = typeof key === 'string' && countOf(request, 'idempotency-key') === 1
  if (!isOne || key.length < 1 || key.length > LIMITS.idempotencyKeyLengthMax) {
    throw new Problem('invalid_request', {
      message: `Idempotency-Key must be sent once and have 1 to ${LIMITS.idempotencyKeyLengthMax} characters.`,
    })
  }
  return sentIdempotency(key, request.body)
}

/**
 * Returns how long the caller would wait for the job's end, in ms; 0 where they do not say. A preference is no demand
 * (RFC 7240): one that is not understood is passed over, and one that is too long is cut.
 */
export function preferredWaitMs({ headers }: FastifyRequest): number {
  for (const preference of [headers.prefer ?? ''].flat().join(',').split(',')) {
    const [name = '', value = '', ...rest] = (preference.split(';', 1)[0] ?? '')
      .split('=')
      .map((part) => part.trim())
    if (name.toLowerCase() !== 'wait' || rest.length > 0 || !SECONDS.test(value)) continue
    return Math.min(Number(value.replaceAll('"', '')) * 1000, LIMITS.longPollMs)
  }
  return 0
}

/** Returns a signal that aborts when the client disconnects before it has its answer. */
export function departureOf(reply: FastifyReply): AbortSignal {
  const leaving = new AbortController()
  const isGone = reply.raw.destroyed && !reply.raw.writableFinished
  if (isGone) leaving.abort()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) leaving.abort()
  })
  return leaving.signal
}

function countOf(request: FastifyRequest, header: string): number {
  return request.raw.rawHeaders.filter(
    (name, index) => index % 2 === 0 && name.toLowerCase() === header,
  ).length
}
