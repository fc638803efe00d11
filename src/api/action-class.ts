/**
 * What an operation of the API may do at most, as the OpenAPI document says it (`x-action-class`): an agent has to know
 * it before it calls by itself.
 */

/**
 * `read` changes nothing that the account has, `write` neither costs nor loses anything, `spend` may reserve or spend
 * its balance, and what `destroy` ends cannot be had back.
 */
export type ActionClass = 'read' | 'write' | 'spend' | 'destroy'

/** The part of a schema that says it. An operation that answers GET reads, and says nothing. */
export const ACTS = {
  read: { 'x-action-class': 'read' },
  write: { 'x-action-class': 'write' },
  spend: { 'x-action-class': 'spend' },
  destroy: { 'x-action-class': 'destroy' },
} as const satisfies Record<ActionClass, { 'x-action-class': ActionClass }>
