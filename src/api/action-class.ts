/**
 * Facts that the schema of a route states for the OpenAPI document, beside those that Fastify knows. One is what the
 * operation may do at most (`x-action-class`): an agent has to know it before it calls by itself.
 */
import type { TSchema } from 'typebox'

declare module 'fastify' {
  // eslint-disable-next-line typescript/consistent-type-definitions -- only interfaces merge
  interface FastifySchema {
    hide?: boolean
    summary?: string
    description?: string
    operationId?: string
    tags?: string[]
    security?: Record<string, string[]>[]
    /** Request headers beside Authorization; documented here, read by the route. */
    documentedHeaders?: Record<string, TSchema>
    /** One that answers GET reads, any other has to say it. */
    'x-action-class'?: ActionClass
  }
}

/**
 * `read` changes nothing that the account has, `write` neither costs nor loses anything, `spend` may reserve or spend
 * its balance, and what `destroy` ends cannot be had back.
 */
type ActionClass = 'read' | 'write' | 'spend' | 'destroy'

/** The part of a schema that says it. An operation that answers GET reads, and says nothing. */
export const ACTS = {
  read: { 'x-action-class': 'read' },
  write: { 'x-action-class': 'write' },
  spend: { 'x-action-class': 'spend' },
  destroy: { 'x-action-class': 'destroy' },
} as const satisfies Record<ActionClass, { 'x-action-class': ActionClass }>
