/**
 * Messages of the eras before 2026-07-28, which begin with `initialize`. The library's own transport for
 * them makes web streams for each message, which takes five times as long as all the rest: this one
 * hands a message over and takes the answer.
 */
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  type Server,
  SUPPORTED_PROTOCOL_VERSIONS,
  type Transport,
} from '@modelcontextprotocol/server'
import { type McpAnswer, type McpRequest, rpcError, TAKEN } from './mcp-message.ts'

const INVALID_REQUEST = -32_600
/** As the library says it where the client of the newer era left; nobody reads it. */
const CLIENT_LEFT: McpAnswer = { status: 499, type: null, body: null }

export async function answerEarlierEra(
  { headers, body, departure: signalOf }: Omit<McpRequest, 'url'>,
  server: Server,
): Promise<McpAnswer> {
  const refused = refusedVersion(headers['mcp-protocol-version'])
  if (refused !== null) return refused
  if (isJSONRPCNotification(body) || isJSONRPCResponse(body)) return TAKEN
  if (!isJSONRPCRequest(body))
    return rpcError(400, {
      code: INVALID_REQUEST,
      message: 'The body is no message of JSON-RPC 2.0.',
    })

  const departure = signalOf()
  const { promise, resolve } = Promise.withResolvers<McpAnswer>()
  const leave = (): void => resolve(CLIENT_LEFT)
  departure.addEventListener('abort', leave, { once: true })
  const transport: Transport = {
    start: async () => undefined,
    close: async () => transport.onclose?.(),
    async send(message: JSONRPCMessage) {
      // Only the answer: what a server says beside it has nowhere to go.
      if ('id' in message && !('method' in message))
        resolve({ status: 200, type: 'application/json', body: JSON.stringify(message) })
    },
  }
  await server.connect(transport)
  transport.onmessage?.(body)
  try {
    return await promise
  } finally {
    departure.removeEventListener('abort', leave)
    if (departure.aborted) await server.close()
  }
}

/** `initialize` and the oldest clients name none. */
function refusedVersion(version: string | string[] | undefined): McpAnswer | null {
  if (version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(String(version))) return null
  const message = `MCP-Protocol-Version is not supported; there are ${SUPPORTED_PROTOCOL_VERSIONS.join(', ')}.`
  return rpcError(400, { code: INVALID_REQUEST, message })
}
