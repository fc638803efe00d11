/**
 * The MCP server of one request, whose caller is known before it is made. Nothing is
 * kept between requests, so that any process answers the next one.
 */
import fs from 'node:fs'
import path from 'node:path'
import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
} from '@modelcontextprotocol/server'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv'
import type { ApiContext } from '../api/api-context.ts'
import { withPrice } from '../api/documents/printed.ts'
import { textsOf } from '../features/transcripts/read-stored.ts'
import type { Problem } from '../kit/problem.ts'
import { promptNamed, SHOWN_PROMPTS } from './prompts.ts'
import { readResource, TRANSCRIPT_TEMPLATE } from './resources.ts'
import { inWordsOfTools, refusalAnswer } from './refusals.ts'
import type { AgentCall, Need } from './tool.ts'
import { TOOLS } from './toolbox.ts'

/** Returns what the caller must be allowed to do; nothing for a message that only tells it how to go on. */
export function needsOf(message: unknown): readonly Need[] {
  const { method, params } = (message ?? {}) as { method?: unknown; params?: { name?: unknown } }
  if (method === 'resources/read') return ['transcripts:read']
  const name = params?.name
  // Any other name is refused by the library: an object may have no text.
  if (method !== 'tools/call' || typeof name !== 'string') return []
  return TOOLS.get(name)?.needs ?? []
}

/** How long clients may keep the list of tools. */
const MCP_LIST_KEPT_MS = 3_600_000

export type McpParts = {
  ctx: ApiContext
  call: AgentCall
  /** Returns the Problem of any failure; logs faults of ours. */
  problemOf(error: unknown): Problem
}

const MANIFEST = path.join(import.meta.dirname, '../../package.json')
/** The release; the version in the OpenAPI document is the interface's. */
const { version } = JSON.parse(fs.readFileSync(MANIFEST, 'utf8')) as { version: string }
/** What the server says of itself when a client connects, and in its card (api/documents/discovery.ts). */
export const SERVER_INFO = { name: 'scriptorium', title: 'Scriptorium', version }

const KEPT = { ttlMs: MCP_LIST_KEPT_MS, cacheScope: 'public' as const }

/** What an agent is told of the whole service when it connects. */
const INSTRUCTIONS = withPrice(
  fs.readFileSync(path.join(import.meta.dirname, 'instructions.md'), 'utf8'),
)
  .trim()
  .replaceAll('\n', ' ')

const OPTIONS = {
  capabilities: { tools: {}, resources: {}, prompts: {} },
  instructions: INSTRUCTIONS,
  // One validator for all servers: making one for each takes longer than all that a server does.
  jsonSchemaValidator: new AjvJsonSchemaValidator(),
  cacheHints: {
    'tools/list': KEPT,
    'prompts/list': KEPT,
    'resources/list': KEPT,
    'resources/templates/list': KEPT,
    'server/discover': KEPT,
  },
}

export function serverFor({ ctx, call, problemOf }: McpParts): Server {
  const server = new Server(SERVER_INFO, OPTIONS)
  server.setRequestHandler('tools/list', () => ({
    tools: Array.from(TOOLS.values(), ({ description }) => description),
  }))
  server.setRequestHandler('tools/call', async ({ params }) => {
    const tool = TOOLS.get(params.name)
    if (tool === undefined) {
      const names = [...TOOLS.keys()].join(', ')
      const message = `Unknown tool ${params.name.slice(0, 60)}; there are ${names}.`
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, message)
    }
    try {
      return await tool.run(params.arguments ?? {}, call, ctx)
    } catch (error) {
      return refusalAnswer(problemOf(error))
    }
  })
  server.setRequestHandler('prompts/list', () => ({ prompts: SHOWN_PROMPTS }))
  server.setRequestHandler('prompts/get', ({ params }) =>
    promptNamed(params.name, params.arguments),
  )
  server.setRequestHandler('resources/list', () => ({ resources: [] }))
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [TRANSCRIPT_TEMPLATE],
  }))
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const found = await resourceAt(uri)
    if (found === null) throw new ResourceNotFoundError(uri.slice(0, 200))
    return { contents: [found] }
  })
  return server

  async function resourceAt(uri: string) {
    try {
      return await readResource(textsOf(ctx, call.accountId), { accountId: call.accountId, uri })
    } catch (error) {
      const problem = inWordsOfTools(problemOf(error))
      const code =
        problem.status < 500 ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError
      throw new ProtocolError(code, problem.message, problem.toJSON())
    }
  }
}
