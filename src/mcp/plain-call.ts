/**
 * Calls of tools that are as the protocol wants them, which nearly all are. The library checks each with
 * schemas of its own and makes a server for it, which takes longer than the call itself: such a message is
 * answered here, in the words of the library. Whatever is in any way unusual is left to the library.
 */
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  SERVER_INFO_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server'
import { type McpAnswer, type McpRequest, resultAnswer } from './mcp-message.ts'
import { callTool, type McpParts, SERVER_INFO } from './server.ts'
import type { Tool } from './tool.ts'
import type { ToolBox } from './tool-box.ts'

export type PlainCall = {
  id: string | number
  tool: Tool
  args: unknown
  /** What the answer of its revision says beside the tool's result. */
  more: Record<string, unknown>
}

type Fields = Readonly<Record<string, unknown>>

const MODERN = '2026-07-28'
const OF_MODERN = { resultType: 'complete', _meta: { [SERVER_INFO_META_KEY]: SERVER_INFO } }
const MESSAGE_FIELDS = new Set(['jsonrpc', 'id', 'method', 'params'])
const CALL_FIELDS = new Set(['name', 'arguments', '_meta'])
const OF_PROTOCOL = 'io.modelcontextprotocol/'
const MODERN_META = new Set([
  PROTOCOL_VERSION_META_KEY,
  CLIENT_INFO_META_KEY,
  CLIENT_CAPABILITIES_META_KEY,
])

export async function answerPlainCall(
  { id, tool, args, more }: PlainCall,
  parts: McpParts,
): Promise<McpAnswer> {
  return resultAnswer({ ...(await callTool(tool, args, parts)), ...more }, id)
}

/** Null for every other message, right or wrong. */
export function plainCallOf(
  { headers, body }: Pick<McpRequest, 'headers' | 'body'>,
  { byName }: Pick<ToolBox, 'byName'>,
): PlainCall | null {
  if (!isFields(body) || body['jsonrpc'] !== '2.0' || body['method'] !== 'tools/call') return null
  const { id, params } = body
  if (!isId(id) || !isFields(params)) return null
  if (!hasOnly(body, MESSAGE_FIELDS) || !hasOnly(params, CALL_FIELDS)) return null
  const { name, arguments: args = {}, _meta: meta = {} } = params
  const tool = typeof name === 'string' ? byName.get(name) : undefined
  if (tool === undefined || !isFields(args) || !isFields(meta) || !isProgressPlain(meta))
    return null

  const version = headers['mcp-protocol-version']
  if (version === MODERN) {
    const isTold = headers['mcp-method'] === 'tools/call' && headers['mcp-name'] === name
    return isTold && isModernMeta(meta) ? { id, tool, args, more: OF_MODERN } : null
  }
  const isEarlier = version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(String(version))
  return isEarlier && !Object.keys(meta).some(isOfProtocol) ? { id, tool, args, more: {} } : null
}

/** Who asks, as each message of the newest revision says it. */
function isModernMeta(meta: Fields): boolean {
  const client = meta[CLIENT_INFO_META_KEY]
  return (
    meta[PROTOCOL_VERSION_META_KEY] === MODERN &&
    isFields(client) &&
    Object.keys(client).length === 2 &&
    typeof client['name'] === 'string' &&
    typeof client['version'] === 'string' &&
    isBare(meta[CLIENT_CAPABILITIES_META_KEY]) &&
    Object.keys(meta).every((key) => !isOfProtocol(key) || MODERN_META.has(key))
  )
}

/** Capabilities without details, `{"roots":{}}`: there is nothing in them that could be wrong. */
function isBare(capabilities: unknown): boolean {
  if (!isFields(capabilities)) return false
  return Object.values(capabilities).every((one) => isFields(one) && Object.keys(one).length === 0)
}

function isProgressPlain({ progressToken }: Fields): boolean {
  return progressToken === undefined || isId(progressToken)
}

function isOfProtocol(key: string): boolean {
  return key.startsWith(OF_PROTOCOL)
}

function isId(value: unknown): value is string | number {
  return typeof value === 'string' || Number.isSafeInteger(value)
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function hasOnly(value: Fields, known: ReadonlySet<string>): boolean {
  return Object.keys(value).every((key) => known.has(key))
}
