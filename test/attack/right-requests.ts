/**
 * Right requests of a route or a tool, made from its schemas: without what may be left out, and with each field and
 * each choice of it once. What is named is what a customer owns, so that nothing answers early.
 */
import assert from 'node:assert/strict'
import { textsOf } from '../support/pattern-texts.ts'
import { type DeclaredRoute, type Schema, valueOf } from './declared-fields.ts'

/** Values that stand for something large, by the name of a field, or by how an address ends before what it names. */
export type NamedValues = {
  inPaths: Record<string, readonly string[]>
  inFields: Record<string, readonly unknown[]>
}

export type RightRequest = {
  method: string
  path: string
  type?: string
  body?: string
  /** True where only what is required is in the address. */
  isPlain: boolean
}

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'

/** Throws where a part of the address has no value, with the name of what is missing. */
export function rightRequestsOf(route: DeclaredRoute, named: NamedValues): RightRequest[] {
  const { method, url } = route
  const { params, querystring, body, form } = route.schema as Record<string, Schema | undefined>
  const paths = pathsOf(url, params, named)
  const queries = Object.entries(querystring?.properties ?? {}).flatMap(choicesOf(named))
  const needed = (querystring?.required ?? []).map((name) => {
    return pairOf(name, bestOf(named, name, querystring?.properties?.[name] ?? {})[0])
  })
  const withQuery = (path: string, query: string): string => {
    const pairs = [...needed.filter((pair) => !query.startsWith(`${pair.split('=')[0]}=`)), query]
    const search = pairs.filter((pair) => pair !== '').join('&')
    return search === '' ? path : `${path}?${search}`
  }
  // Each place is asked for plainly, and the first file of each with every choice.
  const plain = paths.map((path) => withQuery(path, ''))
  const chosen = firstFilesOf(paths, url).flatMap((path) =>
    queries.map((one) => withQuery(path, one)),
  )
  const bodies =
    body === undefined ? [undefined] : bodiesOf(body, named).map((one) => JSON.stringify(one))
  const type = body !== undefined ? JSON_TYPE : form !== undefined ? FORM_TYPE : undefined
  const ask = (path: string, isPlain: boolean, one?: string): RightRequest => ({
    method,
    path,
    isPlain,
    ...(type === undefined ? {} : { type }),
    ...(one === undefined ? {} : { body: one }),
  })
  return [
    ...plain.flatMap((path) => bodies.map((one) => ask(path, true, one))),
    ...chosen.map((path) => ask(path, false, bodies[0])),
  ]
}

/** Returns the addresses without those that differ from an earlier one in the file alone. */
function firstFilesOf(paths: string[], url: string): string[] {
  if (!url.endsWith('/:file')) return paths
  const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/'))
  return paths.filter(
    (path, at) => paths.findIndex((one) => folderOf(one) === folderOf(path)) === at,
  )
}

/** Returns bodies or arguments: with what is required, and with each other field in each of its values. */
export function bodiesOf(schema: Schema, named: NamedValues): Record<string, unknown>[] {
  const { properties = {}, required = [] } = schema
  const best = (name: string): readonly unknown[] => bestOf(named, name, properties[name] ?? {})
  const right = Object.fromEntries(required.map((name) => [name, best(name)[0]]))
  const others = Object.keys(properties).flatMap((name) =>
    best(name)
      .slice(required.includes(name) ? 1 : 0)
      .map((value) => ({ ...right, [name]: value })),
  )
  return [right, ...others]
}

function bestOf(named: NamedValues, name: string, schema: Schema): readonly unknown[] {
  const own = (named.inFields[name] ?? []).filter((value) => fits(value, schema))
  if (own.length > 0) return own
  if (schema.enum !== undefined) return schema.enum
  if (schema.type === 'integer' && schema.maximum !== undefined) return [schema.maximum]
  return [valueOf(schema, name)]
}

/** Whether a value that is named may stand in a field: fields of one name differ from route to route. */
function fits(value: unknown, { enum: choices, type, pattern, items }: Schema): boolean {
  if (choices !== undefined) return choices.includes(value)
  if (type === 'array' && Array.isArray(value))
    return value.every((one) => typeof one !== 'string' || items === undefined || fits(one, items))
  if (type === 'integer' || type === 'number') return typeof value === 'number'
  if (type === 'string' && typeof value === 'string')
    return new RegExp(pattern ?? '', 'u').test(value)
  return type === undefined
}

function choicesOf(named: NamedValues): (field: [string, Schema]) => string[] {
  return ([name, schema]) => bestOf(named, name, schema).map((value) => pairOf(name, value))
}

function pairOf(name: string, value: unknown): string {
  return `${name}=${encodeURIComponent(String(value))}`
}

/** Returns the addresses with all values of their parameters. */
function pathsOf(url: string, params: Schema | undefined, { inPaths }: NamedValues): string[] {
  let paths = [url]
  for (const [part, name = ''] of url.matchAll(/:(\w+)(?:\([^)]*\))?/g)) {
    const pattern = params?.properties?.[name]?.pattern
    const values = name === 'file' && pattern !== undefined ? textsOf(pattern) : valuesAt(url, part)
    paths = paths.flatMap((path) => values.map((value) => path.replace(part, value)))
  }
  return paths

  function valuesAt(whole: string, part: string): readonly string[] {
    const before = whole.slice(0, whole.indexOf(part)) + part.split('(')[0]
    const found = Object.entries(inPaths).find(([end]) => before.endsWith(end))
    assert.ok(found !== undefined, `nothing is named for ${part} of ${url}`)
    return found[1]
  }
}
