/**
 * Arguments as language models and their hosts send them: numbers and lists as texts, nothing where a field may be left
 * out, and fields of the host's own. What can mean one thing only is read as that; the schema refuses the rest.
 */
import type { TSchema } from 'typebox'
import { unstorableIn } from '../kit/text/outside-text.ts'
import { hasVisible } from '../kit/text/invisible.ts'

/** The parts of a field's schema that say what a text may stand for. */
type Field = { type?: string; enum?: unknown[]; items?: Field; anyOf?: Field[] }

/** Fields that hosts add for themselves. */
const OF_HOSTS = new Set(['_meta', 'toolCallId'])
const WHOLE_NUMBER = /^[+-]?\d{1,15}(?:\.0{1,6})?$/

/** Returns the arguments as the schema's fields mean them; any other field, and what is no object, unchanged. */
export function plainArguments(schema: TSchema, args: unknown): unknown {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return args
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, Field>
    required?: string[]
  }
  const fields: [string, unknown][] = []
  for (const [name, value] of Object.entries(args)) {
    const field = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (field === undefined) {
      if (!OF_HOSTS.has(name)) fields.push([name, value])
    } else if (required.includes(name) || !isNothing(value))
      fields.push([name, meant(field, value)])
  }
  return Object.fromEntries(fields)
}

function isNothing(value: unknown): boolean {
  return value === null || (typeof value === 'string' && !hasVisible(value))
}

/** Returns what a text stands for where the field takes no text. */
function meant(field: Field, value: unknown): unknown {
  if (typeof value !== 'string') return value
  const text = value.trim()
  switch (field.type) {
    case 'integer':
      return WHOLE_NUMBER.test(text) ? Number(text) : value
    case 'boolean':
      return /^(?:true|false)$/i.test(text) ? text.toLowerCase() === 'true' : value
    case 'array':
      return (
        listIn(text) ??
        (field.items?.enum === undefined ? [value] : text.split(',').map((item) => item.trim()))
      )
    default:
      return value
  }
}

/** Returns the list that a text is in JSON; null where it is none, or holds what nothing can store. */
function listIn(text: string): unknown[] | null {
  if (!text.startsWith('[')) return null
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) && unstorableIn(value) === null ? value : null
  } catch {
    return null
  }
}
