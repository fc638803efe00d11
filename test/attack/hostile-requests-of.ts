/** Requests with one hostile field, for each field of a route that its schemas declare. */
import type { OutgoingHttpHeaders } from 'node:http'
import { bodyWith, type DeclaredRoute, placesIn, type Schema, valueOf } from './declared-fields.ts'
import {
  ODD_BODIES,
  ENCODED,
  HEADER_VALUES,
  ATTACKED_HEADERS,
  JSON_TEXTS,
  NO_UTF8,
  oddFormsOf,
  WORDS,
} from './hostile-values.ts'

export type OddRequest = {
  method: string
  /** The target as it is sent. */
  path: string
  headers: OutgoingHttpHeaders
  body?: string | Buffer
}

/** Ids of things that exist, by the beginning of the addresses that name one. */
export type KnownIds = Record<string, string>

const JSON_TYPE = { 'content-type': 'application/json' }
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }

/** Returns the requests; a deletion names nothing that exists, since it would be gone for those that follow. */
export function* hostileRequestsOf(route: DeclaredRoute, ids: KnownIds): Generator<OddRequest> {
  const { method, url } = route
  const schemas = route.schema as Record<string, Schema | undefined>
  const { params, querystring, body, form } = schemas
  const values = valuesOf(route, params, method === 'DELETE' ? {} : ids)
  const path = pathOf(url, values)
  const right = body === undefined ? null : valueOf(body)
  const plain: OddRequest = {
    method,
    path,
    headers: body === undefined ? (form === undefined ? {} : FORM_TYPE) : JSON_TYPE,
    ...(right === null ? {} : { body: JSON.stringify(right) }),
  }
  for (const [, name = ''] of url.matchAll(/:(\w+)/g))
    for (const value of encodedFor(url + name))
      yield { ...plain, path: pathOf(url, { ...values, [name]: value }) }
  for (const name of Object.keys(querystring?.properties ?? {}))
    for (const query of queriesOf(name)) yield { ...plain, path: `${path}?${query}` }
  for (const value of ['%00', '%ED%A0%80', '%ff'])
    yield { ...plain, path: `${path}?undeclared=${value}` }
  for (const name of Object.keys(form?.properties ?? {}))
    for (const text of formsOf(form ?? {}, name)) yield { ...plain, body: text }
  for (const place of body === undefined ? [] : placesIn(body))
    for (const text of jsonTextsFor(url + place.join()))
      yield { ...plain, body: bodyWith(right, place, text) }
  if (method === 'GET' || method === 'HEAD') return yield* headersOf(plain)
  if (body === undefined && form === undefined) return
  for (const bytes of [...ODD_BODIES, NO_UTF8]) yield { ...plain, body: bytes }
  for (const type of ['text/plain', 'application/json; charset=utf-16', '\xff', ''])
    yield { ...plain, body: '{}', headers: { 'content-type': type } }
  yield* headersOf({ ...plain, body: '{}' })
}

/** Returns the values for a field in a path or a query; which of the words is among them depends on the field. */
function encodedFor(field: string): string[] {
  return [...ENCODED, encodeURIComponent(wordFor(field))]
}

/** Returns the values for a field in JSON, as `encodedFor` does. */
export function jsonTextsFor(field: string): string[] {
  return [...JSON_TEXTS, JSON.stringify(wordFor(field))]
}

function wordFor(field: string): string {
  return WORDS[field.length % WORDS.length] ?? ''
}

function queriesOf(name: string): string[] {
  return [...encodedFor(name).map((value) => `${name}=${value}`), ...oddFormsOf(name)]
}

/** Returns forms in which one field is hostile, and the others are there. */
function formsOf(form: Schema, name: string): (string | Buffer)[] {
  const others = Object.keys(form.properties ?? {}).filter((other) => other !== name)
  const right = others.map((other) => `${other}=${RIGHT_FORM[other] ?? 'x'}`).join('&')
  const texts = [...queriesOf(name), `${name}=\0`].map((text) => `${right}&${text}`)
  return [...texts, Buffer.from(`${right}&${name}=\xff`, 'latin1'), `\0${name}=x&${right}`]
}

/** Values that lead past the first checks of OAuth. */
const RIGHT_FORM: Record<string, string> = {
  client_id: 'scriptorium-cli',
  grant_type: 'refresh_token',
  scope: 'transcripts:read',
  video: 'jNQXAC9IVRw',
}

/** Yields each header with one value, another one for each route: all routes together try all of them. */
function* headersOf(plain: OddRequest): Generator<OddRequest> {
  const turn = plain.path.length
  for (const [at, name] of ATTACKED_HEADERS.entries()) {
    const value = HEADER_VALUES[(turn + at) % HEADER_VALUES.length]
    yield { ...plain, headers: { ...plain.headers, [name]: value } }
  }
}

function valuesOf(
  { url }: DeclaredRoute,
  params: Schema | undefined,
  ids: KnownIds,
): Record<string, string> {
  const names = Array.from(url.matchAll(/:(\w+)/g), ([, name = '']) => name)
  const known = Object.entries(ids).find(([start]) => url.startsWith(`${start}:`))?.[1]
  return Object.fromEntries(
    names.map((name, at) => {
      const schema = params?.properties?.[name]
      const made = schema === undefined ? 'x' : String(valueOf(schema, name))
      return [name, at === 0 ? (known ?? made) : made]
    }),
  )
}

/** Returns the address with values in place of its parameters and of their forms, `:id(^whk_\w+$)`. */
function pathOf(url: string, values: Record<string, string>): string {
  return url.replaceAll(/:(\w+)(?:\([^)]*\))?/g, (_whole, name: string) => values[name] ?? 'x')
}
