/**
 * Calls of the reference and examples of what is sent and answered, from the OpenAPI document; every text comes from
 * `/docs.md`.
 */

type DocumentedOperation = {
  operationId: string
  tags?: string[]
  security?: unknown[]
  parameters?: CallParameter[]
  requestBody?: { content: Content }
  responses: Record<string, { content?: Content }>
}
type Content = Record<string, { examples?: Record<string, { summary?: string; value: unknown }> }>
type CallParameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  example?: unknown
  schema: { default?: unknown }
}
export type ApiDocument = {
  info: { version: string }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, DocumentedOperation>>
}
export type Operation = {
  operationId: string
  tag: string
  method: string
  path: string
  needsKey: boolean
  parameters: CallParameter[]
  /** An example of the body; null where the operation takes none. */
  body: unknown
  /** Good answers by their status, and bodies. */
  examples: Example[]
}
export type Example = { title: string; text: string }

export function operationsOf({ paths }: ApiDocument): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { operationId, tags, security, parameters = [], requestBody, responses } = operation
      const examples = requestBody?.content['application/json']?.examples ?? {}
      return {
        operationId,
        tag: tags?.[0] ?? '',
        method: method.toUpperCase(),
        path,
        needsKey: security?.length !== 0,
        parameters,
        body: Object.values(examples)[0]?.value ?? (requestBody === undefined ? null : {}),
        examples: [
          ...Object.entries(responses)
            .filter(([status]) => status.startsWith('2'))
            .flatMap(([status, { content }]) => examplesIn(status, content)),
          ...examplesIn('Body', requestBody?.content),
        ],
      }
    }),
  )
}

function examplesIn(place: string, content: Content = {}): Example[] {
  return Object.values(content)
    .flatMap(({ examples = {} }) => Object.values(examples))
    .map(({ summary = '', value }) => ({
      title: `${place}: ${summary}`,
      text: typeof value === 'string' ? value : JSON.stringify(value, null, 2),
    }))
}
