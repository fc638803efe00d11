/** Signing in by an OpenID Connect provider that an operator set. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testService } from '../support/service.ts'
import { startOidcProvider } from './oidc-provider.ts'
import { type Visitor, visitorsOf } from './visitor.ts'

const provider = await startOidcProvider({ after })
const running = await testService({ after }, { env: provider.env })
const { visitor, origin } = visitorsOf(running)

/** Leaves for the provider and comes back; returns the address that the site then opens. */
async function signsInByProvider(one: Visitor): Promise<string> {
  const begun = await one.asks('POST', '/account/auth/sign-in/social', {
    provider: 'oidc',
    callbackURL: '/jobs',
    errorCallbackURL: '/sign-in',
  })
  assert.equal(begun.status, 200, begun.text)
  const consent = await fetch(begun.body.url, { redirect: 'manual' })
  const back = new URL(consent.headers.get('location') ?? '')
  assert.equal(back.origin, origin)
  const arrived = await one.asks('GET', `${back.pathname}${back.search}`)
  assert.equal(arrived.status, 302, arrived.text)
  return arrived.headers.get('location') ?? ''
}

test('whoever the provider vouches for is in, and gets the same account the next time', async () => {
  provider.person = { sub: '7', email: 'seven@example.org', email_verified: true, name: 'Seven' }
  const [here, there] = [visitor(), visitor()]
  assert.equal((await here.gets('/account/session')).oidcName, 'Example ID')
  assert.match(await signsInByProvider(here), /\/jobs$/)
  await signsInByProvider(there)
  const [first, second] = [
    await here.gets('/account/session'),
    await there.gets('/account/session'),
  ]
  assert.equal(first.email, 'seven@example.org')
  assert.equal(first.accountId, second.accountId)
  assert.deepEqual((await here.gets('/account/sign-in-methods')).providers, ['oidc'])
})

test('an address that the provider did not prove opens no account', async () => {
  const owner = await running.customer('5')
  provider.person = {
    sub: '8',
    email: 'customer-1@example.org',
    email_verified: false,
    name: 'Eight',
  }
  const one = visitor()
  await signsInByProvider(one)
  assert.notEqual((await one.gets('/account/session')).accountId, owner.accountId)
  assert.equal((await one.asks('GET', '/account/balance')).status, 401)
})

test('a provider that was away at the start is used once it is back', async () => {
  provider.isAway = true
  const late = await running.another({ PUBLIC_URL: origin })
  const one = visitorsOf({ ...running, address: late.address ?? '' }).visitor()
  const ask = () =>
    one.asks(
      'POST',
      '/account/auth/sign-in/social',
      { provider: 'oidc', callbackURL: '/jobs' },
      origin,
    )
  const refused = await ask()
  assert.equal(refused.status, 404)
  assert.match(refused.body.error.message, /is not responding/)
  provider.isAway = false
  assert.equal((await ask()).status, 200)
})

test('an answer of the provider that was not asked for signs nobody in', async () => {
  const one = visitor()
  const answer = await one.asks('GET', '/account/auth/callback/oidc?code=made-up&state=made-up')
  assert.match(answer.headers.get('location') ?? '', /error=/)
  assert.equal((await one.gets('/account/session')).email, null)
})
