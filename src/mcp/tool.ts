/**
 * A tool of the Model Context Protocol: what an agent is told of it, and what it does. It runs our verbs for the
 * account that called, as a route does; a refusal is a Problem.
 */
import { type Static, type TSchema, Type } from 'typebox'
import { pagingOf } from '../api/contract.ts'
import type { Balance } from '../model/money/ledger.ts'
import { compileValidator } from '../kit/http/validation.ts'
import type { AppScope } from '../model/oauth/authorization.ts'
import type { OwnKey } from '../store/authentication.ts'
import { escapedJson } from '../kit/text/controls.ts'
import { plainArguments, refuseOthers } from './arguments.ts'

/** What directories and clients ask before they let an agent call a tool; all four are always said. */
export type Hints = {
  readOnlyHint: boolean
  destructiveHint: boolean
  idempotentHint: boolean
  openWorldHint: boolean
}

/** Hints of tools that change nothing and call no service but ours. */
export const READS: Hints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}

/** The caller, as the API's authentication found it. */
export type AgentCall = {
  accountId: string
  /** The connection of the app that calls, by which its own spending is capped; null for a key of the owner. */
  connectionId: string | null
  /** The owner's key, which is recorded with the job; null for an app or the website. */
  ownKey: OwnKey | null
  balance: Balance
  /** The caller's trace; null where the request names none. */
  traceparent: string | null
  /** Aborts when the caller leaves. */
  departure: AbortSignal
}

export type ToolContent =
  | { type: 'text'; text: string }
  | { type: 'resource_link'; uri: string; name: string; mimeType: string }

export type ToolAnswer = {
  content: ToolContent[]
  structuredContent?: Record<string, unknown>
  isError?: boolean
}

/** A tool as `tools/list` shows it. */
export type ToolDescription = {
  name: string
  title: string
  description: string
  inputSchema: { type: 'object'; [key: string]: unknown }
  annotations: Hints
}

/** What a caller must be allowed to do: what a scope allows, or `everything`, as a key without restrictions is. */
export type Need = AppScope | 'everything'

export type Tool = {
  description: ToolDescription
  /** All that is needed to call it. */
  needs: readonly Need[]
  /** Checks the arguments, whatever they are, and throws the Problem of the first wrong one. */
  run(args: unknown, call: AgentCall): Promise<ToolAnswer>
}

type ToolDefinition<Schema extends TSchema> = {
  name: string
  title: string
  description: string
  input: Schema
  hints: Hints
  needs: readonly Need[]
  run(args: Static<Schema>, call: AgentCall): Promise<ToolAnswer>
}

/** Defines a tool; its schema is compiled here, once. */
export function defineTool<Schema extends TSchema>(definition: ToolDefinition<Schema>): Tool {
  const { input, hints, needs, run, ...words } = definition
  const check = compileValidator({ schema: input, method: 'POST', url: '/mcp', httpPart: 'body' })
  return {
    description: { ...words, inputSchema: plainSchema(input), annotations: hints },
    needs,
    async run(sent, call) {
      const args = plainArguments(input, sent)
      refuseOthers(words.name, input, args)
      const checked = await check(args)
      if (typeof checked === 'object' && checked.error !== undefined) throw checked.error
      return run(args as Static<Schema>, call)
    },
  }
}

/** Returns a small result in both places: clients show their model the one or the other. */
export function jsonAnswer(result: Record<string, unknown>, more: ToolContent[] = []): ToolAnswer {
  const text = { type: 'text' as const, text: escapedJson(JSON.stringify(result)) }
  return { content: [text, ...more], structuredContent: result }
}

/** Returns the fields of which something is known. */
export function withoutNulls(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
}

/** Returns a field of the contract, described in fewer words, or in none where its name says enough. */
export function briefly<T extends TSchema>(field: T, description?: string): T {
  const { description: _, ...bare } = field as Record<string, unknown>
  const brief = { ...bare, ...(description === undefined ? {} : { description }) }
  return (Type.IsOptional(field) ? Type.Optional(brief) : brief) as T
}

/** Returns the schema without what only our OpenAPI document needs: every agent's context pays for each word. */
function plainSchema(schema: TSchema): ToolDescription['inputSchema'] {
  const json = JSON.stringify(schema, (key, value: unknown) =>
    isNoise(key, value) ? undefined : value,
  )
  return JSON.parse(json) as ToolDescription['inputSchema']
}

function isNoise(key: string, value: unknown): boolean {
  if (key === 'title' || key === 'x-extension') return typeof value !== 'object'
  if (key === 'description') return OF_PAGES.has(String(value))
  if (key === 'default') return Array.isArray(value) || NO_NEWS.has(value)
  return CHECKED_ANYHOW.has(key) || (key === 'maximum' && value === Number.MAX_SAFE_INTEGER)
}
/** Defaults that a model expects, or that a description tells. */
const NO_NEWS = new Set<unknown>([0, false, 'original'])
/** Keywords that a model obeys without reading them, or learns from the sentence of a refusal. */
const CHECKED_ANYHOW = new Set([
  'examples',
  'maxLength',
  'minimum',
  'minItems',
  'minLength',
  'pattern',
])
/** Descriptions of `offset` and `limit`, which every model knows. */
const OF_PAGES = new Set(
  Object.values(pagingOf({ limit: 1, limitMax: 1 })).map((field) =>
    'description' in field ? field.description : null,
  ),
)
