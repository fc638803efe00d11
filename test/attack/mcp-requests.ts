/** Messages of the Model Context Protocol with one hostile field: of the envelope, and of every tool that is listed. */
import assert from 'node:assert/strict'
import { exchange } from '../../tools/conformance/http.ts'
import type { Target } from './attack.ts'
import { bodyWith, placesIn, type Schema, valueOf } from './declared-fields.ts'
import { type OddRequest, jsonTextsFor } from './hostile-requests-of.ts'
import { JSON_TEXTS } from './hostile-values.ts'

/** Methods of the protocol; all of those that the service answers are among them. */
export const MCP_METHODS: readonly string[] = [
  'initialize',
  'ping',
  'server/discover',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'subscriptions/listen',
  'logging/setLevel',
  'completion/complete',
  'prompts/list',
  'prompts/get',
  'notifications/initialized',
  'notifications/cancelled',
  'notifications/progress',
]
const PLACES = [
  ['jsonrpc'],
  ['id'],
  ['method'],
  ['params'],
  ['params', 'name'],
  ['params', 'uri'],
  ['params', 'arguments'],
  ['params', 'protocolVersion'],
  ['params', 'capabilities'],
  ['params', 'clientInfo'],
  ['params', 'cursor'],
  ['params', '_meta'],
  ['params', 'requestId'],
]

const OURS = new Set(['tools/call', 'resources/read'])

type ListedTool = { name: string; inputSchema: Schema }

export async function* mcpRequests(
  target: Target,
  headers: Record<string, string>,
): AsyncGenerator<OddRequest> {
  const send = (body: string): OddRequest => ({
    method: 'POST',
    path: '/mcp',
    headers: { 'content-type': 'application/json' },
    body,
  })
  const right = { jsonrpc: '2.0', id: 1 }
  let turn = 0
  for (const method of MCP_METHODS)
    for (const place of PLACES) {
      turn += 1
      // Messages that reach our code are tried with every value, those that the library answers alone with some.
      const some = OURS.has(method)
        ? JSON_TEXTS
        : JSON_TEXTS.filter((_text, at) => (at + turn) % 8 === 0)
      for (const text of some) yield send(bodyWith({ ...right, method }, place, text))
    }
  const listed = await exchange({
    ...send(JSON.stringify({ ...right, method: 'tools/list' })),
    url: target.address,
    headers: { ...headers, 'content-type': 'application/json' },
  })
  const tools = listed.body['result'].tools as ListedTool[]
  assert.ok(tools.length > 5, `${tools.length} tools are listed`)
  for (const { name, inputSchema } of tools) {
    const params = { name, arguments: valueOf(inputSchema) }
    const call = { ...right, method: 'tools/call', params }
    for (const place of placesIn(inputSchema))
      for (const text of jsonTextsFor(name + place.join()))
        yield send(bodyWith(call, ['params', 'arguments', ...place], text))
  }
}
