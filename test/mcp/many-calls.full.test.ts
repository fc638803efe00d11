/** Two hundred calls of agents at once, to a process that has never met one: each gets its answer. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Customer } from '../../tools/conformance/customer.ts'
import type { Json } from '../../tools/conformance/http.ts'
import { openFleet } from '../machines/fleet.ts'

const CALLS = 200
const TOOLS = ['get_balance', 'list_jobs', 'no_such_tool']

const fleet = await openFleet({ after })
const who = await fleet.customer(await fleet.start({ ROLES: 'api' }))
await fleet.database.pool.query('update api_key set bucket_size = 100000 where account_id = $1', [
  who.accountId,
])

test('200 calls at once are each answered, and so is the API meanwhile', async () => {
  const calls = Array.from({ length: CALLS }, (_, id) => callOf(id, TOOLS[id % TOOLS.length] ?? ''))
  const asked = Promise.all(calls.map((call) => posts(who, call)))
  const balances = await Promise.all(Array.from({ length: 20 }, () => who.gets('/balance')))
  const answers = await asked
  assert.deepEqual(
    answers.map(({ id }) => id),
    calls.map(({ id }) => id),
  )
  for (const [at, { result, error }] of answers.entries()) {
    const said = result?.structuredContent ?? error
    const name = TOOLS[at % TOOLS.length]
    if (name === 'get_balance') assert.deepEqual(said, balances[0])
    else if (name === 'list_jobs') assert.deepEqual(said.jobs, [])
    else assert.equal(said.code, -32_602)
  }
  assert.equal(balances.length, 20)
})

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
