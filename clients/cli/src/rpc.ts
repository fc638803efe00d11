/** Messages of JSON-RPC as `mcp` passes them on: their HTTP headers, and answers that the command gives itself. */
import { UnauthorizedError } from '../../typescript/src/errors.ts'

export type Rpc = {
  method?: string
  /** Undefined in a notification, which is not answered. */
  id?: unknown
  params?: Record<string, unknown>
}

const VERSION_FIELD = 'io.modelcontextprotocol/protocolVersion'
const ASCII = /^[\x20-\x7e]*$/
const PARSE_ERROR = -32_700
/** Error code from the range that JSON-RPC leaves to servers. */
const NOT_PASSED_ON = -32_000

/** Returns null for a line that is no JSON object. */
export function readMessage(line: string): Rpc | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

/** Returns the headers that the protocol requires; `agreed` is the version from `initialize`, in eras that have it. */
export function headersOf({ method, params }: Rpc, agreed: string | null): Record<string, string> {
  const meta = params?.['_meta'] as Record<string, unknown> | undefined
  const own = meta?.[VERSION_FIELD]
  const version = typeof own === 'string' ? own : method === 'initialize' ? null : agreed
  const name = params?.['name'] ?? params?.['uri']
  return {
    Accept: 'application/json, text/event-stream',
    ...(version === null ? {} : { 'MCP-Protocol-Version': version }),
    ...(typeof method === 'string' ? { 'Mcp-Method': encoded(method) } : {}),
    ...(typeof name === 'string' ? { 'Mcp-Name': encoded(name) } : {}),
  }
}

/** Returns a value for a header, which carries ASCII only; the protocol (SEP-2243) says how other text is written. */
function encoded(text: string): string {
  return ASCII.test(text) ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`
}

export function isRpcAnswer(text: string): boolean {
  return text.startsWith('{') && text.includes('"jsonrpc"') && !text.includes('\n')
}

/** Returns an error of ours in place of the service's answer. */
export function failedAnswer({ id }: { id?: unknown }, message: string): string {
  const code = id === null ? PARSE_ERROR : NOT_PASSED_ON
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })
}

export function describeLoss(error: unknown): string {
  if (error instanceof UnauthorizedError)
    return `${error.message} Nothing was sent; sign in: scriptorium login`
  const isLate = error instanceof Error && error.name === 'TimeoutError'
  const what = isLate
    ? 'The service did not answer in time'
    : 'The connection to the service was lost'
  return `${what}; the call may have been carried out. Repeat start_job only with its idempotencyKey, or look with list_jobs.`
}
