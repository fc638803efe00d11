/** What calls of the reference are made of, from the OpenAPI document; every text comes from `/docs.md`. */

type DocumentedOperation = {
  operationId: string
  tags?: string[]
  security?: unknown[]
  parameters?: CallParameter[]
  requestBody?: { content: Record<string, { examples?: Record<string, { value: unknown }> }> }
}
export type CallParameter = {
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
}

export function operationsOf({ paths }: ApiDocument): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { operationId, tags = [], security, parameters = [], requestBody } = operation
      const examples = requestBody?.content['application/json']?.examples ?? {}
      return {
        operationId,
        tag: tags[0] ?? '',
        method: method.toUpperCase(),
        path,
        needsKey: security?.length !== 0,
        parameters,
        body: Object.values(examples)[0]?.value ?? (requestBody === undefined ? null : {}),
      }
    }),
  )
}
