/** TypeScript types of the two interfaces, by a public generator that is installed apart with its own compiler. */
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { REPLIES } from '../../src/api/account-api/replies.ts'

const GENERATOR = path.resolve(import.meta.dirname, '../openapi-types/print.ts')

/** Options of a client, which the generator always prints, and a comment of one line, for which it takes three. */
const OPTIONS = /export type ClientOptions = \{[^}]*\};\n\n/
const SHORT_COMMENT = /\/\*\*\n *\* (.*)\n *\*\//g

/** Returns the types of the TypeScript client from the OpenAPI document. */
export function typesOfClient(openapi: object): string {
  return typesOf(openapi, ['the public API', 'its OpenAPI document'])
}

/** Returns the types that the website has of the account API, from the schemas of its replies. */
export function typesOfAccountApi(): string {
  const info = { title: 'Account API', version: '1' }
  const schemas = withReferences(JSON.parse(JSON.stringify(REPLIES)) as Record<string, unknown>)
  const printed = typesOf({ openapi: '3.1.0', info, paths: {}, components: { schemas } }, [
    'what the account API answers',
    'src/api/account-api/replies.ts',
  ])
  return printed.replace(OPTIONS, '').replaceAll(SHORT_COMMENT, '/** $1 */')
}

/** Returns the schemas, each of which stands once: where another one holds it, its name stands in its place. */
function withReferences(schemas: Record<string, unknown>): Record<string, unknown> {
  const names = new Map(
    Object.entries(schemas).map(([name, schema]) => [JSON.stringify(schema), name]),
  )
  const named = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    const name = names.get(JSON.stringify(value))
    return name === undefined ? within(value) : { $ref: `#/components/schemas/${name}` }
  }
  const within = (value: object): unknown =>
    Array.isArray(value)
      ? value.map(named)
      : Object.fromEntries(Object.entries(value).map(([field, held]) => [field, named(held)]))
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, within(schema as object)]),
  )
}

/** `head` names the API whose types they are, and their source. */
function typesOf(document: object, head: [what: string, source: string]): string {
  const input = JSON.stringify(document)
  const printed = spawnSync(process.execPath, [GENERATOR, ...head], { input, encoding: 'utf8' })
  if (printed.status !== 0) throw new Error(`${GENERATOR} failed: ${printed.stderr}`)
  return printed.stdout
}
