/** Agents that connect by OAuth, each by an official client; run with apps.test.ts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { Json } from '../../tools/conformance/http.ts'
import { App, decides } from './app.ts'
import { OfficialApp } from './official-app.ts'
import { anna, db, origin } from './running.ts'

for (const era of ['modern', 'legacy'] as const) {
  test(`an official client (${era}) registers, is allowed, calls tools, refreshes, and loses it all at once`, async () => {
    const app = new OfficialApp(origin, era)
    await assert.rejects(app.connects(), /authoriz/i)
    const asked = app.asked!
    assert.equal(asked.searchParams.get('code_challenge_method'), 'S256')
    const decided = await decides(anna, { url: asked } as never, { isAllowed: true, cap: '0.5' })
    await app.brings(new URL(decided.body.location))

    const client = await app.connects()
    const asks = async (name: string): Promise<Json> =>
      (await client.callTool({ name, arguments: {} })) as Json
    const { structuredContent } = await asks('get_balance')
    assert.equal(structuredContent.monthlyCapLeftUsd, '0.500')

    const { refresh_token: before } = app.tokensKept!
    await sql`update api_key set expires_at = now() - interval '1 second' where kind = 'app'`.execute(
      db,
    )
    assert.deepEqual((await asks('get_balance'))['structuredContent'], structuredContent)
    assert.notEqual(app.tokensKept!['refresh_token'], before, 'it was given another')

    app.asked = null
    for (const { id } of (await anna.gets('/account/apps')).apps as { id: string }[])
      await anna.asks('DELETE', `/account/apps/${id}`)
    await assert.rejects(asks('get_balance'), /authoriz/i)
    assert.notEqual(app.asked, null, 'its user is asked anew')
    await client.close()
  })
}

test('the tools refuse a token for the API, and name the scope that a call needs', async () => {
  const app = await App.registers(origin)
  const calls = (token: string, name: string, args: Json): Promise<Response> =>
    fetch(`${origin}/mcp`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: args },
      }),
    })
  const forApi = await app.connects(anna, { resource: `${origin}/api/v1` })
  const foreign = await calls(forApi.access, 'get_balance', {})
  assert.equal(foreign.status, 401)
  assert.match(foreign.headers.get('www-authenticate') ?? '', /error="invalid_token".*\/mcp"/)

  const reads = await app.connects(anna, {
    resource: `${origin}/mcp`,
    scope: 'transcripts:read offline_access',
  })
  assert.equal((await calls(reads.access, 'list_jobs', {})).status, 200)
  const urls = ['https://www.youtube.com/watch?v=60vNGGwFgvk']
  const refused = await calls(reads.access, 'start_job', { urls })
  assert.equal(refused.status, 403)
  assert.match(
    refused.headers.get('www-authenticate') ?? '',
    /error="insufficient_scope", scope="jobs:write", resource="[^"]+\/mcp"/,
  )
  assert.equal((await calls(reads.access, 'get_balance', {})).status, 403)
})
