/** Apps that act for an account: another author's client from registration to revocation. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import * as oauth from 'oauth4webapi'
import { sweepApps } from '../../src/features/oauth/apps.ts'
import { resumeAccount, suspendAccount } from '../../src/features/accounts/account.ts'
import { App, CALLBACK, refusedWith, type Tokens } from './app.ts'
import './agents.ts' // these run on the same service
import './command-line.ts' // likewise
import './refusals.ts' // likewise
import './registration.ts' // likewise
import './sent-in-clear.ts' // likewise
import {
  anna,
  ben,
  calls,
  cleo,
  db,
  origin,
  other,
  running,
  statusOf,
  untilJobsEnd,
} from './running.ts'

test('an app registers, asks, is allowed, calls, refreshes and gives its tokens back', async () => {
  const app = await App.registers(origin)
  assert.equal(app.client['token_endpoint_auth_method'], 'none')
  const tokens = await app.connects(anna)
  assert.match(tokens.access, /^so_/)
  assert.equal(tokens.scope, 'transcripts:read jobs:write account:read')
  assert.equal(await statusOf(tokens.access), 200)
  assert.equal(await statusOf(tokens.access, '/jobs'), 200)

  const [listed] = (await anna.gets('/account/apps')).apps
  assert.deepEqual(
    [listed.name, listed.publisher, listed.monthlyCap, listed.spentThisMonth],
    ['Reading app', null, '5.000', '0.000'],
  )
  assert.notEqual(listed.lastUsedAt, null)
  assert.deepEqual((await ben.gets('/account/apps')).apps, [])

  const next = await app.refreshes(tokens.refresh)
  assert.equal(await statusOf(next.access), 200)
  await app.revokes(next.refresh)
  assert.deepEqual([await statusOf(next.access), await statusOf(tokens.access)], [401, 401])
  await assert.rejects(app.refreshes(next.refresh), refusedWith('invalid_grant'))
})

test('its owner revokes it, and the next request is refused by every process; nobody else can', async () => {
  const app = await App.registers(origin)
  const tokens = await app.connects(anna)
  const [{ id }] = (await anna.gets('/account/apps')).apps
  assert.equal((await ben.asks('DELETE', `/account/apps/${id}`)).status, 404)
  assert.equal((await ben.asks('PATCH', `/account/apps/${id}`, { monthlyCap: '9' })).status, 404)
  const elsewhere = () =>
    fetch(`${other.address}/api/v1/balance`, {
      headers: { Authorization: `Bearer ${tokens.access}` },
    })
  assert.equal((await elsewhere()).status, 200)
  assert.equal((await anna.asks('DELETE', `/account/apps/${id}`)).status, 200)
  assert.deepEqual([(await elsewhere()).status, await statusOf(tokens.access)], [401, 401])
  await assert.rejects(app.refreshes(tokens.refresh), refusedWith('invalid_grant'))
  const left = (await anna.gets('/account/apps')).apps as { id: string }[]
  assert.ok(left.every((one) => one.id !== id))
})

test('what an app may do is checked at each operation, and told how a client can ask for more', async () => {
  const app = await App.registers(origin)
  const reads = await app.connects(anna, { scope: 'transcripts:read offline_access' })
  assert.equal(reads.scope, 'transcripts:read')
  const refused = await calls(reads.access, '/jobs', {
    urls: ['https://www.youtube.com/watch?v=aaaaaaaaaaa'],
  })
  assert.equal(refused.status, 403)
  assert.match(
    refused.headers.get('www-authenticate') ?? '',
    /error="insufficient_scope", scope="jobs:write"/,
  )
  assert.equal(((await refused.json()) as any).error.code, 'unauthorized')
  assert.deepEqual(
    [
      await statusOf(reads.access, '/jobs'),
      await statusOf(reads.access),
      await statusOf(reads.access, '/nothing'),
    ],
    [200, 403, 404],
  )
  const all = await app.connects(anna)
  // The owner's own keys alone may do what no scope names: an app must not send events elsewhere.
  assert.equal(await statusOf(all.access, '/webhooks'), 403)
  assert.equal((await calls(all.access, '/webhooks', { url: 'https://example.org' })).status, 403)
  await assert.rejects(
    app.refreshes(reads.refresh, { scope: 'transcripts:read jobs:write' }),
    refusedWith('invalid_scope'),
  )
})

test('a token for the tools of agents is refused by the API, and one for another service is not given out', async () => {
  const app = await App.registers(origin)
  const forTools = await app.connects(anna, { resource: `${origin}/mcp` })
  const refused = await calls(forTools.access, '/balance')
  assert.equal(refused.status, 401)
  assert.match(
    refused.headers.get('www-authenticate') ?? '',
    /^Bearer error="invalid_token", resource_metadata="/,
  )
  const forApi = await app.connects(anna, { resource: `${origin}/api/v1` })
  assert.equal(await statusOf(forApi.access), 200)
  await assert.rejects(
    app.refreshes(forApi.refresh, { resource: `${origin}/mcp` }),
    refusedWith('invalid_target'),
  )
  const asking = await app.asks({ resource: 'https://evil.example' })
  const led = await anna.asks('GET', `${asking.url.pathname}${asking.url.search}`)
  const answer = new URL(led.headers.get('location') ?? '')
  assert.deepEqual(
    [answer.origin, answer.searchParams.get('error')],
    [new URL(CALLBACK).origin, 'invalid_target'],
  )
})

test('what an app spends in a month is capped with the job that would exceed it, also by many at once', async () => {
  const app = await App.registers(origin)
  const tokens = await app.connects(ben, {}, '0.02')
  // Money that an ended job did not spend is free again, so that these jobs are still at work when they are counted.
  running.platform.apply({ faults: [{ do: 'hold' }] })
  const started = await Promise.all(
    [1, 2, 3, 4].map((n) =>
      calls(tokens.access, '/jobs', {
        urls: [`https://www.youtube.com/@nobody${n}`],
        maxVideos: 1,
      }),
    ),
  )
  const statuses = started.map(({ status }) => status).sort()
  assert.deepEqual(statuses, [201, 201, 402, 402])
  const refusal = (await started.find(({ status }) => status === 402)!.json()) as any
  assert.match(refusal.error.message, /This app has \$0\.004 of its monthly limit left/)

  const asked = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_balance' } }
  const told = await fetch(`${origin}/mcp`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${tokens.access}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(asked),
  })
  const { result } = (await told.json()) as any
  assert.equal(result.structuredContent.monthlyCapLeftUsd, '0.004', JSON.stringify(result))
  running.platform.clear()
  const [{ id, spentThisMonth }] = (await ben.gets('/account/apps')).apps
  assert.ok(Number(spentThisMonth) <= 0.016)
  assert.equal((await ben.asks('PATCH', `/account/apps/${id}`, { monthlyCap: '-1' })).status, 400)
  assert.equal((await ben.asks('PATCH', `/account/apps/${id}`, { monthlyCap: '0.04' })).status, 200)
  const cut = await calls(tokens.access, '/jobs', {
    urls: ['https://www.youtube.com/@somebody'],
    maxVideos: 50,
  })
  const job = (await cut.json()) as any
  assert.equal(cut.status, 201)
  assert.ok(
    job.input.maxVideos <= 5 && job.notices.some((text: string) => text.includes('monthly limit')),
    JSON.stringify(job),
  )
  // Connecting anew does not renew the month, and the owner's own key has no such cap.
  await ben.asks('DELETE', `/account/apps/${id}`)
  const { apiKey } = (await ben.asks('POST', '/account/keys', { name: 'own' })).body
  assert.equal(
    (await calls(apiKey, '/jobs', { urls: ['https://www.youtube.com/@else'], maxVideos: 1 }))
      .status,
    201,
  )
  await untilJobsEnd()
})

test('a program without a browser is let in by a code that its user types', async () => {
  const server = await App.discovers(origin)
  const client = { client_id: 'scriptorium-cli' }
  const insecure = { [oauth.allowInsecureRequests]: true } as const
  const begin = async () =>
    oauth.processDeviceAuthorizationResponse(
      server,
      client,
      await oauth.deviceAuthorizationRequest(server, client, oauth.None(), {}, insecure),
    )
  const poll = async (code: string): Promise<Tokens> => {
    const response = await oauth.deviceCodeGrantRequest(
      server,
      client,
      oauth.None(),
      code,
      insecure,
    )
    const answer = await oauth.processDeviceCodeResponse(server, client, response)
    return { access: answer.access_token, refresh: answer.refresh_token ?? '', scope: '' }
  }
  const login = await begin()
  assert.match(login.user_code, /^[B-Z]{4}-[B-Z]{4}$/)
  assert.equal(login.verification_uri, `${origin}/device`)
  await assert.rejects(poll(login.device_code), refusedWith('authorization_pending'))
  await assert.rejects(poll(login.device_code), refusedWith('slow_down'))

  const typed = login.user_code.toLowerCase().replace('-', ' ')
  const shown = await anna.gets(`/account/device?code=${encodeURIComponent(typed)}`)
  assert.deepEqual([shown.name, shown.destination], ['Scriptorium command line', null])
  const answer = { code: typed, isAllowed: true, monthlyCap: '3' }
  assert.equal(
    (await anna.asks('POST', '/account/device', answer, 'https://evil.example')).status,
    403,
  )
  assert.equal((await anna.asks('POST', '/account/device', answer)).status, 200)
  assert.equal(
    (await ben.asks('POST', '/account/device', answer)).status,
    404,
    'it is decided once',
  )
  const both = await Promise.allSettled([poll(login.device_code), poll(login.device_code)])
  const [tokens, ...more] = both.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  assert.equal(more.length, 0)
  assert.equal(await statusOf(tokens!.access), 200)

  const denied = await begin()
  await anna.asks('POST', '/account/device', {
    ...answer,
    code: denied.user_code,
    isAllowed: false,
  })
  await assert.rejects(poll(denied.device_code), refusedWith('access_denied'))
  const late = await begin()
  await sql`update device_login set expires_at = now() - interval '1 second'`.execute(db)
  assert.equal(
    (await anna.asks('POST', '/account/device', { ...answer, code: late.user_code })).status,
    404,
  )
  await assert.rejects(poll(late.device_code), refusedWith('expired_token'))
})

test('a suspended account refuses its apps, and gives them out no tokens', async () => {
  const app = await App.registers(origin)
  const tokens = await app.connects(anna)
  const { accountId } = await anna.gets('/account/session')
  const word = { actor: 'test', reason: 'test' }
  await suspendAccount(db, { accountId, ...word })
  assert.equal(await statusOf(tokens.access), 401)
  await assert.rejects(app.refreshes(tokens.refresh), refusedWith('invalid_grant'))
  await resumeAccount(db, { accountId, ...word })
  assert.equal(await statusOf(tokens.access), 200)
})

test('what is over is swept: logins, consents, tokens and apps that nobody connected', async () => {
  const app = await App.registers(origin)
  const { accountId } = await ben.gets('/account/session')
  const tokens = await app.connects(ben, { scope: 'account:read' })
  assert.equal(await statusOf(tokens.access), 200)
  const old = await App.registersAsBefore(origin, db)
  await sql`update oauth_client set created_at = created_at - interval '2 days'`.execute(db)
  await sql`update api_key set expires_at = now() - interval '2 hours' where kind = 'app'`.execute(
    db,
  )
  await sql`update oauth_grant set expires_at = now() - interval '1 second' where connection_id not in (select id from app_connection where account_id = ${accountId})`.execute(
    db,
  )
  await sweepApps(db)
  const { rows } = await sql<Record<string, number>>`
    select (select count(*)::int from oauth_client where connected_at is null) as clients,
      (select count(*)::int from device_login) as logins,
      (select count(*)::int from api_key where kind = 'app') as tokens,
      (select count(distinct connection_id)::int from oauth_grant) as grants
  `.execute(db)
  assert.deepEqual(rows[0], { clients: 0, logins: 0, tokens: 0, grants: 1 })
  await assert.rejects(old.connects(cleo), /names no app/)
  const kept = (await ben.gets('/account/apps')).apps.at(0)
  assert.deepEqual([kept.scopes, kept.lastUsedAt === null], [['account:read'], false])
})
