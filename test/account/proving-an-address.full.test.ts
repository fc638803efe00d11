/** Who gets in by a mailed link, what a new password by mail ends, and how an account gets another address. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { testService } from '../support/service.ts'
import { startMailBox } from './mail-box.ts'
import { PASSWORD, tokenOf, Visitor, visitorsOf } from './visitor.ts'

const mailBox = await startMailBox({ after })
const running = await testService({ after }, { env: mailBox.env })
const { visitor, accounts, origin } = visitorsOf(running)
const { db } = running.database

const linkTo = async (email: string, countMin = 1): Promise<string> =>
  (await mailBox.newestTo(email, countMin)).link ?? ''

async function member(email: string): Promise<Visitor> {
  const one = visitor()
  await one.signsUp(email)
  assert.deepEqual((await one.opens(await linkTo(email))).body, { state: 'signed_in' })
  return one
}

async function emailOf(one: Visitor): Promise<string | null> {
  return (await one.gets('/account/session')).email
}

test('in another browser a link asks for the password of its sign-up, and signs in with it', async () => {
  await visitor().signsUp('elsewhere@example.org')
  const link = await linkTo('elsewhere@example.org')
  const phone = visitor()
  assert.deepEqual((await phone.opens(link)).body, { state: 'password_needed' })
  assert.equal((await phone.opens(link, 'not that password')).status, 401)
  assert.equal(await emailOf(phone), null)
  assert.equal(
    (await visitor().signsIn('elsewhere@example.org')).status,
    401,
    'nothing is confirmed yet',
  )
  assert.deepEqual((await phone.opens(link, PASSWORD)).body, { state: 'signed_in' })
  assert.equal(await emailOf(phone), 'elsewhere@example.org')
  assert.equal((await phone.opens(link, PASSWORD)).status, 400, 'a link works once')
})

test('of several sign-ups for an address the one whose link is opened counts, and the others end', async () => {
  const [first, second] = [visitor(), visitor()]
  await first.signsUp('twice@example.org', 'the first sentence')
  const firstLink = await linkTo('twice@example.org')
  await second.signsUp('twice@example.org', 'the second sentence')
  const secondLink = await linkTo('twice@example.org', 2)
  assert.deepEqual(
    (await first.opens(firstLink)).body,
    { state: 'signed_in' },
    'a later sign-up does not void an earlier one',
  )
  assert.equal((await second.opens(secondLink)).status, 400)
  assert.deepEqual(
    [
      (await visitor().signsIn('twice@example.org', 'the first sentence')).status,
      (await visitor().signsIn('twice@example.org', 'the second sentence')).status,
    ],
    [200, 401],
  )
  assert.equal(await accounts('twice@example.org'), 0, 'the account is opened at the first visit')
  await first.gets('/account/session')
  assert.equal(await accounts('twice@example.org'), 1)
})

test('two links of one address opened at the same moment make one user', async () => {
  const both = [visitor(), visitor()]
  for (const one of both) await one.signsUp('race@example.org')
  await linkTo('race@example.org', 2)
  const links = mailBox.mails
    .filter(({ to }) => to === 'race@example.org')
    .map(({ link }) => link ?? '')
  const answers = await Promise.all(
    links.flatMap((link) => both.map((one) => one.opens(link, PASSWORD))),
  )
  assert.equal(
    answers.filter(({ status }) => status === 200).length,
    1,
    answers.map(({ text }) => text).join('\n'),
  )
})

test('a link is void after an hour', async () => {
  const late = visitor()
  await late.signsUp('late@example.org')
  const link = await linkTo('late@example.org')
  await sql`update sign_up set expires_at = now() where email = 'late@example.org'`.execute(db)
  assert.equal((await late.opens(link)).status, 400)
})

test('whoever signed up and lost the link signs up again, in the same browser', async () => {
  const one = visitor()
  await one.signsUp('again@example.org', 'the first sentence')
  const older = await linkTo('again@example.org')
  await one.signsUp('again@example.org', 'the second sentence')
  await linkTo('again@example.org', 2)
  assert.deepEqual(
    (await one.opens(older)).body,
    { state: 'signed_in' },
    'either link is of this browser',
  )
  assert.equal((await visitor().signsIn('again@example.org', 'the first sentence')).status, 200)
})

test('a new password by mail tells of keys and revokes them by one button, once asked', async () => {
  const owner = await member('reset@example.org')
  const { apiKey } = (await owner.asks('POST', '/account/keys', { name: 'one' })).body
  await owner.asks('POST', '/account/keys', { name: 'two' })
  const user = sql`select id from sign_in_user where email = 'reset@example.org'`
  await sql`insert into sign_in_passkey (id, public_key, user_id, credential_id, counter, device_type, backed_up)
    values ('p1', 'k', (${user}), 'c', 0, 'singleDevice', false)`.execute(db)

  await visitor().asks('POST', '/account/auth/request-password-reset', {
    email: 'reset@example.org',
  })
  const token = tokenOf(await linkTo('reset@example.org', 2))
  const there = visitor()
  const weak = await there.asks('POST', '/account/auth/reset-password', {
    token,
    newPassword: 'password123',
  })
  assert.deepEqual(
    [weak.status, /attackers try/.test(weak.body.error.message)],
    [400, true],
    'a refused password does not use the link up',
  )
  const reset = await there.asks('POST', '/account/auth/reset-password', {
    token,
    newPassword: 'quite another sentence',
  })
  assert.deepEqual([reset.body.keys, reset.body.passkeys], [2, 1])
  assert.equal(await emailOf(owner), null)
  assert.equal(await statusWith(apiKey), 200, 'keys go on until they are revoked')

  assert.deepEqual(
    (await there.asks('POST', '/account/auth/revoke-access', { grant: reset.body.grant })).body,
    { keys: 2, passkeys: 1, apps: 0 },
  )
  assert.equal(await statusWith(apiKey), 401)
  assert.deepEqual(
    (await there.asks('POST', '/account/auth/revoke-access', { grant: reset.body.grant })).body,
    { keys: 0, passkeys: 0, apps: 0 },
  )
  assert.equal(
    (await there.asks('POST', '/account/auth/revoke-access', { grant: `${reset.body.grant}x` }))
      .status,
    400,
  )
})

test('a device that signed in before is let through beside others’ wrong guesses, and has a limit of its own', async () => {
  const home = await member('home@example.org')
  for (let guess = 0; guess < 12; guess += 1)
    await visitor().signsIn('home@example.org', `guess number ${guess}`)
  assert.equal((await visitor().signsIn('home@example.org')).status, 429)
  assert.equal((await home.signsIn('home@example.org')).status, 200)
  const statuses: number[] = []
  for (let guess = 0; guess < 11; guess += 1)
    statuses.push((await home.signsIn('home@example.org', `guess number ${guess}`)).status)
  assert.equal(statuses.at(-1), 429, 'a stolen device guesses no faster')
  assert.equal(
    (await home.signsIn('other@example.org')).status,
    401,
    'it is known for its own address',
  )
})

test('a session is renewed while it is used, and its row has no token that a cookie could carry', async () => {
  const one = await member('renewed@example.org')
  const session = sql`user_id = (select id from sign_in_user where email = 'renewed@example.org')`
  await sql`update sign_in_session set expires_at = now() + interval '10 days' where ${session}`.execute(
    db,
  )
  assert.equal(await emailOf(one), 'renewed@example.org')
  const { rows } = await sql<{ days: number; token: string }>`
    select extract(day from expires_at - now())::int as days, token from sign_in_session where ${session}`.execute(
    db,
  )
  assert.ok((rows[0]?.days ?? 0) > 25, JSON.stringify(rows))
  assert.ok(![...one.cookies.values()].some((value) => value.includes(rows[0]?.token ?? '')))
  assert.equal(await emailOf(one), 'renewed@example.org', 'the renewed cookie is the same session')
})

test('behind HTTPS every cookie of sign-in is one that only this host can set', async () => {
  const origin = 'https://texts.example'
  const secure = await running.another({ PUBLIC_URL: origin })
  const one = new Visitor({ address: secure.address ?? '', origin })
  const signedUp = await one.signsUp('host@example.org')
  const opened = await one.opens(await linkTo('host@example.org'))
  const cookies = [signedUp, opened].flatMap(({ headers }) => headers.getSetCookie())
  assert.deepEqual(
    cookies.map((cookie) => cookie.split('=')[0]).sort(),
    ['device', 'session_token', 'sign_up'].map((name) => `__Host-scriptorium.${name}`),
  )
  for (const cookie of cookies) {
    for (const attribute of ['Secure', 'HttpOnly', 'SameSite=Lax', 'Path=/'])
      assert.match(cookie, new RegExp(`; ${attribute}(;|$)`, 'i'))
    assert.doesNotMatch(cookie, /Domain=/i)
  }
  assert.equal(await emailOf(one), 'host@example.org')
})

async function asksToMove(one: Visitor, email: string, password: string | null = PASSWORD) {
  const body = password === null ? { email } : { email, password }
  const { status, body: answer } = await one.asks('POST', '/account/address', body)
  return [status, answer?.error?.message ?? answer]
}

const confirms = (one: Visitor, link: string) =>
  one.asks('POST', '/account/address/confirm', { token: tokenOf(link) })
const keeps = (link: string) =>
  visitor().asks('POST', '/account/address/keep', { token: tokenOf(link) })

test('another address counts once its link is opened by who asked, and the old one can undo it', async () => {
  const one = await member('left@example.org')
  const other = await member('other-owner@example.org')
  const { apiKey } = (await one.asks('POST', '/account/keys', { name: 'program' })).body
  await visitor().asks('POST', '/account/auth/request-password-reset', {
    email: 'left@example.org',
  })
  const resetLink = await linkTo('left@example.org', 2)

  assert.equal((await asksToMove(one, 'new@example.org', null))[0], 400)
  assert.equal((await asksToMove(one, 'new@example.org', 'not that password'))[0], 400)
  assert.deepEqual(await asksToMove(one, 'New@example.org'), [200, { status: true }])
  assert.match(
    (await mailBox.newestTo('left@example.org', 3)).text,
    /from this one to new@example\.org/,
  )
  const link = await linkTo('new@example.org')
  assert.equal((await one.gets('/account/sign-in-methods')).nextAddress.email, 'new@example.org')
  assert.equal(await emailOf(one), 'left@example.org', 'nothing is changed yet')
  assert.equal((await confirms(visitor(), link)).status, 401, 'the link alone proves one half')
  assert.equal((await confirms(other, link)).status, 400)
  assert.equal((await confirms(one, link)).status, 200)
  assert.equal((await confirms(one, link)).status, 400, 'a link works once')

  assert.equal(await emailOf(one), 'new@example.org')
  assert.equal(await statusWith(apiKey), 200)
  assert.deepEqual([await accounts('left@example.org'), await accounts('new@example.org')], [0, 1])
  assert.equal((await visitor().signsIn('left@example.org')).status, 401)
  assert.equal((await visitor().signsIn('new@example.org')).status, 200)
  const newPassword = 'quite another sentence'
  const resets = (to: string) =>
    visitor().asks('POST', '/account/auth/reset-password', { token: tokenOf(to), newPassword })
  assert.equal((await resets(resetLink)).status, 400, 'what the old address was sent is void')

  const undoLink = await linkTo('left@example.org', 4)
  const ended = { keys: 1, passkeys: 0, apps: 0, webhooks: 0 }
  assert.deepEqual((await keeps(undoLink)).body, { email: 'left@example.org', ended })
  assert.equal((await keeps(undoLink)).status, 400)
  assert.equal(await emailOf(one), null, 'whoever changed it is signed out')
  for (const email of ['left@example.org', 'new@example.org'])
    assert.equal((await visitor().signsIn(email)).status, 401, 'and their password is void')
  assert.equal((await resets(await linkTo('left@example.org', 5))).status, 200)
  assert.equal((await visitor().signsIn('left@example.org', newPassword)).status, 200)
  assert.deepEqual([await accounts('left@example.org'), await accounts('new@example.org')], [1, 0])
})

test('who asks for an address does not learn whether it is known, and keeps nobody from it', async () => {
  const one = await member('curious@example.org')
  await member('known@example.org')
  assert.deepEqual(
    await asksToMove(one, 'known@example.org'),
    await asksToMove(one, 'free@example.org'),
  )
  const told = await linkTo('known@example.org', 2)
  assert.equal(told, `${origin}/sign-in`)
  const link = await linkTo('free@example.org')

  const owner = visitor()
  await owner.signsUp('free@example.org')
  assert.equal((await owner.opens(await linkTo('free@example.org', 2))).status, 200)
  assert.equal((await confirms(one, link)).status, 409)
  assert.equal(await emailOf(one), 'curious@example.org')
})

test('the old address stops a change that is only asked for, also of who signs in without a password', async () => {
  const one = await member('stop@example.org')
  const own = sql`user_id = (select id from sign_in_user where email = 'stop@example.org')`
  await sql`delete from sign_in_method where ${own}`.execute(db)
  const signedInMinutesAgo = (minutes: number) =>
    sql`update sign_in_session
    set created_at = now() - make_interval(mins => ${minutes}) where ${own}`.execute(db)
  await signedInMinutesAgo(11)
  assert.equal((await asksToMove(one, 'thief@example.org', null))[0], 403)
  await signedInMinutesAgo(0)
  assert.equal((await asksToMove(one, 'thief@example.org', null))[0], 200)
  assert.equal((await keeps(await linkTo('stop@example.org', 2))).status, 200)
  assert.equal(await emailOf(one), null)
})

async function statusWith(key: string): Promise<number> {
  const headers = { Authorization: `Bearer ${key}` }
  return (await fetch(`${running.address}/api/v1/balance`, { headers })).status
}
