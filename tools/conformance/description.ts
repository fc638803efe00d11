/** The deployment's own OpenAPI document, against which answers are checked. */
import assert from 'node:assert/strict'
import { Compile } from 'typebox/schema'
import type { Json, Reply } from './http.ts'

type Checker = { Check(value: unknown): boolean; Errors(value: unknown): unknown }

export class Description {
  readonly document: Json
  readonly #basePath: string
  readonly #checkers = new Map<string, Checker>()
  readonly #paths: { form: RegExp; operations: Json }[]

  constructor(document: Json, baseUrl: string) {
    this.document = document
    this.#basePath = new URL(baseUrl).pathname
    this.#paths = Object.entries<Json>(document['paths']).map(([path, operations]) => {
      const parts = path
        .split('/')
        .map((part) => (part.startsWith('{') ? '[^/]+' : part.replaceAll('.', String.raw`\.`)))
      return { form: new RegExp(`^${parts.join('/')}$`), operations }
    })
  }

  /** Throws where an answer of a documented operation is not documented, or does not match its schema. */
  holds(method: string, path: string, reply: Reply): void {
    const operation = this.operationAt(method, path)
    if (operation === null) return
    const what = `${operation['operationId']} answered ${reply.status}`
    const documented: Json | undefined = operation['responses'][reply.status]
    assert.ok(documented !== undefined, `${what}, which is not documented`)
    for (const header of Object.keys(documented['headers'] ?? {})) {
      if (OPTIONAL_HEADERS.has(header)) continue
      assert.ok(reply.headers.has(header), `${what} without ${header}`)
    }
    const schema: unknown = documented['content']?.['application/json']?.schema
    const isJson = reply.headers.get('content-type')?.startsWith('application/json') === true
    if (
      schema === undefined ||
      !isJson ||
      method === 'HEAD' ||
      reply.headers.has('content-encoding')
    )
      return
    const checker = this.#checkerOf(schema)
    if (!checker.Check(reply.body))
      assert.fail(`${what}: ${JSON.stringify(checker.Errors(reply.body)).slice(0, 300)}`)
  }

  /** Returns the operation behind an address, or null. HEAD has that of GET. */
  operationAt(method: string, path: string): Json | null {
    const whole = path.startsWith('http')
      ? new URL(path).pathname.slice(this.#basePath.length)
      : path
    const address = whole.split(/[?#]/, 1)[0] ?? ''
    const found = this.#paths.find(({ form }) => form.test(address))
    return found?.operations[method === 'HEAD' ? 'get' : method.toLowerCase()] ?? null
  }

  #checkerOf(schema: unknown): Checker {
    const key = JSON.stringify(schema)
    const checker =
      this.#checkers.get(key) ??
      (Compile({
        ...(schema as object),
        components: this.document['components'],
      } as never) as Checker)
    this.#checkers.set(key, checker)
    return checker
  }
}

/** A snapshot of a running job's file has no tag, and most orders are covered. */
const OPTIONAL_HEADERS = new Set([
  'X-Invalid-Field',
  'ETag',
  'X-Owned-Videos',
  'X-Balance-Notice',
  'X-Batch',
])
