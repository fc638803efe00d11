/**
 * A tool of the Model Context Protocol: what an agent is told of it, and what it does. It runs our verbs for the
 * account that called, as a route does; a refusal is a Problem.
 */
import { type Static, type TObject, type TSchema, Type } from 'typebox'
import type { ApiContext } from '../api/api-context.ts'
import { pagingOf } from '../api/contract.ts'
import type { Balance } from '../model/money/ledger.ts'
import { compileValidator } from '../kit/http/validation.ts'
import type { AppScope } from '../model/oauth/authorization.ts'
import type { OwnKey } from '../store/authentication.ts'
import { escapedJson } from '../kit/text/controls.ts'
import { plainArguments, refuseOthers } from './arguments.ts'

/**
 * What clients ask before they let an agent call a tool: whether it changes nothing, ends what cannot be had back,
 * reaches the platform, and does no more when the same call comes again. Each is said of each tool.
 */
type Hints = {
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

/** A refusal, whose texts the model reads. */
export type RefusedAnswer = { content: ToolContent[]; isError: true }

/** What a tool found or did. */
export type GivenAnswer<Result> = { content: ToolContent[]; structuredContent: Result }

export type ToolAnswer<Result = object> = GivenAnswer<Result> | RefusedAnswer

type ShownSchema = { type: 'object'; [key: string]: unknown }

/** A tool as `tools/list` shows it. */
type ToolDescription = {
  name: string
  title: string
  description: string
  inputSchema: ShownSchema
  outputSchema: ShownSchema
  annotations: Hints
}

/** What a caller must be allowed to do: what a scope allows, or `everything`, as a key without restrictions is. */
export type Need = AppScope | 'everything'

export type Tool = {
  description: ToolDescription
  /** All that it answers; closed. */
  output: TSchema
  /** All that is needed to call it. */
  needs: readonly Need[]
  /** Checks the arguments, whatever they are, and throws the Problem of the first wrong one. */
  run(args: unknown, call: AgentCall, ctx: ApiContext): Promise<ToolAnswer>
}

type ToolDefinition<Schema extends TSchema, Output extends TObject> = {
  name: string
  title: string
  description: string
  input: Schema
  output: Output
  /** The fields of the answer that `tools/list` shows: by which agents go on, and what it cost. */
  shows: readonly (string & keyof Output['properties'])[]
  hints: Hints
  needs: readonly Need[]
  run(args: Static<Schema>, call: AgentCall, ctx: ApiContext): Promise<ToolAnswer<Static<Output>>>
}

/** Defines a tool; its schema is compiled here, once. */
export function defineTool<Schema extends TSchema, Output extends TObject>(
  definition: ToolDefinition<Schema, Output>,
): Tool {
  const { input, output, shows, hints, needs, run, ...words } = definition
  const check = compileValidator({ schema: input, method: 'POST', url: '/mcp', httpPart: 'body' })
  return {
    description: {
      ...words,
      inputSchema: plainSchema(input),
      outputSchema: shownAnswer(output, shows),
      annotations: hints,
    },
    output,
    needs,
    async run(sent, call, ctx) {
      const args = plainArguments(input, sent)
      refuseOthers(words.name, input, args)
      const checked = await check(args)
      if (typeof checked === 'object' && checked.error !== undefined) throw checked.error
      return run(args as Static<Schema>, call, ctx)
    },
  }
}

/** Returns a small result in both places: clients show their model the one or the other. */
export function jsonAnswer<Result extends object>(
  result: Result,
  more: ToolContent[] = [],
): GivenAnswer<Result> {
  const text = { type: 'text' as const, text: escapedJson(JSON.stringify(result)) }
  return { content: [text, ...more], structuredContent: result }
}

/** Returns the fields of which something is known. */
export function withoutNulls<Fields extends object>(fields: Fields): Known<Fields> {
  const known = Object.entries(fields).filter(([, value]) => value !== null)
  return Object.fromEntries(known) as Known<Fields>
}
type Known<Fields> = {
  [Name in keyof Fields as null extends Fields[Name] ? Name : never]?: NonNullable<Fields[Name]>
} & { [Name in keyof Fields as null extends Fields[Name] ? never : Name]: Fields[Name] }

/** Returns a field of the contract, described in fewer words, or in none where its name says enough. */
export function briefly<T extends TSchema>(field: T, description?: string): T {
  const { description: _, ...bare } = field as Record<string, unknown>
  const brief = { ...bare, ...(description === undefined ? {} : { description }) }
  return (Type.IsOptional(field) ? Type.Optional(brief) : brief) as T
}

/** Returns the schema without what only our OpenAPI document needs: every agent's context pays for each word. */
function plainSchema(schema: TSchema): ShownSchema {
  const json = JSON.stringify(schema, (key, value: unknown) =>
    isNoise(key, value) ? undefined : alternativeOf(value),
  )
  return JSON.parse(json) as ShownSchema
}

function isNoise(key: string, value: unknown): boolean {
  if (key === 'title') return typeof value !== 'object'
  if (key === 'description') return OF_PAGES.has(String(value))
  if (key === 'enum') return (value as unknown[]).length > WORDS_SHOWN_MAX
  return CHECKED_ANYHOW.has(key) || (key === 'maximum' && Number(value) >= FAR_OFF)
}

/** Returns the list where a list or a text is taken: models send lists, and a text is read as one anyhow. */
function alternativeOf(value: unknown): unknown {
  const { anyOf, ...rest } = (value ?? {}) as { anyOf?: { type?: string }[] }
  const list = anyOf?.find(({ type }) => type === 'array')
  return list === undefined ? value : { ...list, ...rest }
}

const WORDS_SHOWN_MAX = 8
/** A bound that nobody meets. */
const FAR_OFF = 10_000
/** Keywords that a model obeys without reading them, or learns from the sentence of a refusal or from an answer. */
const CHECKED_ANYHOW = new Set([
  'default',
  'examples',
  'maxLength',
  'maxItems',
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

/**
 * Returns the schema of an answer with some of its fields, each with its type alone. It is open, since the answer has
 * more: whole ones would take more than all of the list's 13 KB.
 */
function shownAnswer({ properties }: TObject, names: readonly string[]): ShownSchema {
  const shown = names.map((name) => [name, { type: typeOf(properties[name] ?? {}) }])
  return { type: 'object', properties: Object.fromEntries(shown) }
}

function typeOf({ type, anyOf }: { type?: string; anyOf?: { type: string }[] }): unknown {
  return anyOf?.map((one) => one.type) ?? type
}
