/** Ways around an owner's consent, each refused; run with apps.test.ts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { OAUTH_LIMITS } from '../../src/model/oauth/authorization.ts'
import { App, CALLBACK, decides, refusedWith } from './app.ts'
import { anna, db, origin, statusOf, visitor } from './running.ts'

const packed = (url: URL) => Buffer.from(url.search.slice(1)).toString('base64url')
const sendForm = (path: string, form: Record<string, string>) =>
  fetch(`${origin}${path}`, { method: 'POST', body: new URLSearchParams(form) })

test('a code is good once, for its app, its address and its verifier; whoever brings it twice ends it', async () => {
  const [app, thief] = [await App.registers(origin), await App.registers(origin)]
  const asked = async () => {
    const asking = await app.asks()
    const { body } = await decides(anna, asking, { isAllowed: true })
    const code = new URL(body.location).searchParams.get('code') ?? ''
    const form = { grant_type: 'authorization_code', code, client_id: app.client.client_id }
    return { asking, form: { ...form, redirect_uri: CALLBACK, code_verifier: asking.verifier } }
  }
  const first = await asked()
  const tokens: any = await (await sendForm('/oauth/token', first.form)).json()
  assert.equal(await statusOf(tokens.access_token), 200)
  const again = await sendForm('/oauth/token', first.form)
  assert.deepEqual([again.status, ((await again.json()) as any).error], [400, 'invalid_grant'])
  assert.equal(await statusOf(tokens.access_token), 401, 'what came of a stolen code has ended')

  for (const [wrong, after] of [
    [{ client_id: thief.client.client_id }, 200],
    [{ redirect_uri: 'http://127.0.0.1:4712/callback' }, 400],
    [{ redirect_uri: `${CALLBACK}/` }, 400],
    [{ code_verifier: 'x'.repeat(43) }, 400],
  ] as const) {
    const { form } = await asked()
    const statusFor = async (brought: Record<string, string>) =>
      (await sendForm('/oauth/token', brought)).status
    const what = JSON.stringify(wrong)
    assert.equal(await statusFor({ ...form, ...wrong }), 400, what)
    assert.equal(await statusFor(form), after, `${what}: a code has one try of its own app`)
  }
  const { form } = await asked()
  const { code_verifier, ...without } = form
  assert.equal((await sendForm('/oauth/token', without)).status, 400, code_verifier)
})

test('a refresh token that comes again later ends all that followed from the consent; a lost answer does not', async () => {
  const app = await App.registers(origin)
  const first = await app.connects(anna)
  const second = await app.refreshes(first.refresh)
  const repeated = await app.refreshes(first.refresh)
  assert.deepEqual([await statusOf(second.access), await statusOf(repeated.access)], [200, 200])
  const more = await Promise.allSettled(
    Array.from({ length: 6 }, () => app.refreshes(first.refresh)),
  )
  const kept = more.filter(({ status }) => status === 'fulfilled')
  assert.equal(kept.length, OAUTH_LIMITS.repeatsMax - 2, 'and nobody collects tokens by repeating')
  assert.equal(await statusOf(second.access), 200, 'which ends nothing')
  await sql`update oauth_refresh_token set used_at = used_at - interval '31 seconds' where used_at is not null`.execute(
    db,
  )
  await assert.rejects(app.refreshes(first.refresh), refusedWith('invalid_grant'))
  assert.deepEqual([await statusOf(second.access), await statusOf(repeated.access)], [401, 401])
  await assert.rejects(app.refreshes(second.refresh), refusedWith('invalid_grant'))
  const thief = await App.registers(origin)
  const mine = await app.connects(anna)
  await assert.rejects(thief.refreshes(mine.refresh), refusedWith('invalid_grant'))
  await thief.revokes(mine.refresh)
  await thief.revokes(mine.access)
  assert.equal(await statusOf(mine.access), 200, "another app's tokens are none of its business")
})

test('a browser is sent to no address that the app did not register', async () => {
  const app = await App.registers(origin)
  for (const redirect_uri of [
    'https://evil.example/',
    `${CALLBACK}/../evil`,
    `${CALLBACK}?next=evil`,
    'http://127.0.0.1.evil.example/callback',
    'http://127.0.0.1:4711@evil.example/callback',
    'http://localhost:4711/callback',
    'javascript:alert(1)',
    '//evil.example',
    '',
  ]) {
    const { url } = await app.asks({ redirect_uri })
    const reply = await anna.asks('GET', `${url.pathname}${url.search}`)
    assert.deepEqual([reply.status, reply.headers.get('location')], [400, null], redirect_uri)
    const ask = { request: packed(url), isAllowed: true, monthlyCap: '5' }
    assert.equal((await anna.asks('POST', '/account/consent', ask)).status, 400, redirect_uri)
  }
  const { url: twice } = await app.asks()
  twice.searchParams.append('redirect_uri', 'https://evil.example/')
  assert.equal((await anna.asks('GET', `${twice.pathname}${twice.search}`)).status, 400)
  const { url: methods } = await app.asks()
  methods.searchParams.append('code_challenge_method', 'plain')
  assert.equal((await anna.asks('GET', `${methods.pathname}${methods.search}`)).status, 400)
  // A program may choose its port (RFC 8252).
  const { url } = await app.asks({ redirect_uri: 'http://127.0.0.1:50999/callback' })
  assert.equal((await anna.asks('GET', `${url.pathname}${url.search}`)).status, 302)

  for (const [name, value] of [
    ['code_challenge_method', 'plain'],
    ['code_challenge', 'short'],
    ['response_type', 'token'],
    ['scope', 'admin'],
  ]) {
    const asking = await app.asks({ [name ?? '']: value ?? '' })
    const led = await anna.asks('GET', `${asking.url.pathname}${asking.url.search}`)
    const back = new URL(led.headers.get('location') ?? '')
    assert.equal(`${back.origin}${back.pathname}`, CALLBACK)
    assert.deepEqual(
      [back.searchParams.get('iss'), back.searchParams.get('state')],
      [origin, asking.state],
    )
    assert.match(back.searchParams.get('error') ?? '', /^(?:invalid|unsupported)_/)
  }
})

test('a link to this service leads to no other host unasked, even one that an app registered', async () => {
  for (const callback of ['https://evil.example/callback', 'evil.example:/callback']) {
    const app = await App.registers(origin, { redirect_uris: [callback] })
    for (const wrong of [
      { response_type: 'token' },
      { scope: 'admin' },
      { resource: 'https://x.y' },
    ]) {
      const { url } = await app.asks({ redirect_uri: callback, ...wrong } as Record<string, string>)
      const reply = await anna.asks('GET', `${url.pathname}${url.search}`)
      assert.deepEqual([reply.status, reply.headers.get('location')], [400, null])
    }
  }
})

test('an answer names its issuer, and a denial is an answer; consent is taken from our own page only', async () => {
  const app = await App.registers(origin)
  const asking = await app.asks()
  const denied = new URL((await decides(anna, asking, { isAllowed: false })).body.location)
  assert.deepEqual(
    ['error', 'iss', 'state'].map((name) => denied.searchParams.get(name)),
    ['access_denied', origin, asking.state],
  )
  const other = await app.asks()
  const allowed = new URL((await decides(anna, other, { isAllowed: true })).body.location)
  allowed.searchParams.set('iss', 'https://other.example')
  await assert.rejects(app.brings(other, allowed.href), /iss/)

  const ask = { request: packed(other.url), isAllowed: true, monthlyCap: '5' }
  for (const from of [null, 'https://evil.example', 'null'])
    assert.equal((await anna.asks('POST', '/account/consent', ask, from)).status, 403)
  assert.equal((await visitor().asks('POST', '/account/consent', ask)).status, 401)
  assert.equal((await visitor().asks('GET', `/account/consent?request=${ask.request}`)).status, 401)
})

test('registrations are limited for each network', async (t) => {
  t.after(() => sql`delete from rate_bucket where id like 'oauth:%'`.execute(db))
  const registers = async () =>
    (
      await fetch(`${origin}/oauth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ redirect_uris: [CALLBACK] }),
      })
    ).status
  const statuses = new Set<number>()
  for (let tries = 0; tries < 40 && !statuses.has(429); tries += 1) statuses.add(await registers())
  assert.deepEqual([...statuses].sort(), statuses.size === 1 ? [429] : [201, 429])
})
