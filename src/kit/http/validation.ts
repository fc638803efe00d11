/**
 * Checks requests against their schemas and says in one sentence which field is wrong. Bodies are taken unchanged; in
 * query parameters, plain digits become numbers where the schema asks for them.
 */
import type { FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { Problem } from '../problem.ts'

type Property = {
  type?: string
  minimum?: number
  maximum?: number
  examples?: unknown[]
  properties?: Record<string, Property>
}

const DIGITS = /^\d{1,16}$/
const SHOWN_CHARS_MAX = 60

export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const check = Compile(schema)
  const properties = 'properties' in schema ? (schema.properties as Record<string, Property>) : {}
  return (value: unknown) => {
    const read = httpPart === 'querystring' ? readQuery(properties, value) : value
    if (check.Check(read)) return { value: read }
    // A malformed id or file name is answered like an unknown address.
    if (httpPart === 'params') return { error: new Problem('not_found') }
    const fault = decisiveFault(check.Errors(read) as Fault[])
    const sentence =
      httpPart === 'querystring'
        ? sentenceOfQuery(fault, schema, read)
        : sentenceOf(fault, schema, read)
    const field = fieldOf(fault)
    const named = field !== undefined && Object.hasOwn(properties, field) ? { field } : {}
    return { error: new Problem('invalid_request', { message: sentence, ...named }) }
  }
}

/** Reads numbers from plain digits; a repeated or empty parameter stays unchanged and fails its schema. */
function readQuery(properties: Record<string, Property>, query: unknown): Record<string, unknown> {
  const given = query as Record<string, unknown>
  const read: Record<string, unknown> = {}
  for (const [name, { type }] of Object.entries(properties)) {
    const text = given[name]
    if (text === undefined) continue
    const isNumber = type === 'integer' && typeof text === 'string' && DIGITS.test(text)
    read[name] = isNumber ? Number(text) : text
  }
  return read
}

type Fault = {
  keyword: string
  schemaPath: string
  instancePath: string
  message: string
  params: Record<string, unknown>
}

/**
 * Returns the fault to report. Each alternative of a union reports its own fault: the one that got further than the
 * type of the value is meant; where none did, all alternatives are named together.
 */
function decisiveFault(faults: Fault[]): Fault | undefined {
  const unionPath = faults.find(({ keyword }) => keyword === 'anyOf')?.schemaPath
  const [first] = faults
  if (
    first === undefined ||
    unionPath === undefined ||
    !first.schemaPath.startsWith(`${unionPath}/anyOf/`)
  ) {
    return faults.find(({ keyword }) => keyword !== 'boolean')
  }
  const own = faults.filter(({ schemaPath }) => schemaPath.startsWith(`${unionPath}/anyOf/`))
  const further = own.find(
    ({ keyword, schemaPath }) => keyword !== 'type' || schemaPath.endsWith('/items'),
  )
  if (further !== undefined) return further
  return { ...first, params: { type: own.map(({ params }) => String(params.type)).join(' or ') } }
}

/** Returns the top-level property in which the fault is, or which is missing. */
function fieldOf(fault: Fault | undefined): string | undefined {
  const [missing] = (fault?.params.requiredProperties ?? []) as string[]
  return fault?.instancePath.split('/')[1] ?? missing
}

/** Returns the part of a schema that a value breaks. */
function schemaOf({ schemaPath }: Fault, schema: TSchema): Property {
  const steps = schemaPath.split('/').slice(1)
  let part: unknown = schema
  for (const step of steps) part = (part as Record<string, unknown> | undefined)?.[step]
  return (part ?? {}) as Property
}

function fieldsIn({ properties = {} }: Property): string {
  const names = Object.keys(properties)
  return names.length === 0 ? 'It takes none.' : `Its fields are ${names.join(', ')}.`
}

function sentenceOf(fault: Fault | undefined, schema: TSchema, value: unknown): string {
  if (fault === undefined) return 'The request is malformed.'
  const { keyword, params, instancePath } = fault
  const path = instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  if (keyword === 'additionalProperties') {
    const [extra] = params.additionalProperties as string[]
    return `${short(extra)} is not a field of this request; remove it. ${fieldsIn(schemaOf(fault, schema))}`
  }
  if (keyword === 'required') {
    const [missing] = params.requiredProperties as string[]
    return `${String(missing)} is required; add it.`
  }
  const field = path[0] === undefined ? 'The body' : pathName(path)
  return `${field} ${demandOf(fault, { wrong: valueAt(path, value), ...schemaOf(fault, schema) })}; got ${show(path, value)}.`
}

/** Returns the sentence for a parameter. Parameters arrive as text, so their types are described as such. */
function sentenceOfQuery(
  fault: Fault | undefined,
  schema: TSchema,
  value: Record<string, unknown>,
): string {
  const name = fault?.instancePath.split('/')[1] ?? ''
  const { type, minimum, maximum } = (schema as Property).properties?.[name] ?? {}
  if (Array.isArray(value[name])) return `${name} is repeated; send it once.`
  if (type === 'integer') {
    return `${name} must be a whole number in plain digits, ${String(minimum)} to ${String(maximum)}; got ${short(value[name])}.`
  }
  return sentenceOf(fault, schema, value)
}

/** Returns the place of a value as people write it: `urls[3]`. */
function pathName([field = '', ...rest]: string[]): string {
  return field + rest.map((step) => `[${step}]`).join('')
}

/** Patterns say little to people, so a form is told by its examples; that nothing may hold U+0000, by itself. */
function demandOf(
  { keyword, params, message }: Fault,
  { wrong, examples = [] }: Property & { wrong: unknown },
): string {
  switch (keyword) {
    case 'type':
      return `must be of type ${String(params.type)}`
    case 'minimum':
    case 'maximum':
      return `must be ${keyword === 'minimum' ? 'at least' : 'at most'} ${String(params.limit)}`
    case 'minItems':
    case 'maxItems':
      return `must have ${keyword === 'minItems' ? 'at least' : 'at most'} ${counted(params.limit, 'item')}`
    case 'minLength':
    case 'maxLength':
      return `must have ${keyword === 'minLength' ? 'at least' : 'at most'} ${counted(params.limit, 'character')}`
    case 'enum':
      return `must be one of ${(params.allowedValues as unknown[]).join(', ')}`
    case 'pattern':
    case 'format':
      return typeof wrong === 'string' && wrong.includes('\0')
        ? 'must not hold the character U+0000'
        : `must look like ${examples.map(short).join(' or ')}`
    default:
      return message
  }
}

function counted(limit: unknown, one: string): string {
  return `${String(limit)} ${one}${limit === 1 ? '' : 's'}`
}

/** Returns the wrong value for the sentence: numbers and short words in full, anything longer cut. */
function show(path: string[], value: unknown): string {
  const part = valueAt(path, value)
  return Array.isArray(part) && part.length > 3 ? `${part.length} items` : short(part)
}

function valueAt(path: string[], value: unknown): unknown {
  let part: unknown = value
  for (const key of path) part = (part as Record<string, unknown> | undefined)?.[key]
  return part
}

function short(part: unknown): string {
  const text = typeof part === 'number' ? String(part) : (JSON.stringify(part) ?? 'nothing')
  return text.length > SHOWN_CHARS_MAX ? `${text.slice(0, SHOWN_CHARS_MAX - 3)}…` : text
}
