/**
 * Serves one message of the Model Context Protocol: the revision of 2026, where each request is complete in itself, and
 * the earlier ones, which begin with `initialize`. Neither has sessions or streams here: one request, one JSON answer.
 */
import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { type McpParts, serverFor } from './server.ts'

/** Answers a message, which is the body of `request` and is read already. */
export async function answerMessage(
  request: Request,
  message: unknown,
  parts: McpParts,
): Promise<Response> {
  const refusal = refusalOf(message)
  if (refusal !== null) return refusal
  if (await isLegacyRequest(request, message)) return answerEarlierEra(request, message, parts)
  const handler = createMcpHandler(() => serverFor(parts), { legacy: 'reject' })
  return handler.fetch(request, { parsedBody: message })
}

/**
 * Answers a message of an earlier era. The library would answer by an event stream if it were not asked for JSON here.
 */
async function answerEarlierEra(
  request: Request,
  message: unknown,
  parts: McpParts,
): Promise<Response> {
  const server = serverFor(parts)
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    return await transport.handleRequest(request, { parsedBody: message })
  } finally {
    await server.close()
  }
}

/**
 * Refuses what the library would serve and we do not: several messages in one request, which would take one token of
 * the rate limit, and streams of changes, of which there are none.
 */
function refusalOf(message: unknown): Response | null {
  if (Array.isArray(message))
    return rpcError(400, -32_600, 'Send one message in a request; batches are not accepted.')
  const { method, id } = (message ?? {}) as { method?: unknown; id?: unknown }
  if (method !== 'subscriptions/listen') return null
  return rpcError(404, -32_601, 'Nothing changes here that a client could subscribe to.', id)
}

function rpcError(status: number, code: number, message: string, id: unknown = null): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id }, { status })
}
