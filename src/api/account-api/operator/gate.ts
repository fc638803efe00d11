/**
 * The gate of the console: an operator in a session that showed the second factor. Both are read for each request, so
 * a role that is revoked ends with the next click; for all other visitors the console's addresses do not exist.
 */
import { Type } from '@fastify/type-provider-typebox'
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { type Clearance, readClearance } from '../../../features/operator/operators.ts'
import { Problem } from '../../../kit/problem.ts'
import { VISIBLE_PATTERN } from '../../../kit/text/invisible.ts'
import type { ApiContext } from '../../api-context.ts'
import { refused, visitorOf } from '../visitor.ts'

declare module 'fastify' {
  // eslint-disable-next-line typescript/consistent-type-definitions -- only interfaces merge
  interface FastifyRequest {
    /** Set by `requireOperator`; null before. */
    clearance: Clearance
  }
}

/** Requires the operator role; comes after `requireSession`. */
export function requireOperator({ db }: ApiContext): onRequestAsyncHookHandler {
  return async (request) => {
    const clearance = await readClearance(db, visitorOf(request))
    if (clearance === null) throw new Problem('not_found')
    request.clearance = clearance
  }
}

export function clearanceOf(request: FastifyRequest): NonNullable<Clearance> {
  if (request.clearance === null) throw new Error(`${request.url} was not asked by an operator`)
  return request.clearance
}

/** Requires the second factor; comes after `requireOperator`. */
export function requireProof(
  request: FastifyRequest,
  _reply: unknown,
  done: (error?: Problem) => void,
): void {
  const isProven = clearanceOf(request).isProven
  const message = 'Enter your second factor first: open /operator.'
  done(isProven ? undefined : refused(message, { status: 403 }))
}

/** The reason that every act of an operator needs. */
export const REASON = Type.String({
  minLength: 3,
  maxLength: 500,
  pattern: VISIBLE_PATTERN,
  examples: ['Refund of a double payment'],
})

/** Returns the operator and the reason, for the log. */
export function actorAndReason(
  request: FastifyRequest,
  reason: string,
): { actor: string; reason: string } {
  return { actor: visitorOf(request).accountId, reason: reason.trim() }
}
