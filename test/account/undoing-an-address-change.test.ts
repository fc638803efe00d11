/**
 * What an attacker who changed an account's address keeps, once the owner says by the link to the old address that it
 * was not them.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { cancelAddressChange } from '../../src/features/accounts/address-change.ts'
import { transact } from '../../src/kit/postgres/database.ts'
import { lockSignInUser } from '../../src/store/sign-in.ts'
import { App } from '../oauth/app.ts'
import { testService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { startMailBox } from './mail-box.ts'
import { startOidcProvider } from './oidc-provider.ts'
import { membersOf, PASSWORD, tokenOf, type Visitor, visitorsOf } from './visitor.ts'

const mailBox = await startMailBox({ after })
const provider = await startOidcProvider({ after })
const running = await testService(
  { after },
  { env: { ...mailBox.env, ...provider.env, WEBHOOK_ALLOW_PRIVATE: 'true' } },
)
const { visitor, origin } = visitorsOf(running)
const member = membersOf(running, mailBox)
const { db } = running.database

const linkTo = async (email: string, countMin = 1): Promise<string> =>
  (await mailBox.newestTo(email, countMin)).link ?? ''

/** Asks for another address and opens the link that was mailed there. */
async function moves(one: Visitor, to: string): Promise<void> {
  const asked = await one.asks('POST', '/account/address', { email: to, password: PASSWORD })
  assert.equal(asked.status, 200, asked.text)
  const confirmed = await one.asks('POST', '/account/address/confirm', {
    token: tokenOf(await linkTo(to)),
  })
  assert.equal(confirmed.status, 200, confirmed.text)
}

const keeps = (link: string) =>
  visitor().asks('POST', '/account/address/keep', { token: tokenOf(link) })

async function statusOf(token: string): Promise<number> {
  const headers = { Authorization: `Bearer ${token}` }
  return (await fetch(`${running.address}/api/v1/balance`, { headers })).status
}

async function keyOf(one: Visitor, name: string): Promise<string> {
  return (await one.asks('POST', '/account/keys', { name })).body.apiKey
}

async function callsAs(key: string, method: string, path: string, body?: object): Promise<any> {
  const response = await fetch(`${running.address}/api/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  assert.ok(response.ok, `${method} ${path}: ${response.status}`)
  return response.json()
}

async function signsInByProvider(): Promise<Visitor> {
  const one = visitor()
  const begun = await one.asks('POST', '/account/auth/sign-in/social', {
    provider: 'oidc',
    callbackURL: '/jobs',
    errorCallbackURL: '/sign-in',
  })
  const consent = await fetch(begun.body.url, { redirect: 'manual' })
  const back = new URL(consent.headers.get('location') ?? '')
  await one.asks('GET', `${back.pathname}${back.search}`)
  return one
}

const passkeyOf = (id: string, email: string, age: string) =>
  sql`insert into sign_in_passkey (id, public_key, user_id, credential_id, counter, device_type, backed_up, created_at)
    select ${id}, 'k', id, ${id}, 0, 'singleDevice', false, now() - ${age}::interval
    from sign_in_user where email = ${email}`.execute(db)

async function rowsOf(query: ReturnType<typeof sql>): Promise<unknown[]> {
  return (await query.execute(db)).rows
}

/**
 * Gives the account what it had for weeks: a key with a webhook each for two addresses, an app, a passkey, a provider.
 */
async function longOwned(owner: Visitor, email: string) {
  const key = await keyOf(owner, 'program')
  const hook = (path: string) =>
    callsAs(key, 'POST', '/webhooks', { url: `http://127.0.0.1:9/${path}` })
  const [kept, redirected] = [await hook('kept'), await hook('own')]
  const app = await App.registers(origin)
  const tokens = await app.connects(owner)
  await passkeyOf('own', email, '30 days')
  await sql`update api_key set created_at = now() - interval '30 days'`.execute(db)
  await sql`update webhook set created_at = now() - interval '30 days'`.execute(db)
  await sql`update app_connection set created_at = now() - interval '30 days'`.execute(db)
  await sql`update oauth_grant set created_at = now() - interval '30 days'`.execute(db)
  return { key, app, tokens, kept, redirected }
}

test('an undone change leaves nothing that opens the account to whoever made it, and what was there before works', async () => {
  const [email, theirs] = ['owner@example.org', 'thief@example.net']
  const owner = await member(email)
  const { key, app, tokens, kept, redirected } = await longOwned(owner, email)
  const { accountId } = await owner.gets('/account/session')
  await sql`insert into operator (account_id) values (${accountId})`.execute(db)

  const thief = visitor()
  await thief.signsIn(email)
  const stolen = await keyOf(thief, 'stolen')
  const theirApp = await (await App.registers(origin, { client_name: 'Theirs' })).connects(thief)
  const sameApp = await app.connects(thief)
  await passkeyOf('theirs', email, '10 minutes')
  await sql`update operator set secret = 'theirs', enrolled_at = now()`.execute(db)
  const made = await callsAs(stolen, 'POST', '/webhooks', { url: 'http://127.0.0.1:9/theirs' })
  const { bearer } = (await thief.asks('POST', '/account/bearer')).body
  await callsAs(stolen, 'PATCH', `/webhooks/${redirected.id}`, { url: 'http://127.0.0.1:9/them' })
  await moves(thief, theirs)
  provider.person = { sub: '66', email: theirs, email_verified: true, name: 'Thief' }
  assert.equal((await (await signsInByProvider()).gets('/account/session')).email, theirs)
  await visitor().asks('POST', '/account/auth/request-password-reset', { email: theirs })
  const reset = await linkTo(theirs, 2)

  const undone = await keeps(await linkTo(email, 3))
  assert.deepEqual(undone.body, {
    email,
    ended: { keys: 1, passkeys: 1, apps: 1, webhooks: 2 },
  })

  for (const [what, token] of Object.entries({ stolen, bearer, theirApp, sameApp }))
    assert.equal(await statusOf(typeof token === 'string' ? token : token.access), 401, what)
  await assert.rejects(app.refreshes(sameApp.refresh))
  assert.equal((await thief.gets('/account/session')).email, null)
  const back = await signsInByProvider()
  assert.notEqual((await back.gets('/account/session')).accountId, accountId)
  const newPassword = 'quite another sentence'
  const resets = (link: string) =>
    visitor().asks('POST', '/account/auth/reset-password', { token: tokenOf(link), newPassword })
  assert.equal((await resets(reset)).status, 400)
  assert.deepEqual(await rowsOf(sql`select id from sign_in_passkey`), [{ id: 'own' }])
  assert.deepEqual(await rowsOf(sql`select secret, enrolled_at from operator`), [
    { secret: null, enrolled_at: null },
  ])
  assert.deepEqual(
    await rowsOf(sql`select act from operator_act where account_id = ${accountId}`),
    [{ act: 'clear_factor' }],
  )

  assert.equal(await statusOf(key), 200)
  assert.equal(await statusOf(tokens.access), 200)
  const { webhooks } = await callsAs(key, 'GET', '/webhooks')
  const stateOf = (id: string): string | undefined =>
    webhooks.find((one: { id: string }) => one.id === id)?.state
  assert.deepEqual(
    [kept, redirected, made].map(({ id }) => stateOf(id)),
    ['active', 'disabled', 'disabled'],
  )
  assert.equal((await resets(await linkTo(email, 4))).status, 200)
  assert.equal((await visitor().signsIn(email, newPassword)).status, 200)
})

test('two links that undo changes of one account, opened at once, do not wait for each other', async () => {
  const one = await member('first@example.org')
  await moves(one, 'second@example.org')
  await moves(one, 'third@example.org')
  const tokens = [await linkTo('first@example.org', 3), await linkTo('second@example.org', 3)].map(
    tokenOf,
  )
  const [user] = (await rowsOf(
    sql`select id from sign_in_user where email = 'third@example.org'`,
  )) as { id: string }[]
  // Both calls have begun, and wait for the transaction that holds the user.
  const undone = await transact(db, async (tx) => {
    await lockSignInUser(tx, user!.id)
    const both = tokens.map((token) => cancelAddressChange(db, token))
    await until('both wait', async () => {
      const waiting = await rowsOf(
        sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return waiting.length === 2
    })
    return both
  })
  const [toFirst, toSecond] = await Promise.all(undone)
  assert.equal(toFirst?.kind, 'cancelled')
  assert.ok(toSecond?.kind === 'void' || toSecond?.kind === 'cancelled')
  assert.deepEqual(
    await rowsOf(
      sql`select old_email from address_change where user_id = ${user!.id} and old_email = 'first@example.org'`,
    ),
    [],
  )
  assert.deepEqual(await rowsOf(sql`select email from sign_in_user where id = ${user!.id}`), [
    { email: 'first@example.org' },
  ])
})

test('links of a user are found by an index, however many links and challenges are under way', async () => {
  const plan = await transact(db, async (tx) => {
    await sql`set local enable_seqscan = off`.execute(tx)
    const { rows } = await sql`explain delete from sign_in_verification where value = 'u'`.execute(
      tx,
    )
    return JSON.stringify(rows)
  })
  assert.match(plan, /sign_in_verification_value/)
})
