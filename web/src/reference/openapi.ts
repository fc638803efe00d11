/** The OpenAPI document as the reference reads it: operations by tag, and every error code with its answers. */

export type Schema = {
  $ref?: string
  type?: string | string[]
  format?: string
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  additionalProperties?: boolean | Schema
  patternProperties?: Record<string, Schema>
  anyOf?: Schema[]
  oneOf?: Schema[]
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
}
type Example = { summary?: string; value: unknown }
export type Content = Record<string, { schema?: Schema; examples?: Record<string, Example> }>
export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  example?: unknown
  schema: Schema
  'x-extension'?: boolean
}
export type Answer = { description: string; content?: Content; headers?: Record<string, unknown> }
type DocumentedOperation = {
  operationId: string
  summary: string
  description?: string
  tags?: string[]
  security?: unknown[]
  parameters?: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, Answer>
  'x-extension'?: boolean
}
export type Operation = DocumentedOperation & { method: string; path: string }
export type ApiDocument = {
  info: { version: string; description: string }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, DocumentedOperation>>
  components: { schemas: Record<string, Schema> }
}
export type ErrorCode = { code: string; answers: { status: string; message: string }[] }

export function operationsOf(document: ApiDocument, tag?: string): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => tag === undefined || operation.tags?.includes(tag) === true)
      .map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  )
}

/** Returns every code with the statuses and sentences that some operation answers, each once. */
export function errorCodesOf(document: ApiDocument): ErrorCode[] {
  const codes = new Map<string, Map<string, string>>()
  for (const { responses } of operationsOf(document)) {
    for (const [status, { content }] of Object.entries(responses)) {
      for (const { value } of Object.values(content?.['application/json']?.examples ?? {})) {
        const { error } = value as { error?: { code: string; message: string } | null }
        if (typeof error?.code !== 'string') continue
        const answers = codes.get(error.code) ?? new Map<string, string>()
        codes.set(error.code, answers.set(`${status} ${error.message}`, error.message))
      }
    }
  }
  return [...codes]
    .map(([code, answers]) => ({
      code,
      answers: [...answers].map(([key, message]) => ({ status: key.slice(0, 3), message })),
    }))
    .sort((one, other) =>
      (one.answers[0]?.status ?? '') < (other.answers[0]?.status ?? '') ? -1 : 1,
    )
}

/** Returns the anchor of the part about an error code, to which error answers link. */
export function errorAnchor(code: string): string {
  return `error-${code}`
}
