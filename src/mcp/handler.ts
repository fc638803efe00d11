/**
 * Serves one message of the Model Context Protocol: the revision of 2026, where each request says all
 * there is to know, and the earlier ones, which begin with `initialize`. No sessions in either, no streams:
 * one request, one JSON answer.
 */
import { createMcpHandler, isLegacyRequest, type Server } from '@modelcontextprotocol/server'
import { answerEarlierEra } from './earlier-era.ts'
import { type McpAnswer, type McpRequest, rpcError } from './mcp-message.ts'
import { answerPlainCall, plainCallOf } from './plain-call.ts'
import { type McpParts, serverFor } from './server.ts'

export type Mcp = {
  answer(request: McpRequest, parts: McpParts): Promise<McpAnswer>
  close(): Promise<void>
}

const SENT_HEADERS = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name']

export function openMcp(): Mcp {
  const partsOf = new WeakMap<Request, McpParts>()
  const modern = createMcpHandler(({ requestInfo }) => serverOf(requestInfo), { legacy: 'reject' })

  function serverOf(request: Request | undefined): Server {
    const parts = request === undefined ? undefined : partsOf.get(request)
    if (parts === undefined) throw new Error('a message is served for whom it was read')
    return serverFor(parts)
  }

  return {
    async answer(given, parts) {
      const call = plainCallOf(given, parts.tools)
      if (call !== null) return answerPlainCall(call, parts)
      const refused = refusedForm(given.body)
      if (refused !== null) return refused
      const request = webRequest(given)
      partsOf.set(request, parts)
      if (await isLegacyRequest(request, given.body))
        return answerEarlierEra(given, serverFor(parts))
      return toAnswer(await modern.fetch(request, { parsedBody: given.body }))
    },
    close: () => modern.close(),
  }
}

/**
 * What the library would serve and we do not: several messages in one request, each of which would cost
 * nothing, and streams of changes, of which there are none.
 */
function refusedForm(body: unknown): McpAnswer | null {
  if (Array.isArray(body)) {
    return rpcError(400, {
      code: -32_600,
      message: 'Send one message in a request; batches are not accepted.',
    })
  }
  const { method, id } = (body ?? {}) as { method?: unknown; id?: unknown }
  if (method !== 'subscriptions/listen') return null
  return rpcError(
    404,
    { code: -32_601, message: 'Nothing changes here that a client could subscribe to.' },
    id,
  )
}

function webRequest({ headers, url, departure }: McpRequest): Request {
  const sent = SENT_HEADERS.flatMap((name): [string, string][] => {
    const value = headers[name]
    return value === undefined ? [] : [[name, String(value)]]
  })
  return new Request(url, { method: 'POST', headers: sent, signal: departure() })
}

async function toAnswer(response: Response): Promise<McpAnswer> {
  const body = response.body === null ? null : await response.text()
  return { status: response.status, type: response.headers.get('content-type'), body }
}
