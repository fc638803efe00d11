/**
 * A process that meets its first agents: the library of the protocol is loaded before requests come, so that callers of
 * the API wait for nothing.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Customer } from '../../tools/conformance/customer.ts'
import type { Json } from '../../tools/conformance/http.ts'
import { openFleet } from '../machines/fleet.ts'
import { longestTurnMs } from '../stalls/measure.ts'

const fleet = await openFleet({ after })
const service = await fleet.start({ ROLES: 'api' }, { isProbed: true })
const who = await fleet.customer(service)
const { accountId } = who
await fleet.database.pool.query('update api_key set bucket_size = 100000 where account_id = $1', [
  accountId,
])
const worstStallMs = async (): Promise<number> =>
  (await service.asks<{ stallMs: number }>('worst stall?')).stallMs

test('the first messages of agents keep no request of the API waiting for the library', async () => {
  await who.gets('/balance')
  await worstStallMs()
  const firsts = [
    posts(who, { method: 'initialize', id: 1, params: INITIALIZE }),
    posts(who, { method: 'tools/list', id: 2 }),
    posts(who, callOf(3, 'get_balance')),
  ]
  await Promise.all([...firsts, ...Array.from({ length: 20 }, () => who.gets('/balance'))])
  const worstMs = await worstStallMs()
  assert.ok(worstMs <= longestTurnMs(), `${worstMs.toFixed(0)} ms in one turn`)
})

const INITIALIZE = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'agent', version: '1.0.0' },
}

function callOf(id: number, name: string): Json & { id: number } {
  return { id, method: 'tools/call', params: { name, arguments: {} } }
}

async function posts(customer: Customer, message: Json): Promise<Json> {
  const { status, body } = await customer.asks('POST', new URL('/mcp', customer.base).href, {
    body: { jsonrpc: '2.0', ...message },
    headers: { Accept: 'application/json, text/event-stream' },
  })
  assert.equal(status, 200, JSON.stringify(body))
  return body
}
