/** A schema as rows of a table: each field with its type, its bounds and its meaning. */
import type { ApiDocument, Schema } from './openapi.ts'

export type FieldRow = {
  /** Path such as `input.urls[]`; empty for a schema that is no object. */
  path: string
  type: string
  isRequired: boolean
  about: string
  bounds: string[]
}

const DEPTH_MAX = 4
const REF = '#/components/schemas/'

export function fieldRowsOf(schema: Schema, document: ApiDocument): FieldRow[] {
  return rowsOf(schema, { document, path: '', depth: 0 })
}

type Place = { document: ApiDocument; path: string; depth: number }

function rowsOf(given: Schema, place: Place): FieldRow[] {
  const { schema } = resolved(given, place.document)
  if (schema.items !== undefined) return rowsOf(schema.items, { ...place, path: `${place.path}[]` })
  const fields = Object.entries(schema.properties ?? {})
  const deeper = (path: string): Place => ({ ...place, path, depth: place.depth + 1 })
  return fields.flatMap(([name, field]) => {
    const path = place.path === '' ? name : `${place.path}.${name}`
    const row = rowOf(field, { document: place.document, path })
    const isRequired = schema.required?.includes(name) === true
    const inner = place.depth + 1 < DEPTH_MAX ? rowsOf(field, deeper(path)) : []
    return [{ ...row, isRequired }, ...inner]
  })
}

/** Returns one row for a schema by itself, as a parameter has it. */
export function rowOf(
  given: Schema,
  { document, path }: { document: ApiDocument; path: string },
): FieldRow {
  const { schema, isNullable } = resolved(given, document)
  return {
    path,
    type: `${typeOf(schema, document)}${isNullable ? ' or null' : ''}`,
    isRequired: false,
    about: given.description ?? schema.description ?? '',
    bounds: boundsOf(schema, document),
  }
}

/** Returns the schema behind a reference, without the null that it may allow. */
function resolved(given: Schema, document: ApiDocument): { schema: Schema; isNullable: boolean } {
  const named = given.$ref?.startsWith(REF) === true ? given.$ref.slice(REF.length) : null
  const schema = named === null ? given : { ...document.components.schemas[named], ...rest(given) }
  const choices = schema.anyOf ?? []
  const others = choices.filter(({ type }) => type !== 'null')
  const [only] = others
  if (others.length === 1 && choices.length === 2 && only !== undefined)
    return { schema: resolved(only, document).schema, isNullable: true }
  return { schema, isNullable: false }
}

function rest({ $ref: _ref, ...schema }: Schema): Schema {
  return schema
}

function typeOf(given: Schema, document: ApiDocument): string {
  const { schema } = resolved(given, document)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.anyOf !== undefined)
    return schema.anyOf.map((one) => typeOf(one, document)).join(' or ')
  if (schema.items !== undefined) return `array of ${typeOf(schema.items, document)}`
  if (schema.format === 'date-time') return 'date-time'
  if (schema.format === 'uri') return 'URL'
  const { type = 'any' } = schema
  return typeof type === 'string' ? type : type.join(' or ')
}

function boundsOf(schema: Schema, document: ApiDocument): string[] {
  const { items } = schema
  const values =
    schema.enum ?? (items === undefined ? items : resolved(items, document).schema.enum)
  return [
    values === undefined ? null : `one of ${values.map(String).join(', ')}`,
    span(schema.minimum, schema.maximum, ''),
    span(schema.minLength, schema.maxLength, ' characters'),
    span(schema.minItems, schema.maxItems, ' items'),
    ...(schema.anyOf ?? []).map((one) => span(one.minItems, one.maxItems, ' items')),
    schema.default === undefined ? null : `default ${JSON.stringify(schema.default)}`,
  ].filter((bound) => bound !== null)
}

function span(least: number | undefined, most: number | undefined, unit: string): string | null {
  const isBounded = most !== undefined && most < Number.MAX_SAFE_INTEGER
  if (least !== undefined && isBounded) return `${least} to ${most}${unit}`
  if (isBounded) return `at most ${most}${unit}`
  return least === undefined || least === 0 ? null : `at least ${least}${unit}`
}
