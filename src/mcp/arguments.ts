/**
 * Arguments as language models and their hosts send them: numbers as texts, nothing where a field may be left out,
 * `query` for `q`, and fields of the host's own. What can mean one thing only is read as that; the rest is refused in
 * words of the tool.
 */
import type { TSchema } from 'typebox'
import { hasVisible } from '../kit/text/invisible.ts'
import { Problem } from '../kit/problem.ts'

/** The part of a field's schema that says what a text may stand for. */
type Field = { type?: string }

/** Fields that hosts add for themselves. */
const OF_HOSTS = new Set(['_meta', 'toolCallId'])
/** Names by which models call fields that have another one, since most tools of others do. */
const MEANT = new Map([['query', 'q']])
const EXTRA_CHARS_SHOWN = 60
const WHOLE_NUMBER = /^[+-]?\d{1,15}(?:\.0{1,6})?$/
const DECIMAL = /^\$? ?(\d{1,12}(?:\.\d{1,6})?)$/

type Fields = { properties?: Record<string, Field>; required?: string[] }

/** Returns the arguments as the schema's fields mean them; any other field, and what is no object, unchanged. */
export function plainArguments(schema: TSchema, args: unknown): unknown {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return args
  const { properties = {}, required = [] } = schema as Fields
  const fields: [string, unknown][] = []
  for (const [sent, value] of Object.entries(args)) {
    const name = fieldMeant(sent, args, properties)
    const field = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (field === undefined) {
      if (!OF_HOSTS.has(name)) fields.push([name, value])
    } else if (required.includes(name) || !isNothing(value))
      fields.push([name, meant(field, value)])
  }
  return Object.fromEntries(fields)
}

/** Returns the field that a name means: another one only where the tool has none of this name, and it is not sent. */
function fieldMeant(sent: string, args: object, properties: Record<string, Field>): string {
  const meant = MEANT.get(sent)
  if (meant === undefined || Object.hasOwn(properties, sent) || Object.hasOwn(args, meant))
    return sent
  return Object.hasOwn(properties, meant) ? meant : sent
}

/** Throws where an argument is none of the tool's, which names those that it has. */
export function refuseOthers(tool: string, schema: TSchema, args: unknown): void {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return
  const names = Object.keys((schema as Fields).properties ?? {})
  const other = Object.keys(args).find((name) => !names.includes(name))
  if (other === undefined) return
  const known = names.length === 0 ? 'it has none' : `it has ${names.join(', ')}`
  throw new Problem('invalid_request', {
    message: `${JSON.stringify(other.slice(0, EXTRA_CHARS_SHOWN))} is not a field of ${tool}: ${known}.`,
  })
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
    case 'number':
      return DECIMAL.test(text) ? Number(DECIMAL.exec(text)?.[1]) : value
    case 'boolean':
      return /^(?:true|false)$/i.test(text) ? text.toLowerCase() === 'true' : value
    default:
      return value
  }
}
