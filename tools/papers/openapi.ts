/**
 * The OpenAPI 3.1 document, made from the schemas that validate: every documented route becomes an
 * operation, every schema with a title a component.
 */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import { STATUS_CODES } from 'node:http'
import path from 'node:path'
import type { FastifyContextConfig, FastifySchema } from 'fastify'
import type { TSchema } from 'typebox'
import { Problem, type ProblemCode } from '../../src/kit/problem.ts'
import type { KnownRoute } from '../../src/kit/http/allowed-methods.ts'
import type { AppScope } from '../../src/model/oauth/authorization.ts'
import { serverMetadata } from '../../src/model/oauth/metadata.ts'
import { BODY_PROBLEMS, errorAnswer, problems } from '../../src/api/contract.ts'
import { EXAMPLE_JOB_ID } from '../../src/api/jobs/schema.ts'
import { ERROR_MESSAGES } from './error-messages.ts'
import { readExamples } from './examples.ts'
import { HEADERS, responseHeaders } from './openapi-headers.ts'
import { webhooksOf } from './openapi-webhooks.ts'
import { markOfField, markOfHeader, markOfOperation, markOfParameter } from './version-1.ts'
import { API_BASE } from '../../src/api/links.ts'
import { PRINTED_ADDRESS, withPrice } from '../../src/api/documents/printed.ts'
import { TERMS_PATH } from '../../src/api/site-settings.ts'

const API_VERSION = '1.0.0'
/** How the service decides, for callers. */
const INTRODUCTION = fs.readFileSync(path.join(import.meta.dirname, 'introduction.md'), 'utf8')

type Json = Record<string, unknown>

/** Returns the document of the routes that describe themselves, for a service at `PRINTED_ADDRESS` with terms. */
export function documentOf(routes: readonly KnownRoute[]): Json {
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
      description: withPrice(INTRODUCTION.trim()),
      termsOfService: `${PRINTED_ADDRESS}${TERMS_PATH}`,
      contact: { name: 'The operator of this service', url: PRINTED_ADDRESS },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: `${PRINTED_ADDRESS}${API_BASE}`, description: 'This deployment' }],
    security: [{ apiKey: [] }],
    tags: TAGS,
    paths,
    webhooks: webhooksOf((schema) => plain(schema, components)),
    components: {
      schemas: Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
      headers: Object.fromEntries(
        Object.entries(HEADERS).map(([name, header]) => [
          name,
          { ...header, ...markOfHeader(name) },
        ]),
      ),
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key from your account page',
        },
        oauth2: oauthOf(),
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
function oauthOf(): Json {
  const { authorization_endpoint, token_endpoint, issuer } = serverMetadata(PRINTED_ADDRESS)
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
  const { operationId = '', documentedHeaders: headers = {}, tags = [] } = schema
  const [unknown] = tags.filter((tag) => !TAGS.some(({ name }) => name === tag))
  assert(unknown === undefined, `${operationId} has the tag ${unknown}, which TAGS does not have`)
  return {
    operationId,
    summary: schema.summary,
    ...given('description', schema.description),
    ...nonEmpty('tags', tags),
    ...markOfOperation(operationId),
    ...nonEmpty('parameters', [
      ...parametersOf(operationId, { in: 'path', schema: schema.params }, components),
      ...parametersOf(operationId, { in: 'query', schema: schema.querystring }, components),
      ...parametersOf(operationId, { in: 'header', schema: { properties: headers } }, components),
    ]),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: plain(body, components),
                ...given('examples', readExamples()[operationId]),
              },
            },
          },
        }),
    responses: Object.fromEntries(responsesOf(schema, components)),
  }
}

function parametersOf(
  operationId: string,
  { in: place, schema }: { in: string; schema: unknown },
  components: Components,
): Json[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, examples, ...rest }]) => ({
    name,
    in: place,
    ...given('description', description),
    required: required.includes(name),
    ...markOfParameter(operationId, name),
    schema: plain(rest, components),
    ...given('example', (examples as unknown[] | undefined)?.[0]),
  }))
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
    const examples = readExamples()[`${operationId} ${status}`]
    const type = 'application/json' in types ? 'application/json' : Object.keys(types)[0]
    if (type === undefined || examples === undefined) return { content: types }
    return { content: { ...types, [type]: { ...types[type], examples } } }
  }
  if (status === '304' || status === '204') return {}
  const examples =
    codes === undefined ? readExamples()[`${operationId} ${status}`] : errorExamples(codes, status)
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
    components.set(title, marked(title, mapped(rest, components) as Json))
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

/** Returns a component whose fields beyond version 1 say so. */
function marked(component: string, schema: Json): Json {
  if (schema['properties'] === undefined) return schema
  const fields = Object.entries(schema['properties'] as Record<string, Json>)
  const properties = Object.fromEntries(
    fields.map(([name, field]) => [name, { ...field, ...markOfField(component, name) }]),
  )
  return { ...schema, properties }
}

function given(name: string, value: unknown): Json {
  return value === undefined ? {} : { [name]: value }
}

function nonEmpty(name: string, value: object): Json {
  return Object.keys(value).length === 0 ? {} : { [name]: value }
}
