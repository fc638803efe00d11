/**
 * The gate of the console: an operator in a session that showed the second factor, and the reason that every act
 * needs.
 */
import { Type } from '@fastify/type-provider-typebox'
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { type Clearance, readClearance } from '../../../features/operator/operators.ts'
import { Problem } from '../../../kit/problem.ts'
import type { ApiContext } from '../../api-context.ts'
import { visitorOf } from '../visitor.ts'

// The console's gate: it lets in an account with the operator role, in a session that showed the second factor.
// Both are read from the database for each request, so a role that is revoked ends with the next click. For all
// other visitors the console's addresses do not exist.

declare module 'fastify' {
  // eslint-disable-next-line typescript/consistent-type-definitions -- only interfaces merge
  interface FastifyRequest {
    /** Set by `requireOperator`; null before. */
    clearance: Clearance
  }
}

/** Requires the operator role; comes after `requireSession`. Browsers and proxies keep nothing of the console. */
export function requireOperator({ db }: ApiContext): onRequestAsyncHookHandler {
  return async (request, reply) => {
    const clearance = await readClearance(db, visitorOf(request))
    if (clearance === null) throw new Problem('not_found')
    request.clearance = clearance
    reply.header('Cache-Control', 'no-store')
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
  const message = 'Show your second factor first: open /operator.'
  done(isProven ? undefined : new Problem('invalid_request', { status: 403, message }))
}

// What every act of an operator needs: the operator and the reason; and the refusal of an act.

export const REASON = Type.String({ minLength: 3, maxLength: 500, pattern: '\\S' })

/** Returns the operator and the reason, for the log. */
export function whoAndWhy(
  request: Parameters<typeof visitorOf>[0],
  reason: string,
): { actor: string; reason: string } {
  return { actor: visitorOf(request).accountId, reason: reason.trim() }
}

export function refused(message: string, field: string): Problem {
  return new Problem('invalid_request', { message, field })
}
