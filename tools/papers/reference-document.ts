/** The OpenAPI document as the reference reads it, with what is found out about all of it before a line is written. */
import { PROBLEMS, type ProblemCode } from '../../src/kit/problem.ts'
import type { FieldContext, Schema } from './reference-fields.ts'

export type Example = { summary?: string; value: unknown }
type DocumentedContent = Record<string, { schema?: Schema; examples?: Record<string, Example> }>
export type DocumentedAnswer = {
  description: string
  headers?: Record<string, { $ref: string }>
  content?: DocumentedContent
}
type Parameter = {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: Schema
  'x-extension'?: boolean
}
export type Operation = {
  operationId: string
  summary: string
  description?: string
  tags?: string[]
  security?: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: { content: DocumentedContent }
  responses: Record<string, DocumentedAnswer>
  'x-extension'?: boolean
  'x-action-class'?: string
}
type Header = { description?: string; example?: unknown }
type Document = {
  info: { description: string }
  servers: { url: string }[]
  security: Record<string, string[]>[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Operation }>
  components: { schemas: Record<string, Schema>; headers: Record<string, Header> }
}
/** An operation with its method and path: `POST /jobs`. */
export type Named = Operation & { title: string }

/** The document with what is found out about all of it. */
export type Whole = Document & {
  operations: Named[]
  /** The schemas that several answers, events or schemas have: each has a section of its own. */
  sections: ReadonlySet<string>
  /** Headers by status: those that every operation with a key answers it with. */
  usualHeaders: ReadonlyMap<string, ReadonlySet<string>>
  /** What several operations say of an answer. */
  usualSentences: ReadonlySet<string>
  /** Names of the errors that every operation with a key may answer, which are written once. */
  usualErrors: ReadonlySet<string>
}

export const JSON_CONTENT = 'application/json'
const EXAMPLE_LINE_CHARS = 100

/** Reads the document. */
export function readOpenApi(openapi: Record<string, unknown>): Whole {
  const document = openapi as Document
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      title: `${method.toUpperCase()} ${path}`,
    })),
  )
  return {
    ...document,
    operations,
    sections: sectionsOf(document),
    usualHeaders: usualHeadersOf(operations),
    usualSentences: usualSentencesOf(operations),
    usualErrors: usualErrorsOf(operations),
  }
}

function sectionsOf({ paths, webhooks, components }: Document): Set<string> {
  const answers = Object.values(paths).flatMap((methods) =>
    Object.values(methods).map(({ responses }) => responses),
  )
  const uses = new Map<string, number>()
  const text = JSON.stringify([answers, webhooks, components.schemas])
  for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g))
    uses.set(name, (uses.get(name) ?? 0) + 1)
  const shared = [...uses].filter(
    ([name, times]) => times > 1 && components.schemas[name]?.properties !== undefined,
  )
  return new Set(shared.map(([name]) => name))
}

function usualHeadersOf(operations: Named[]): Map<string, Set<string>> {
  const usual = new Map<string, Set<string>>()
  for (const { responses, security } of operations) {
    if (security?.length === 0) continue
    for (const [status, { headers = {} }] of Object.entries(responses)) {
      const own = Object.keys(headers)
      const before = usual.get(status)
      usual.set(status, new Set(own.filter((field) => before?.has(field) !== false)))
    }
  }
  return usual
}

function usualSentencesOf(operations: Named[]): Set<string> {
  const said = operations.flatMap(({ responses }) => [
    ...new Set(Object.values(responses).map(({ description }) => description)),
  ])
  const seen = new Set<string>()
  const isAgain = (sentence: string): boolean => seen.size === seen.add(sentence).size
  return new Set(said.filter(isAgain))
}

function usualErrorsOf(operations: Named[]): Set<string> {
  const errors = operations
    .filter(({ security }) => security?.length !== 0)
    .map(({ responses }) => Object.entries(responses).filter(([status]) => status >= '4'))
    .map((answers) => new Set(answers.map(errorName)))
  const [first = new Set<string>(), ...others] = errors
  return new Set([...first].filter((name) => others.every((own) => own.has(name))))
}

/** Returns an error's status and codes: "401 `unauthorized`". */
export function errorName([status, answer]: [string, DocumentedAnswer]): string {
  return `${status} ${codesOf(answer).map(code).join(' or ')}`
}

/** Returns the codes that an answer may have: its examples are named after them. */
export function codesOf({ content }: DocumentedAnswer): string[] {
  return Object.keys(content?.[JSON_CONTENT]?.examples ?? {})
}

/** Returns the sentences of the codes that an answer may have, as it has them where it says nothing else. */
export function codesSentence(answer: DocumentedAnswer): string {
  return codesOf(answer)
    .map((one) => PROBLEMS[one as ProblemCode].sentence)
    .join(' Or: ')
}

/** Whether an error's sentence is that of its codes, or of several operations: the sections of the codes have it. */
export function isUsual(answer: DocumentedAnswer, { usualSentences }: Whole): boolean {
  const { description } = answer
  return description === codesSentence(answer) || usualSentences.has(description)
}

/** Returns the most complete of the examples, each of its fields on a line of its own where they are long. */
export function exampleOf(examples: Record<string, Example> = {}): string {
  const values = Object.values(examples).map(({ value }) => value)
  const longest = values.reduce<unknown>((one, other) => {
    const isLonger = JSON.stringify(other).length > (JSON.stringify(one) ?? '').length
    return isLonger ? other : one
  }, undefined)
  if (longest === undefined) return ''
  if (typeof longest === 'string') return `\`\`\`text\n${longest.trimEnd()}\n\`\`\`\n\n`
  const whole = JSON.stringify(longest)
  if (whole.length <= EXAMPLE_LINE_CHARS || Array.isArray(longest))
    return `\`\`\`json\n${whole}\n\`\`\`\n\n`
  const fields = Object.entries(longest as object).map(
    ([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  )
  return `\`\`\`json\n{\n${fields.join(',\n')}\n}\n\`\`\`\n\n`
}

/** Returns what the fields of one side are written with. */
export function contextOf(
  { components, sections }: Whole,
  side: FieldContext['side'],
): FieldContext {
  return { schemas: components.schemas, sections, side }
}

/** Returns a heading that links lead to: Markdown readers make anchors of headings in ways of their own. */
export function heading(depth: number, anchor: string, words: string): string {
  return `<a id="${anchor}"></a>\n\n${'#'.repeat(depth)} ${words}\n\n`
}

/** Returns a word as code. */
export function code(text: string): string {
  return `\`${text}\``
}
