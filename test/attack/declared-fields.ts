/**
 * The fields of a route, as its schemas declare them, with values that are right: what a request is made of before one
 * field of it is made hostile. A schema that is not understood here is reported, so that no field is passed over.
 */
import assert from 'node:assert/strict'
import diagnostics from 'node:diagnostics_channel'
import fc from 'fast-check'
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify'

/** A route as it was registered; `url` has its prefix and its `:parameters`. */
export type DeclaredRoute = { method: string; url: string; schema: FastifySchema }

/** Collects the routes of each application that is built in this process from now on, by method and address. */
export function collectRoutes(): Map<string, DeclaredRoute> {
  const routes = new Map<string, DeclaredRoute>()
  diagnostics.subscribe('fastify.initialization', (message) => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', ({ method, url, schema = {} }: RouteOptions) => {
      for (const one of [method].flat())
        routes.set(`${one} ${url}`, { method: one, url, schema: { ...schema } })
    })
  })
  return routes
}

// A JSON schema as the routes write it.
export type Schema = {
  type?: string
  enum?: unknown[]
  const?: unknown
  pattern?: string
  minLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  format?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
}

/** Right values by the name of their field, where their schema alone does not lead past the first check. */
const VALUES: Record<string, unknown> = {
  urls: 'https://youtu.be/jNQXAC9IVRw',
  url: 'https://hooks.example.org/x',
  source: 'https://www.youtube.com/@dailynotes',
  email: 'somebody@example.org',
  password: 'a long enough sentence',
  publishedAfter: '2020-01-01',
  publishedBefore: '2030-01-01',
  reason: 'because',
  usd: '1',
  monthlyCap: '5',
  amountUsd: 'nothing that would be asked of the payment service',
  callbackURL: '/jobs',
  errorCallbackURL: '/jobs',
}

/** Returns a right value of a field; throws for a schema of a kind that is not known here. */
export function valueOf(schema: Schema, name = ''): unknown {
  if (Object.hasOwn(VALUES, name)) return VALUES[name]
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  if (schema.anyOf !== undefined) return valueOf(schema.anyOf[0] ?? {}, name)
  switch (schema.type) {
    case 'string':
      return textOf(schema)
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return false
    case 'array':
      return schema.minItems === undefined ? [] : [valueOf(schema.items ?? {}, name)]
    case 'object':
    case undefined:
      return objectOf(schema, name)
    default:
      return assert.fail(`${name} has a schema of a kind that is not known: ${schema.type}`)
  }
}

function textOf({ pattern, minLength = 0, format }: Schema): string {
  if (format === 'date') return '2026-01-01'
  if (format === 'date-time') return '2026-01-01T00:00:00Z'
  if (pattern === undefined) return 'x'.repeat(Math.max(1, minLength))
  const form = new RegExp(pattern, 'u') // with the flag of typebox
  const matching = fc.stringMatching(form).filter((text) => text.length >= minLength)
  return fc.sample(matching, { numRuns: 1, seed: 1 })[0] ?? ''
}

/** Returns an object with the fields that it must have. */
function objectOf({ properties = {}, required = [] }: Schema, name: string): unknown {
  if (Object.keys(properties).length === 0 && name !== '') return {}
  return Object.fromEntries(
    required.map((field) => [field, valueOf(properties[field] ?? {}, field)]),
  )
}

/** Returns the places in a body: each field with those inside it, a list by its first item. */
export function placesIn(schema: Schema, at: string[] = []): string[][] {
  const inner = [schema, ...(schema.anyOf ?? [])]
  const fields = inner.flatMap(({ properties = {}, items }) => [
    ...Object.entries(properties),
    ...(items === undefined ? [] : [['0', items] as [string, Schema]]),
  ])
  return fields.flatMap(([name, field]) => [[...at, name], ...placesIn(field, [...at, name])])
}

/** Returns the text of a body in which the value at a place is replaced; what leads there is made where missing. */
export function bodyWith(body: unknown, [name, ...rest]: string[], text: string): string {
  if (name === undefined) return text
  const own = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
  if (/^\d+$/.test(name)) return `[${bodyWith(own[name], rest, text)}]`
  const others = Object.entries(own).filter(([key]) => key !== name)
  const pairs = others.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`)
  return `{${[...pairs, `${JSON.stringify(name)}:${bodyWith(own[name], rest, text)}`].join(',')}}`
}

/** Returns what of a route an attack that is made from its schemas would miss, in a sentence each. */
export function blindSpotsOf({ url, schema }: DeclaredRoute): string[] {
  const { params, querystring, body, form } = schema as Record<string, Schema | undefined>
  const spots: string[] = []
  for (const [name, field] of Object.entries(params?.properties ?? {})) {
    if (!url.includes(`:${name}`)) spots.push(`${name} is no part of the address`)
    if (field.pattern === undefined && field.enum === undefined)
      spots.push(`${name} has no pattern, so that anything reaches the database`)
  }
  for (const [place, declared] of Object.entries({ params, querystring, body, form })) {
    if (declared === undefined) continue
    const isOpen = Object.keys(declared.properties ?? {}).length === 0
    if (isOpen) spots.push(`${place} names no fields`)
    for (const [name, field] of Object.entries(declared.properties ?? {}))
      try {
        valueOf(field, name)
      } catch (error) {
        spots.push((error as Error).message)
      }
  }
  return spots
}
