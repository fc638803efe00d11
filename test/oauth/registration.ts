/** Registration leaves nothing with the service: an app's id says what it is; run with apps.test.ts. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { sql } from 'kysely'
import * as oauth from 'oauth4webapi'
import { sweepApps } from '../../src/features/oauth/apps.ts'
import { OAUTH_LIMITS } from '../../src/model/oauth/authorization.ts'
import { CLIENT_ID_CHARS_MAX } from '../../src/model/oauth/client.ts'
import { DEVICE_GRANT } from '../../src/model/oauth/metadata.ts'
import { App, CALLBACK, decides, refusedWith } from './app.ts'
import {
  calls,
  cleo,
  db,
  dora,
  eve,
  origin,
  other,
  running,
  statusOf,
  untilJobsEnd,
} from './running.ts'

async function rowsOf({ client }: App): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from oauth_client where id = ${client.client_id}`.execute(db)
  return rows[0]?.count ?? 0
}

const asksForConsent = async (app: App): Promise<number> => {
  const { url } = await app.asks()
  return (await cleo.asks('GET', `${url.pathname}${url.search}`)).status
}

test('an app has a row from the first consent on, and none before', async () => {
  const app = await App.registers(origin)
  assert.equal(await asksForConsent(app), 302)
  assert.equal(await rowsOf(app), 0)
  const tokens = await app.connects(cleo)
  assert.deepEqual([await rowsOf(app), await statusOf(tokens.access)], [1, 200])
  await app.connects(dora)
  assert.equal(await rowsOf(app), 1)
})

test('every process knows an app that another registered, and no installation knows one of another', async () => {
  const app = await App.registers(origin)
  const { url } = await app.asks()
  const led = await fetch(`${other.address}${url.pathname}${url.search}`, { redirect: 'manual' })
  assert.equal(led.status, 302)
  await sql`update sign_in_secret set secret = secret || 'x'`.execute(db)
  try {
    const stranger = await running.another({ PUBLIC_URL: origin, ROLES: 'api' })
    const from = await fetch(`${stranger.address}${url.pathname}${url.search}`)
    assert.deepEqual([from.status, ((await from.json()) as any).error], [401, 'invalid_client'])
  } finally {
    await sql`update sign_in_secret set secret = left(secret, -1)`.execute(db)
  }
})

test('an id that was changed is nobody’s, whatever was changed', async () => {
  const { server, client } = await App.registers(origin)
  const { client_id: id } = client
  const spellings = [`${id}=`, `${id}.`, `${id.slice(0, -1)}`, `${id}A`, id.replace('client_', '')]
  const last = id.slice(0, -1) + String.fromCharCode(id.charCodeAt(id.length - 1) ^ 1)
  for (const changed of [...spellings, last, 'client_', 'client_v1.'])
    assert.equal(await asksForConsent(new App(server, { client_id: changed })), 401, changed)
})

test('a description is bounded, and a refusal says by what', async () => {
  const address = (chars: number): string => `${CALLBACK}/${'x'.repeat(chars)}`
  const { client } = await App.registers(origin, {
    client_name: 'N',
    redirect_uris: [address(985)],
  })
  assert.equal(client.client_id.length, 1_413)
  assert.ok(1_413 < CLIENT_ID_CHARS_MAX)
  await assert.rejects(App.registers(origin, { redirect_uris: [address(500), address(501)] }), {
    error: 'invalid_client_metadata',
    error_description:
      /^client_name and redirect_uris have 1084 bytes as JSON, and may have 1024: /,
  } as object)
})

test('a program without a browser signs in by an app that is only registered', async () => {
  const { server, client } = await App.registers(origin, {
    client_name: 'Television',
    redirect_uris: [],
    grant_types: [DEVICE_GRANT],
  })
  const insecure = { [oauth.allowInsecureRequests]: true } as const
  const none = oauth.None()
  const begun = await oauth.processDeviceAuthorizationResponse(
    server,
    client,
    await oauth.deviceAuthorizationRequest(server, client, none, {}, insecure),
  )
  const app = new App(server, client)
  assert.equal(await rowsOf(app), 0)
  const shown = await cleo.gets(`/account/device?code=${begun.user_code}`)
  assert.equal(shown.name, 'Television')
  const answer = { code: begun.user_code, isAllowed: true, monthlyCap: '1' }
  assert.equal((await cleo.asks('POST', '/account/device', answer)).status, 200)
  const { device_code } = begun
  const response = await oauth.deviceCodeGrantRequest(server, client, none, device_code, insecure)
  const tokens = await oauth.processDeviceCodeResponse(server, client, response)
  assert.deepEqual([await rowsOf(app), await statusOf(tokens.access_token)], [1, 200])
})

test('an app that a release before registered goes on as it is, connected or not', async () => {
  const app = await App.registersAsBefore(origin, db)
  const first = await app.connects(cleo)
  const next = await app.refreshes(first.refresh)
  assert.deepEqual([await rowsOf(app), await statusOf(next.access)], [1, 200])
  await app.revokes(next.refresh)
  await assert.rejects(app.refreshes(next.refresh), refusedWith('invalid_grant'))
})

test('an app that is described by a document at its own address needs no registration', async (t) => {
  let document: Record<string, unknown> = {}
  let reads = 0
  const server = createServer((request, response) => {
    reads += 1
    if (request.url === '/none') response.writeHead(404).end()
    else response.setHeader('content-type', 'application/json').end(JSON.stringify(document))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const none = `/oauth/authorize?client_id=${encodeURIComponent(`${host}/none`)}`
  assert.equal((await cleo.asks('GET', none)).status, 401, 'and what follows is still served')
  const id = `${host}/client.json`
  const app = new App(await App.discovers(origin), { client_id: id })
  document = {
    client_id: 'https://somebody.example/else',
    client_name: 'Copy',
    redirect_uris: [CALLBACK],
  }
  const { url } = await app.asks()
  assert.equal((await cleo.asks('GET', `${url.pathname}${url.search}`)).status, 401)

  document = { ...document, client_id: id, client_name: 'Docu\u202ement  app' }
  const tokens = await app.connects(cleo)
  assert.equal(await statusOf(tokens.access), 200)
  const [listed] = (await cleo.gets('/account/apps')).apps
  assert.deepEqual([listed.name, listed.publisher], ['Docu ment app', new URL(id).host])
  assert.equal(reads, 5, 'it is read at each step until it is connected')
  await app.connects(dora)
  assert.equal(reads, 5, 'what was read is kept for a while')
})

test('an account has a hundred apps at most, and those that it disconnects unused make room', async () => {
  const { accountId } = await eve.gets('/account/session')
  await sql`
    with client as (
      insert into oauth_client (id, kind, name, redirect_uris, connected_at)
      select 'client_v1.' || n, 'registered', 'App ' || n, '{}', now() from generate_series(2, 100) n returning id)
    insert into app_connection (id, account_id, client_id, monthly_cap_micros)
    select 'app_' || md5(id), ${accountId}, id, 0 from client
  `.execute(db)
  const [last, more] = [await App.registers(origin), await App.registers(origin)]
  const tokens = await last.connects(eve)
  assert.equal((await eve.gets('/account/apps')).apps.length, OAUTH_LIMITS.connectionsMax)
  const refused = await decides(eve, await more.asks(), { isAllowed: true })
  assert.deepEqual([refused.status, refused.body.error.code], [400, 'invalid_request'])
  assert.match(refused.body.error.message, /at most 100 connected apps; disconnect one/)
  assert.equal(await rowsOf(more), 0, 'and nothing is kept of it')
  const again = await last.connects(eve)
  assert.deepEqual([await statusOf(tokens.access), await statusOf(again.access)], [200, 200])

  const urls = ['https://www.youtube.com/watch?v=aaaaaaaaaaa']
  assert.equal((await calls(again.access, '/jobs', { urls })).status, 201)
  const { apps } = await eve.gets('/account/apps')
  for (const { id } of apps.slice(0, 3))
    assert.equal((await eve.asks('DELETE', `/account/apps/${id}`)).status, 200)
  await more.connects(eve)
  const { rows } = await sql<{ id: string }>`
    select c.id from app_connection a join oauth_client c on c.id = a.client_id
    where a.account_id = ${accountId} and a.revoked_at is not null`.execute(db)
  assert.deepEqual(rows, [{ id: last.client.client_id }], 'what was spent by it is remembered')
  await sql`update oauth_client set created_at = created_at - interval '2 days'`.execute(db)
  await sweepApps(db)
  const { rows: left } = await sql<{ count: number }>`
    select count(*)::int as count from oauth_client where id like 'client_v1.%' and name like 'App %'
  `.execute(db)
  assert.equal(left[0]?.count, 97)
  await untilJobsEnd()
})
