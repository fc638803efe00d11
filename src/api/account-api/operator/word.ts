/** What every act of an operator needs: the operator and the reason; and the refusal of an act. */
import { Type } from '@fastify/type-provider-typebox'
import { Problem } from '../../../kit/problem.ts'
import { visitorOf } from '../visitor.ts'

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
