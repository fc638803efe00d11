/** Signing up and in, as a browser's pages do it over HTTP. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testService } from '../support/service.ts'
import { startMailBox } from './mail-box.ts'
import { membersOf, PASSWORD, Visitor, visitorsOf } from './visitor.ts'

const mailBox = await startMailBox({ after })
const running = await testService({ after }, { env: { ...mailBox.env, WELCOME_CREDIT_USD: '0.5' } })
const { origin, visitor, accounts } = visitorsOf(running)

const member = membersOf(running, mailBox)

test('signing up, proving the address and being signed in makes one account with the welcome credit', async () => {
  const anna = visitor()
  const answer = await anna.signsUp('anna@example.org')
  assert.equal(answer.status, 200)
  assert.equal(
    (await anna.gets('/account/session')).email,
    null,
    'nobody is in before the address is proven',
  )
  assert.equal((await anna.signsIn('anna@example.org')).status, 401)

  const { link } = await mailBox.newestTo('anna@example.org')
  assert.ok(link?.startsWith(`${origin}/verify?token=`), String(link))
  assert.equal((await anna.opens(link ?? '')).status, 200)
  const visits = await Promise.all(Array.from({ length: 8 }, () => anna.gets('/account/session')))
  assert.equal(
    new Set(visits.map((visit) => visit.accountId)).size,
    1,
    'eight first visits make one account',
  )
  assert.equal(await accounts('anna@example.org'), 1)
  assert.equal((await anna.gets('/account/balance')).available, '0.500')
})

test('the session cookie is out of reach of scripts and of other sites', async () => {
  await member('cookie@example.org')
  const answer = await visitor().signsIn('cookie@example.org')
  const [cookie = ''] = answer.headers.getSetCookie()
  assert.match(cookie, /HttpOnly/i)
  assert.match(cookie, /SameSite=Lax/i)
  assert.match(cookie, /Path=\//i)
})

test('nobody learns from an answer whether an address is known', async () => {
  await member('known@example.org')
  const shape = (body: any) => [Object.keys(body).sort(), Object.keys(body.user ?? {}).sort()]
  const [known, unknown] = [
    await visitor().signsUp('known@example.org'),
    await visitor().signsUp('fresh@example.org'),
  ]
  assert.equal(known.status, unknown.status)
  assert.deepEqual(shape(known.body), shape(unknown.body))
  assert.match((await mailBox.newestTo('known@example.org', 2)).subject, /already/)

  const wrong = await visitor().signsIn('known@example.org', 'not the right sentence')
  const nobody = await visitor().signsIn('nobody@example.org', 'not the right sentence')
  assert.deepEqual([wrong.status, wrong.text], [nobody.status, nobody.text])

  const ask = (email: string) =>
    visitor().asks('POST', '/account/auth/request-password-reset', { email })
  const [asked, askedNobody] = [await ask('known@example.org'), await ask('nobody@example.org')]
  assert.deepEqual([asked.status, asked.text], [askedNobody.status, askedNobody.text])
})

test('guessing the password of an address is slowed down after ten tries', async () => {
  await member('guessed@example.org')
  const statuses: number[] = []
  // Another try is allowed each minute, which a slow machine may take over these.
  for (let guess = 0; guess < 20 && statuses.at(-1) !== 429; guess++) {
    statuses.push((await visitor().signsIn('guessed@example.org', `guess number ${guess}`)).status)
  }
  assert.deepEqual(statuses.slice(0, 10), Array(10).fill(401))
  assert.equal(statuses.at(-1), 429)
})

test('another site can do nothing with a visitor’s cookie', async () => {
  const eve = await member('eve@example.org')
  for (const from of ['https://evil.example', null, 'null', `${origin}.evil.example`]) {
    const answer = await eve.asks('POST', '/account/keys', { name: 'stolen' }, from)
    assert.equal(answer.status, 403, String(from))
    assert.equal(
      (await eve.asks('POST', '/account/sign-out', { everywhere: false }, from)).status,
      403,
    )
    assert.equal(
      (
        await eve.asks(
          'POST',
          '/account/auth/sign-in/email',
          { email: 'eve@example.org', password: PASSWORD },
          from,
        )
      ).status,
      403,
    )
  }
  assert.deepEqual((await eve.gets('/account/keys')).keys, [])
})

test('a new password by the link of a mail ends every session', async () => {
  const owner = await member('forgot@example.org')
  const { bearer } = (await owner.asks('POST', '/account/bearer')).body
  await visitor().asks('POST', '/account/auth/request-password-reset', {
    email: 'forgot@example.org',
  })
  const token = new URL(
    (await mailBox.newestTo('forgot@example.org', 2)).link ?? '',
  ).searchParams.get('token')
  const choose = () =>
    visitor().asks('POST', '/account/auth/reset-password', {
      token,
      newPassword: 'another long sentence',
    })
  assert.equal((await choose()).status, 200)
  assert.notEqual((await choose()).status, 200, 'a link works once')

  assert.equal((await owner.asks('GET', '/account/keys')).status, 401)
  assert.equal(await statusWith(bearer), 401)
  assert.equal((await visitor().signsIn('forgot@example.org', PASSWORD)).status, 401)
  assert.equal((await visitor().signsIn('forgot@example.org', 'another long sentence')).status, 200)
})

test('changing the password ends the other sessions and their bearers, and keeps this one', async () => {
  const here = await member('change@example.org')
  const there = visitor()
  await there.signsIn('change@example.org')
  const { bearer } = (await there.asks('POST', '/account/bearer')).body
  const change = (currentPassword: string) =>
    here.asks('POST', '/account/auth/change-password', {
      currentPassword,
      newPassword: 'yet another sentence',
      revokeOtherSessions: true,
    })
  assert.equal((await change('not the password')).status, 400)
  assert.equal((await change(PASSWORD)).status, 200)
  assert.equal(await statusWith(bearer), 401)
  assert.equal((await there.asks('GET', '/account/keys')).status, 401)
  assert.equal((await here.asks('GET', '/account/keys')).status, 200)
})

test('signing out everywhere ends the other browsers too', async () => {
  const here = await member('both@example.org')
  const there = visitor()
  await there.signsIn('both@example.org')
  const { sessions } = await there.gets('/account/sign-in-methods')
  assert.equal((sessions as unknown[]).length, 2)
  assert.equal((await here.asks('POST', '/account/sign-out', { everywhere: true })).status, 200)
  assert.equal((await there.asks('GET', '/account/keys')).status, 401)
  assert.equal((await here.asks('GET', '/account/keys')).status, 401)
})

test('an operator’s account belongs to whoever proves its address, with its credit', async () => {
  const customer = await running.customer('3')
  const email = 'customer-1@example.org'
  const one = visitor()
  await one.signsUp(email)
  assert.equal((await one.asks('GET', '/account/balance')).status, 401)
  await one.opens((await mailBox.newestTo(email)).link ?? '')
  assert.equal((await one.gets('/account/session')).accountId, customer.accountId)
  assert.equal(
    (await one.gets('/account/balance')).available,
    '3.000',
    'the welcome credit is for new accounts',
  )
})

test('with sign-up closed only addresses with an account come in, and nobody can tell which', async () => {
  const closed = await running.another({ SIGN_UP: 'closed' })
  const { customer } = running
  await customer('1')
  const there = visitorsOf({ ...running, address: closed.address ?? '' }).visitor
  const [stranger, invited] = [
    await there().signsUp('stranger@example.org'),
    await there().signsUp('customer-2@example.org'),
  ]
  assert.deepEqual(
    [stranger.status, Object.keys(stranger.body)],
    [invited.status, Object.keys(invited.body)],
  )
  assert.equal(stranger.text, invited.text)
  const { link } = await mailBox.newestTo('customer-2@example.org')
  assert.deepEqual((await there().opens(link ?? '', PASSWORD)).body, { state: 'signed_in' })
  assert.deepEqual(
    mailBox.mails.filter(({ to }) => to === 'stranger@example.org'),
    [],
  )
})

test('what the site does not use of the sign-in library is not there', async () => {
  const one = await member('surface@example.org')
  for (const path of [
    'update-user',
    'delete-user',
    'change-email',
    'revoke-session',
    'unlink-account',
  ]) {
    assert.equal((await one.asks('POST', `/account/auth/${path}`, {})).status, 404, path)
  }
  assert.equal((await one.asks('GET', '/account/auth/get-session')).status, 404)
  assert.equal((await one.asks('GET', '/account/auth/list-sessions')).status, 404)
})

test('behind HTTPS the cookie is sent over nothing else', async () => {
  const secure = await running.another({ PUBLIC_URL: 'https://texts.example' })
  const one = new Visitor({ address: secure.address ?? '', origin: 'https://texts.example' })
  await member('secure@example.org')
  const answer = await one.signsIn('secure@example.org')
  assert.equal(answer.status, 200, answer.text)
  assert.match(answer.headers.getSetCookie()[0] ?? '', /^__Host-.*; Secure/i)
})

test('a proxy that is trusted tells who tries; anybody else’s word about himself is not believed', async () => {
  const tries = async (address: string, most: number, from: (guess: number) => string) => {
    const statuses: number[] = []
    for (let guess = 0; guess < most && statuses.at(-1) !== 429; guess++) {
      const response = await fetch(`${address}/account/auth/sign-in/email`, {
        method: 'POST',
        headers: {
          origin: new URL(origin).origin,
          'content-type': 'application/json',
          'x-forwarded-for': from(guess),
        },
        body: JSON.stringify({ email: 'proxied@example.org', password: `guess number ${guess}` }),
      })
      statuses.push(response.status)
    }
    return statuses.at(-1)
  }
  assert.equal(await tries(running.address, 20, (guess) => `203.0.113.${guess}`), 429)
  const proxied = await running.another({ TRUSTED_PROXIES: '127.0.0.1', PUBLIC_URL: origin })
  assert.equal(await tries(proxied.address ?? '', 11, (guess) => `198.51.100.${guess}`), 401)
})

async function statusWith(bearer: string): Promise<number> {
  const answer = await fetch(`${running.address}/api/v1/balance`, {
    headers: { Authorization: `Bearer ${bearer}` },
  })
  return answer.status
}
