/**
 * Messages as hosts send them, read before the library of the protocol checks them. Nothing stands for what is left
 * out: null (mcp.el, 2026), a blank text (Cursor, 2025), or the empty list that PHP writes for an empty object.
 * Arguments that are JSON in a text (of the Next.js tools' clients, 2026) are the object that it spells.
 */
import { storableJson } from '../kit/http/body.ts'
import { hasVisible } from '../kit/text/invisible.ts'

type Fields = Record<string, unknown>

/** Parameters that may be left out, in whatever way; of others only null is nothing. */
const OPTIONAL = new Set(['_meta', 'arguments', 'cursor'])
/** How deep null is nothing: `params.capabilities.roots.listChanged` is the deepest field that anybody sends. */
const NULLS_DEPTH = 3

/** Returns the message without what stands for nothing; what is no message, unchanged. */
export function plainMessage(sent: unknown): unknown {
  if (!isFields(sent)) return sent
  const { id, params, ...rest } = sent
  const { method } = rest
  // A request without an id would get no answer, so that only those that want none lose theirs.
  const isNotice = typeof method === 'string' && method.startsWith('notifications/')
  return {
    ...rest,
    ...(id === undefined || (isNotice && id === null) ? {} : { id }),
    ...(isNoObject(params) ? {} : { params: isFields(params) ? plainParams(params) : params }),
  }
}

/** Whether a value stands for a field that is left out. */
export function isNothing(value: unknown): boolean {
  return value === null || (typeof value === 'string' && !hasVisible(value))
}

/** Whether a value stands for an object that is left out. */
function isNoObject(value: unknown): boolean {
  return value === undefined || isNothing(value) || (Array.isArray(value) && value.length === 0)
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function plainParams(params: Fields): Fields {
  const fields = Object.entries(params).flatMap(([name, value]): [string, unknown][] => {
    // No client can leave its capabilities out, and most have none.
    if (name === 'capabilities' && isNoObject(value)) return [[name, {}]]
    if (value === null || (OPTIONAL.has(name) && isNoObject(value))) return []
    if (name !== 'arguments') return [[name, withoutNulls(value, NULLS_DEPTH)]]
    const read = objectIn(value)
    return isNoObject(read) ? [] : [[name, read]]
  })
  return Object.fromEntries(fields)
}

function withoutNulls(value: unknown, depth: number): unknown {
  if (depth === 0 || !isFields(value)) return value
  const known = Object.entries(value).filter(([, inner]) => inner !== null)
  return Object.fromEntries(known.map(([name, inner]) => [name, withoutNulls(inner, depth - 1)]))
}

/** Returns the object, or nothing, that a text spells; any other text unchanged, which the library refuses. */
function objectIn(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    const read = storableJson(value)
    return isFields(read) || isNoObject(read) ? read : value
  } catch {
    return value
  }
}
