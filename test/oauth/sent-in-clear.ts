/** Secrets of apps that come by plain http to a service of https: refused, and their owner told once about the app. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import * as oauth from 'oauth4webapi'
import { App, type Asking, decides, refusedWith } from './app.ts'
import { calls, db, fay, mailBox, origin, running, statusOf } from './running.ts'

/** A second process of the service, which is reached by https. */
const secure = await running.another({ PUBLIC_URL: 'https://texts.example', ROLES: 'api' })

/** Sends a form by plain http, and returns the refusal. */
async function sendsInClear(path: string, form: Record<string, string>): Promise<unknown> {
  const response = await fetch(`${secure.address}/oauth/${path}`, {
    method: 'POST',
    headers: { forwarded: 'for=192.0.2.60;proto="HTTP"' },
    body: new URLSearchParams(form),
  })
  const { error } = (await response.json()) as { error: unknown }
  return [response.status, error]
}

const REFUSED = [403, 'invalid_request']
const told = (): number =>
  mailBox.mails.filter(({ to, subject }) => to === 'fay@example.org' && /without/.test(subject))
    .length

async function codeOf(asking: Asking): Promise<string> {
  const { body } = await decides(fay, asking, { isAllowed: true })
  return body.location
}

test('a token that an app sends is not taken, and its owner is told once, however many tokens follow', async () => {
  const app = await App.registers(origin)
  const { access, refresh } = await app.connects(fay)
  const form = { client_id: app.client.client_id, grant_type: 'refresh_token' }
  assert.deepEqual(await sendsInClear('token', { ...form, refresh_token: refresh }), REFUSED)
  const mail = await mailBox.newestTo('fay@example.org', 2)
  assert.match(mail.subject, /^A token of your Scriptorium account was sent without encryption/)
  assert.ok(mail.text.includes('Reading app') && !mail.text.includes(refresh))
  assert.equal(told(), 1)

  assert.deepEqual(await sendsInClear('revoke', { ...form, token: access }), REFUSED)
  assert.deepEqual(await sendsInClear('revoke', { ...form, token: refresh }), REFUSED)
  assert.equal(await statusOf(access), 200, 'it was not revoked')
  const next = await app.refreshes(refresh)
  await sql`delete from api_key where kind = 'app'`.execute(db) // as the sweep does, hours later
  const last = await app.refreshes(next.refresh)
  const sent = await fetch(`${secure.address}/api/v1/balance`, {
    headers: { authorization: `Bearer ${last.access}`, 'x-forwarded-proto': 'http' },
  })
  assert.equal(sent.status, 403)
  assert.equal((await calls(last.access, '/balance')).status, 200)
  await mailBox.newestTo('fay@example.org', 2)
  assert.equal(told(), 1)
})

test('a token is told of at an interface for which it is not good, too, and again after a new consent', async () => {
  const app = await App.registers(origin)
  const before = told()
  for (const times of [1, 2]) {
    const { access } = await app.connects(fay, { resource: `${origin}/mcp` })
    const sent = await fetch(`${secure.address}/api/v1/balance`, {
      headers: { authorization: `Bearer ${access}`, 'x-forwarded-proto': 'http' },
    })
    assert.equal(sent.status, 403)
    await mailBox.newestTo('fay@example.org', 1 + before + times)
    assert.equal(told(), before + times)
    const { apps } = await fay.gets('/account/apps')
    for (const { id } of apps) await fay.asks('DELETE', `/account/apps/${id}`)
  }
})

test('a code that an app sends is good for nobody afterwards', async () => {
  const app = await App.registers(origin)
  const asking = await app.asks()
  const location = await codeOf(asking)
  const code = new URL(location).searchParams.get('code') ?? ''
  const form = { client_id: app.client.client_id, code_verifier: asking.verifier }
  assert.deepEqual(await sendsInClear('token', { ...form, code }), REFUSED)
  await assert.rejects(app.brings(asking, location), refusedWith('invalid_grant'))

  const insecure = { [oauth.allowInsecureRequests]: true }
  const { server, client } = app
  const asked = await oauth.deviceAuthorizationRequest(server, client, oauth.None(), {}, insecure)
  const device = await oauth.processDeviceAuthorizationResponse(server, client, asked)
  const { device_code: deviceCode } = device
  assert.deepEqual(await sendsInClear('token', { ...form, device_code: deviceCode }), REFUSED)
  const polled = await oauth.deviceCodeGrantRequest(
    server,
    client,
    oauth.None(),
    deviceCode,
    insecure,
  )
  await assert.rejects(
    oauth.processDeviceCodeResponse(server, client, polled),
    refusedWith('invalid_grant'),
  )
})
