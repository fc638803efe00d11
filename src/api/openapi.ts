/**
 * The OpenAPI 3.1 document, made from the schemas that validate: every documented route becomes an
 * operation, every schema with a title a component.
 */
import assert from 'node:assert/strict'
import { STATUS_CODES } from 'node:http'
import type { FastifyContextConfig, FastifySchema } from 'fastify'
import type { TSchema } from 'typebox'
import { Problem, type ProblemCode } from '../kit/problem.ts'
import type { KnownRoute } from '../kit/http/allowed-methods.ts'
import type { AppScope } from '../model/oauth/authorization.ts'
import { serverMetadata } from '../model/oauth/metadata.ts'
import type { ActionClass } from './action-class.ts'
import { BODY_PROBLEMS, errorAnswer, problems } from './contract.ts'
import { EXAMPLE_JOB_ID } from './openapi-example-job.ts'
import { ERROR_MESSAGES, EXAMPLES } from './openapi-examples.ts'
import { HEADERS, responseHeaders } from './openapi-headers.ts'
import { INTRODUCTION } from './openapi-introduction.ts'
import { webhooksOf } from './openapi-webhooks.ts'
import { API_BASE } from './present.ts'

const API_VERSION = '1.0.0'

/** What a route's schema says of itself for the document, beside what Fastify knows. */
declare module 'fastify' {
  // eslint-disable-next-line typescript/consistent-type-definitions -- only interfaces merge
  interface FastifySchema {
    hide?: boolean
    summary?: string
    description?: string
    operationId?: string
    tags?: string[]
    security?: Record<string, string[]>[]
    /** Request headers beside Authorization; documented here, read by the route. */
    documentedHeaders?: Record<string, TSchema>
    'x-extension'?: boolean
    /** What the operation does at most; one that answers GET reads, any other has to say it. */
    'x-action-class'?: ActionClass
  }
}

type Json = Record<string, unknown>

/** Where the service stands, and the operator's terms where they have a page. */
export type DocumentPlace = { publicUrl: string; termsUrl: string | null }

/** Returns the document of the routes that describe themselves. */
export function documentOf(routes: KnownRoute[], { publicUrl, termsUrl }: DocumentPlace): Json {
  const components: Components = new Map()
  const paths: Record<string, Json> = {}
  for (const { method, url, schema, config } of routes) {
    if (
      schema === undefined ||
      schema.hide === true ||
      method === 'HEAD' ||
      !url.startsWith(API_BASE)
    )
      continue
    const path = url.slice(API_BASE.length).replace(/:(\w+)/g, '{$1}')
    const operation = { ...operationOf(schema, components), ...routeFacts(method, schema, config) }
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Scriptorium',
      version: API_VERSION,
      summary: 'Transcripts of videos, playlists and channels',
      description: INTRODUCTION,
      ...(termsUrl === null ? {} : { termsOfService: termsUrl }),
      contact: { name: 'The operator of this service', url: publicUrl },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: `${publicUrl}${API_BASE}`, description: 'This deployment' }],
    security: [{ apiKey: [] }],
    tags: TAGS,
    paths,
    webhooks: webhooksOf((schema) => plain(schema, components)),
    components: {
      schemas: Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
      headers: HEADERS,
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key from your account page',
        },
        oauth2: oauthOf(publicUrl),
      },
    },
  }
}

/** What each scope lets an app do. */
const SCOPE_WORDS: Record<AppScope, string> = {
  'transcripts:read': 'Read jobs, results, files, the library and searches',
  'jobs:write': 'Order transcripts within a monthly limit, and change orders',
  'account:read': 'Read the balance',
}

/** Returns how an app gets a token; programs without a browser find the device flow in the metadata (RFC 8414). */
function oauthOf(publicUrl: string): Json {
  const { authorization_endpoint, token_endpoint, issuer } = serverMetadata(publicUrl)
  return {
    type: 'oauth2',
    description: `A token of an app that the owner of an account connected (OAuth 2.1, PKCE); metadata: ${issuer}/.well-known/oauth-authorization-server`,
    flows: {
      authorizationCode: {
        authorizationUrl: authorization_endpoint,
        tokenUrl: token_endpoint,
        refreshUrl: token_endpoint,
        scopes: SCOPE_WORDS,
      },
    },
  }
}

/** Returns what an operation does at most, who may call it, and whether it will be taken away. */
function routeFacts(
  method: string,
  schema: FastifySchema,
  config: FastifyContextConfig | undefined,
): Json {
  const action = schema['x-action-class'] ?? (method === 'GET' ? 'read' : undefined)
  assert(action !== undefined, `${schema.operationId} does not say its x-action-class`)
  return {
    'x-action-class': action,
    ...securityOf(schema, config),
    ...(config?.deprecated === undefined ? {} : { deprecated: true }),
  }
}

/** Returns who may call: nobody needs a key where the schema says so, and apps need the scope of the route. */
function securityOf(schema: FastifySchema, config: FastifyContextConfig | undefined): Json {
  if (schema.security !== undefined) return { security: schema.security }
  const scope = config?.scope
  if (scope === undefined || scope === 'by body') return {}
  return { security: [{ apiKey: [] }, { oauth2: [scope] }] }
}

const TAGS = [
  { name: 'Jobs', description: 'Start jobs and follow them' },
  { name: 'Batches', description: 'Orders larger than one job' },
  { name: 'Previews', description: 'What a job would fetch and cost' },
  { name: 'Results', description: 'Transcripts as JSON and as files' },
  { name: 'Search', description: 'Find what was said' },
  { name: 'Library', description: 'What the account has of each channel and playlist' },
  { name: 'Projects', description: 'Collections of your own' },
  { name: 'Subscriptions', description: 'Buy new videos automatically' },
  { name: 'Webhooks', description: 'Get notified when a job is final or a subscription changes' },
  { name: 'Account', description: 'What the account can spend' },
  { name: 'Description', description: 'This document' },
]

/** Component schemas by name. */
type Components = Map<string, unknown>

function operationOf(schema: FastifySchema, components: Components): Json {
  const body = schema.body as TSchema | undefined
  return {
    operationId: schema.operationId,
    summary: schema.summary,
    ...given('description', schema.description),
    ...given('tags', schema.tags),
    ...given('x-extension', schema['x-extension']),
    ...nonEmpty('parameters', [
      ...parametersOf('path', schema.params, components),
      ...parametersOf('query', schema.querystring, components),
      ...parametersOf('header', { properties: schema.documentedHeaders ?? {} }, components),
    ]),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: plain(body, components),
                ...given('examples', EXAMPLES[schema.operationId ?? '']),
              },
            },
          },
        }),
    responses: Object.fromEntries(responsesOf(schema, components)),
  }
}

function parametersOf(place: string, schema: unknown, components: Components): Json[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(
    ([name, { description, examples, 'x-extension': extension, ...rest }]) => ({
      name,
      in: place,
      ...given('description', description),
      required: required.includes(name),
      ...given('x-extension', extension),
      schema: plain(rest, components),
      ...given('example', (examples as unknown[] | undefined)?.[0]),
    }),
  )
}

/** An answer of a route: a schema with a description, or a description with its own `content`. */
type Answer = { description?: string; content?: unknown; 'x-codes'?: ProblemCode[] }

/** Returns the answers that a route declares, and the refusals that follow from its key, its id and its body. */
function responsesOf(schema: FastifySchema, components: Components): [string, Json][] {
  const { operationId = '', params, body, security, response } = schema
  const isOpen = security !== undefined
  const answers: Record<string, Answer> = {
    431: errorAnswer(['invalid_request'], 'The request line and headers are larger than 16 KB.'),
    ...(isOpen ? {} : problems()),
    ...(params === undefined ? {} : problems('not_found')),
    ...(body === undefined ? {} : BODY_PROBLEMS),
    ...(response as Record<string, Answer>),
  }
  return Object.entries(answers).map(([status, answer]) => [
    status,
    {
      description: answer.description ?? STATUS_CODES[status],
      ...nonEmpty('headers', responseHeaders(operationId, { status, isOpen })),
      ...contentOf(answer, { operationId, status }, components),
    },
  ])
}

function contentOf(
  { description: _described, ...schema }: Answer,
  { operationId, status }: { operationId: string; status: string },
  components: Components,
): Json {
  const { content, 'x-codes': codes } = schema
  if (content !== undefined) {
    const types = mapped(content, components) as Record<string, Json>
    const examples = EXAMPLES[`${operationId} ${status}`]
    const json = types['application/json']
    if (json === undefined || examples === undefined) return { content: types }
    return { content: { ...types, 'application/json': { ...json, examples } } }
  }
  if (status === '304' || status === '204') return {}
  const examples =
    codes === undefined ? EXAMPLES[`${operationId} ${status}`] : errorExamples(codes, status)
  return {
    content: {
      'application/json': { schema: plain(schema, components), ...given('examples', examples) },
    },
  }
}

function errorExamples(codes: ProblemCode[], status: string): Json {
  return Object.fromEntries(
    codes.map((code) => {
      const message = ERROR_MESSAGES[`${code} ${status}`]
      const jobId = code === 'job_in_progress' ? { jobId: EXAMPLE_JOB_ID } : {}
      const problem = new Problem(code, { ...jobId, ...(message === undefined ? {} : { message }) })
      return [code, { summary: code, value: problem.toJSON() }]
    }),
  )
}

/** Returns a schema as plain JSON, in which every titled one is a reference to its component. */
function plain(schema: unknown, components: Components): unknown {
  if (schema === null || typeof schema !== 'object' || Array.isArray(schema))
    return mapped(schema, components)
  const { title, 'x-codes': _codes, ...rest } = schema as Json
  if (typeof title !== 'string') return mapped(schema, components)
  if (!components.has(title)) {
    components.set(title, null) // taken, while its parts are walked through
    components.set(title, mapped(rest, components))
  }
  return { $ref: `#/components/schemas/${title}` }
}

function mapped(value: unknown, components: Components): unknown {
  if (Array.isArray(value)) return value.map((part) => plain(part, components))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, plain(part, components)]),
  )
}

function given(name: string, value: unknown): Json {
  return value === undefined ? {} : { [name]: value }
}

function nonEmpty(name: string, value: object): Json {
  return Object.keys(value).length === 0 ? {} : { [name]: value }
}
