/** Schemas of the OpenAPI document as lines of Markdown: each field with its type, its limits and its meaning. */

export type Schema = {
  $ref?: string
  type?: string
  format?: string
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  additionalProperties?: boolean | Schema
  patternProperties?: Record<string, Schema>
  anyOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  pattern?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  minProperties?: number
  'x-extension'?: boolean
}

/** What a schema is written with. */
export type FieldContext = {
  schemas: Record<string, Schema>
  /** The components that have a section of their own; any other is written where it is used. */
  sections: ReadonlySet<string>
  /** A request says which fields are required, an answer which may be missing. */
  side: 'request' | 'answer'
}

const REF = '#/components/schemas/'

/** Returns the component that a schema refers to; null for a schema that stands for itself. */
export function componentOf(schema: Schema): string | null {
  return schema.$ref?.startsWith(REF) === true ? schema.$ref.slice(REF.length) : null
}

/** Returns the link to a component's section. */
export function linkTo(component: string): string {
  return `[${component}](#schema-${component})`
}

/** Returns a line for each field of a schema, with its path: `billing.reserved`, `videos[].title`, `files.*`. */
export function fieldLines(given: Schema, context: FieldContext, path = ''): string[] {
  const schema = written(given, context)
  if (schema === null) return []
  const inside = (name: string): string => (path === '' ? name : `${path}.${name}`)
  const values = valuesOf(schema)
  return [
    ...(schema.anyOf ?? []).flatMap((one) => fieldLines(one, context, path)),
    ...(schema.items === undefined ? [] : fieldLines(schema.items, context, `${path}[]`)),
    ...(values === null ? [] : fieldLines(values, context, inside('*'))),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
      const isRequired = schema.required?.includes(name) === true
      const line = fieldLine(inside(name), field, { ...context, isRequired })
      return [line, ...fieldLines(field, context, inside(name))]
    }),
  ]
}

/** Returns the line of one field or parameter. */
export function fieldLine(
  path: string,
  field: Schema,
  context: FieldContext & { isRequired: boolean },
): string {
  const { isRequired, side } = context
  const about = aboutOf(field, context)
  const facts = [
    typeOf(field, context),
    isRequired && side === 'request' ? 'required' : null,
    !isRequired && side === 'answer' ? 'may be missing' : null,
    defaultOf(field, context),
    field['x-extension'] === true ? 'extension' : null,
  ].filter((fact) => fact !== null)
  return `- \`${path}\` (${facts.join('; ')})${about === '' ? '' : `: ${oneLine(about)}`}\n`
}

/** Returns what values a schema takes: `1 to 500`, `one of ...`, or a link to the section that says it. */
export function typeOf(given: Schema, context: FieldContext): string {
  const schema = written(given, context)
  if (schema === null) return linkTo(componentOf(given) ?? '')
  const limits = limitsOf(schema)
  return [kindOf(schema, context), ...(context.side === 'request' ? limits : [])].join(', ')
}

function kindOf(schema: Schema, context: FieldContext): string {
  if (schema.const !== undefined) return code(schema.const)
  if (schema.enum !== undefined) return `one of ${schema.enum.map(code).join(', ')}`
  if (schema.anyOf !== undefined) {
    const kinds = schema.anyOf.map((one) => typeOf(one, context))
    return kinds.join(kinds.some((kind) => kind.includes(',')) ? ', or ' : ' or ')
  }
  if (schema.items !== undefined) return `array of ${typeOf(schema.items, context)}`
  const values = valuesOf(schema)
  if (values !== null) return `object of ${typeOf(values, context)} by name`
  return FORMATS[schema.format ?? ''] ?? schema.type ?? 'any'
}

const FORMATS: Record<string, string> = { 'date-time': 'date-time', uri: 'URL', binary: 'bytes' }

function limitsOf(schema: Schema): string[] {
  return [
    span([schema.minimum, schema.maximum]),
    span([schema.minLength, schema.maxLength], 'character'),
    span([schema.minItems, schema.maxItems], 'item'),
    span([schema.minProperties, undefined], 'field'),
    schema.pattern === undefined ? null : `matches ${code(schema.pattern)}`,
  ].filter((limit) => limit !== null)
}

function span([least, most]: (number | undefined)[], unit = ''): string | null {
  const counted = (count: number): string =>
    unit === '' ? `${count}` : `${count} ${count === 1 ? unit : `${unit}s`}`
  if (most !== undefined && most < Number.MAX_SAFE_INTEGER)
    return least === undefined ? `at most ${counted(most)}` : `${least} to ${counted(most)}`
  return least === undefined ? null : `at least ${counted(least)}`
}

function defaultOf(field: Schema, context: FieldContext): string | null {
  const value = field.default ?? written(field, context)?.default
  if (value === undefined) return null
  return `default ${[value].flat().map(code).join(', ')}`
}

/** Returns a schema's own sentence, or that of what it holds. */
function aboutOf(given: Schema, context: FieldContext): string {
  const schema = written(given, context)
  const held = [...(schema?.anyOf ?? []), schema?.items ?? {}]
  const about = [given, schema, ...held].map((one) => one?.description)
  return about.find((sentence) => sentence !== undefined) ?? ''
}

/** Returns the schema to write in this place; null where a section of its own has it. */
function written(schema: Schema, { schemas, sections, side }: FieldContext): Schema | null {
  const component = componentOf(schema)
  if (component === null) return schema
  if (side === 'answer' && sections.has(component)) return null
  return schemas[component] ?? {}
}

/** Returns the schema of the values of an object whose names are free; null for any other. */
function valuesOf({ additionalProperties, patternProperties = {} }: Schema): Schema | null {
  if (typeof additionalProperties === 'object') return additionalProperties
  return Object.values(patternProperties)[0] ?? null
}

function code(value: unknown): string {
  return `\`${String(value)}\``
}

function oneLine(text: string): string {
  return text.replaceAll('\n', ' ')
}
