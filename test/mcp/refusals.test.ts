/** Refusals of POST /mcp before any tool runs: by key, bucket, host and form; and how much an agent reads first. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Customer } from '../../tools/conformance/customer.ts'
import type { Json, Reply } from '../../tools/conformance/http.ts'
import { revokeKey } from '../../src/features/accounts/keys.ts'
import { legacyAgent, modernAgent } from './agents.ts'
import { transact } from '../../src/kit/postgres/database.ts'
import { fillBuckets, freezeBuckets } from '../support/rate-limits.ts'
import { testService } from '../support/service.ts'

const NEXT_MONTH = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
const { address, customer, database } = await testService(
  { after },
  {
    env: {
      PUBLIC_URL: 'https://texts.example',
      MCP_ORIGINS: 'https://agent.example, chrome-extension://abcdef',
      SECURITY_CONTACT: 'mailto:security@example.org',
      SECURITY_EXPIRES: NEXT_MONTH,
    },
  },
)

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

const posts = (who: Customer, body: unknown, headers: Json = {}): Promise<Reply> =>
  who.asks('POST', `${address}/mcp`, {
    body,
    headers: { Accept: 'application/json, text/event-stream', ...headers },
  })

test('the list of tools takes at most 13 KB for 20 tools, each with what it answers', async () => {
  const { status, body, bytes } = await posts(await customer(), LIST)
  assert.equal(status, 200)
  assert.ok(bytes.length <= 13_000, `${bytes.length} bytes`)
  assert.ok(body['result'].tools.length <= 20)
  for (const { name, title, outputSchema } of body['result'].tools) {
    assert.ok(title.length > 2, name)
    assert.equal(outputSchema.type, 'object', name)
    assert.ok(Object.keys(outputSchema.properties).length > 0, name)
  }
})

test('documents for agents need no key, and name only what is served', async () => {
  const read = async (path: string): Promise<string> => {
    const response = await fetch(`${address}${path}`)
    assert.equal(response.status, 200, path)
    return response.text()
  }
  const index = await read('/llms.txt')
  assert.ok(index.includes('https://texts.example/docs/agents.md'))
  for (const [, url = ''] of index.matchAll(/\]\(([^)]+)\)/g)) {
    const { pathname } = new URL(url)
    if (pathname !== '/mcp') await read(pathname)
  }
  assert.match(await read('/docs.md'), /## POST \/jobs\n\nStart a job\./)
  const { body } = await posts(await customer(), LIST)
  const known = body['result'].tools.map(({ name }: Json) => name)
  const agents = await read('/docs/agents.md')
  assert.match(
    agents,
    /^# Agents\n\n> Index of all documents: https:\/\/texts\.example\/llms\.txt\n\n\S/,
  )
  assert.ok(!agents.includes('https://host') && agents.includes('https://texts.example/mcp'))
  for (const tool of known) assert.ok(agents.includes(`| \`${tool}\` |`), tool)
  assert.ok(!(await read('/docs/following.md')).includes('operating.md'), 'no link leads nowhere')
  assert.match(
    await read('/.well-known/security.txt'),
    new RegExp(
      `^Contact: mailto:security@example\\.org\nExpires: ${NEXT_MONTH}T00:00:00\\.000Z\n[^]*Canonical: https://texts\\.example/\\.well-known/security\\.txt\n$`,
    ),
  )
  const skill = await read('/SKILL.md')
  for (const [, tool] of skill.matchAll(/`([a-z]+_[a-z]+)`/g)) assert.ok(known.includes(tool), tool)
})

test('a message costs one request of the key; an empty bucket is 429, as in the API, and spends nothing', async () => {
  const who = await customer('10', { isLimited: true })
  await freezeBuckets(database.pool)
  const first = await posts(who, LIST)
  assert.equal(first.headers.get('x-ratelimit-remaining'), '59')
  const call = { ...LIST, method: 'tools/call', params: { name: 'get_balance' } }
  const all = await Promise.all(Array.from({ length: 75 }, () => posts(who, call)))
  const refused = all.filter(({ status }) => status === 429)
  assert.equal(refused.length, 75 - 59)
  assert.ok(all.every(({ status }) => status === 200 || status === 429))
  assert.equal(refused[0]?.body['error'].code, 'rate_limited')
  assert.match(refused[0]?.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
})

for (const connects of [modernAgent, legacyAgent]) {
  test(`an agent (${connects.name}) whose bucket is empty is told so, and goes on with the next token`, async () => {
    const who = await customer('10', { isLimited: true })
    const agent = await connects(who)
    await emptiesBucket(who)
    await assert.rejects(agent.calls('get_balance'), /rate_limited/)
    await fillBuckets(database.pool)
    assert.equal((await agent.asks('get_balance'))['balance'], '10.000')
    await agent.close()
  })

  test(`a key that is revoked is refused at its next message, also of a connected agent (${connects.name})`, async () => {
    const who = await customer()
    const agent = await connects(who)
    await agent.asks('get_balance')
    await revokesKey(who)
    await assert.rejects(agent.calls('get_balance'), /unauthorized/)
    await agent.close()
  })
}

test('who comes without a key, or with a revoked one, is told where tokens are given out, for what and with which scopes', async () => {
  const who = await customer()
  await revokesKey(who)
  const bare = await fetch(`${address}/mcp`, { method: 'POST' })
  for (const { status, headers } of [bare, await posts(who, LIST)]) {
    assert.equal(status, 401)
    const told = headers.get('www-authenticate') ?? ''
    assert.match(told, /^Bearer .*resource_metadata=".*\/mcp"/)
    assert.match(told, / scope="transcripts:read jobs:write account:read"/)
    assert.match(told, / resource="https:\/\/texts\.example\/mcp"/)
  }
})

test('batches, subscriptions, other methods and versions, and what is no message are refused by name', async () => {
  const who = await customer()
  const told = async (body: unknown, headers: Json = {}): Promise<unknown[]> => {
    const reply = await posts(who, body, headers)
    return [reply.status, reply.body['error'].code]
  }
  assert.deepEqual(await told([LIST, LIST]), [400, -32_600])
  assert.deepEqual(await told({ ...LIST, method: 'subscriptions/listen' }), [404, -32_601])
  assert.deepEqual(await told({ hello: 'there' }), [400, -32_600])
  assert.deepEqual(await told(LIST, { 'MCP-Protocol-Version': '1999-01-01' }), [400, -32_000])
  assert.deepEqual(await told('{"jsonrpc":'), [400, 'invalid_request'])
  assert.deepEqual(await told(LIST, { 'Content-Type': 'text/plain' }), [415, 'invalid_request'])
  assert.deepEqual(await told({ ...LIST, x: 'x'.repeat(70_000) }), [413, 'invalid_request'])
  const get = await who.asks('GET', `${address}/mcp`, { headers: { Accept: 'text/event-stream' } })
  assert.deepEqual([get.status, get.headers.get('allow')], [405, 'POST, OPTIONS'])
})

const { host } = new URL(address)
/** Origins of pages, whether they may call, and the Host under which they came. */
const PAGES: [origin: string, isWelcome: boolean, Host?: string][] = [
  ['https://texts.example', true],
  ['https://texts.example', true, 'texts.example'],
  ['http://localhost:6274', true],
  ['http://127.0.0.1', true],
  ['https://[::1]:3000', true],
  ['https://agent.example', true],
  ['chrome-extension://abcdef', true],
  ['null', false],
  ['', false],
  ['http://texts.example', false],
  ['https://texts.example:8443', false],
  ['https://texts.example, https://evil.example', false],
  ['https://sub.texts.example', false],
  ['https://texts.example.evil.example', false],
  ['http://localhost.evil.example', false],
  ['http://127.0.0.1.evil.example', false],
  ['http://localhost@evil.example', false],
  ['http://192.168.1.5', false],
  ['file://', false],
  ['http://evil.example', false, 'evil.example'],
  ['http://evil.example', false],
]

test('pages of this service, of this machine and of named origins may call; any other is refused before its key is read', async () => {
  const who = await customer()
  for (const [Origin, isWelcome, Host = host] of PAGES) {
    const { status, headers, body } = await posts(who, LIST, { Origin, Host })
    const allowed = headers.get('access-control-allow-origin')
    assert.deepEqual([status, allowed], isWelcome ? [200, '*'] : [403, null], Origin)
    const asked = { Origin, Host, 'Access-Control-Request-Method': 'POST' }
    const preflight = await who.asks('OPTIONS', `${address}/mcp`, { headers: asked })
    const sendable = preflight.headers.get('access-control-allow-headers') ?? ''
    assert.deepEqual(
      [preflight.status, sendable.includes('MCP-Protocol-Version')],
      [isWelcome ? 204 : 403, isWelcome],
      Origin,
    )
    if (isWelcome) continue
    assert.match(body['error'].message, /^Pages of this Origin may not call the tools: /)
    assert.equal(headers.get('x-ratelimit-remaining'), null)
    const unknown = await posts(who, LIST, { Origin, Host, Authorization: 'Bearer none' })
    assert.equal(unknown.status, 403)
    const escaped = await who.asks('POST', `${address}/%6Dcp`, {
      body: LIST,
      headers: { Origin, Host },
    })
    assert.equal(escaped.status, 403, 'the same address, written otherwise')
  }
})

test('a program, which sends no Origin, is served under any name', async () => {
  const who = await customer()
  for (const Host of [host, 'api', 'tools.internal:8080'])
    assert.equal((await posts(who, LIST, { Host })).status, 200)
})

/** Headers and `_meta` of a call of `get_balance`, as both eras send it. */
const ERAS: Record<string, { headers: Json; meta: Json }> = {
  earlier: { headers: { 'MCP-Protocol-Version': '2025-03-26' }, meta: { progressToken: 7 } },
  'earlier, of no version': { headers: {}, meta: {} },
  modern: {
    headers: {
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': 'tools/call',
      'Mcp-Name': 'get_balance',
    },
    meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'agent', version: '1.0.0' },
      'io.modelcontextprotocol/clientCapabilities': { roots: {} },
    },
  },
}

for (const [era, { headers, meta }] of Object.entries(ERAS)) {
  test(`a call (${era}) has one JSON answer, whatever its client accepts`, async () => {
    const who = await customer('10')
    const params = { name: 'get_balance', arguments: {}, _meta: meta }
    const call = { jsonrpc: '2.0', id: 'x', method: 'tools/call', params }
    for (const Accept of ['application/json, text/event-stream', 'application/json', '*/*']) {
      const { status, headers: told, body } = await posts(who, call, { ...headers, Accept })
      assert.deepEqual([status, body['id']], [200, 'x'])
      assert.match(told.get('content-type') ?? '', /^application\/json/)
      assert.equal(body['result'].structuredContent.balance, '10.000')
    }
  })
}

async function revokesKey({ accountId }: Customer): Promise<void> {
  const { rows } = await database.pool.query('select id from api_key where account_id = $1', [
    accountId,
  ])
  const keyId = rows[0].id
  await transact(database.db, (tx) => revokeKey(tx, { accountId, keyId }))
}

/** Empties the key's bucket so far that no token comes back in the test's time, even on a slow machine. */
async function emptiesBucket({ accountId }: Customer): Promise<void> {
  const { rowCount } = await database.pool.query(
    `update rate_bucket set tokens = -1000 where id in (select id from api_key where account_id = $1)`,
    [accountId],
  )
  assert.equal(rowCount, 1)
}
