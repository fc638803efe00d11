/** Attacks on sign-in: taking an address or an account over, and keeping its owner out. */
import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { createAccountWithKey } from '../../../src/features/accounts/account.ts'
import { startOidcProvider } from '../../account/oidc-provider.ts'
import { PASSWORD } from '../../account/visitor.ts'
import type { Attack, Target } from '../attack.ts'
import { BEHIND_PROXY, browser, isIn, mails, owner, persists } from './sign-in-visits.ts'

const EVIL = 'the attacker chose this'

/** Checks that nobody gets in with the attacker's password, before or after the victim's own sign-up. */
async function squat(target: Pick<Target, 'address' | 'origin'>, email: string): Promise<string> {
  const [attacker, curious, victim] = [browser(target), browser(target), browser(target)]
  await attacker.signsUp(email, EVIL)
  const first = (await mails.newestTo(email)).link ?? ''
  await curious.opens(first)
  assert.ok(!(await isIn(curious)), 'a link signs in a browser that did not ask for it')
  assert.equal(
    (await attacker.signsIn(email, EVIL)).status,
    401,
    'a link that the victim opened made the attacker’s password good',
  )

  await persists(() => victim.signsUp(email, PASSWORD))
  const { link } = await mails.newestTo(email, 2)
  await persists(() => victim.opens(link ?? ''))
  assert.equal(
    (await attacker.signsIn(email, EVIL)).status,
    401,
    'the victim’s own link made the attacker’s password good',
  )
  assert.ok(await isIn(victim), 'the owner is in')
  assert.equal((await browser(target).signsIn(email, PASSWORD)).status, 200)
  await attacker.opens(first, EVIL)
  assert.ok(!(await isIn(attacker)), 'an older link still opens the account')
  return 'the owner is in, the attacker out'
}

export const SIGN_IN: readonly Attack[] = [
  {
    name: 'signing up with the victim’s address before the victim does',
    class: 'addresses',
    isInGate: true,
    settings: BEHIND_PROXY,
    run: (target) => squat(target, 'victim@example.org'),
  },
  {
    name: 'signing up with the address of an account that the operator made, sign-up closed',
    class: 'addresses',
    settings: { ...BEHIND_PROXY, SIGN_UP: 'closed' },
    async run(target) {
      await createAccountWithKey(target.fleet.database.db, {
        email: 'invited@example.org',
        micros: 100_000_000n,
      })
      return squat(target, 'invited@example.org')
    },
  },
  {
    name: 'signing up with the address of a victim who then comes by the provider',
    class: 'addresses',
    async run({ fleet }) {
      const ends: (() => Promise<void>)[] = []
      const provider = await startOidcProvider({ after: (end) => void ends.push(end) })
      const started = await fleet.start({ ...BEHIND_PROXY, ...provider.env })
      const target = {
        address: started.address,
        origin: `http://localhost:${new URL(started.address).port}`,
      }
      const [attacker, impostor, victim] = [browser(target), browser(target), browser(target)]
      const comes = async (one: typeof victim) => {
        const begun = await one.asks('POST', '/account/auth/sign-in/social', {
          provider: 'oidc',
          callbackURL: '/jobs',
          errorCallbackURL: '/sign-in',
        })
        const back = new URL(
          (await fetch(begun.body.url, { redirect: 'manual' })).headers.get('location') ?? '',
        )
        await one.asks('GET', `${back.pathname}${back.search}`)
      }
      const email = 'by-provider@example.org'
      await attacker.signsUp(email, EVIL)
      provider.person = { sub: 'impostor', email, email_verified: false, name: 'I' }
      await comes(impostor)
      assert.ok(!(await isIn(impostor)), 'an address that the provider did not prove signs in')
      provider.person = { sub: 'victim', email, email_verified: true, name: 'V' }
      await comes(victim)
      assert.ok(await isIn(victim), 'the owner is in')
      await browser(target).opens((await mails.newestTo(email)).link ?? '')
      assert.equal((await attacker.signsIn(email, EVIL)).status, 401)
      provider.person = { sub: 'impostor', email, email_verified: false, name: 'I' }
      await comes(impostor)
      assert.ok(!(await isIn(impostor)), 'the impostor is in')
      await started.ends('SIGTERM')
      for (const end of ends) await end()
      return 'the owner is in, two attackers out'
    },
  },
  {
    name: 'keeping a key through the owner’s new password',
    class: 'sessions',
    isInGate: true,
    settings: BEHIND_PROXY,
    async run(target) {
      const email = 'robbed@example.org'
      const thief = await owner(target, email) // a session that a thief has stolen
      await thief.asks('POST', '/account/keys', { name: 'kept' })
      const victim = browser(target)
      await victim.asks('POST', '/account/auth/request-password-reset', { email })
      const token = new URL((await mails.newestTo(email, 2)).link ?? '').searchParams.get('token')
      const reset = await persists(() =>
        victim.asks('POST', '/account/auth/reset-password', {
          token,
          newPassword: 'quite another sentence',
        }),
      )
      assert.equal(reset.body.keys, 1, 'nobody is told of the key')
      assert.ok(!(await isIn(thief)))
      const revoked = await victim.asks('POST', '/account/auth/revoke-access', {
        grant: reset.body.grant,
      })
      assert.deepEqual(revoked.body, { keys: 1, passkeys: 0, apps: 0 })
      return 'the owner was told of the key and revoked it'
    },
  },
  {
    name: 'a session’s row and the cookie secret stolen from the database',
    class: 'sessions',
    isInGate: true,
    settings: BEHIND_PROXY,
    async run(target) {
      await owner(target, 'stolen@example.org')
      const { db } = target.fleet.database
      const {
        rows: [session],
      } = await sql<{ token: string }>`
        select token from sign_in_session s join sign_in_user u on u.id = s.user_id where u.email = 'stolen@example.org'`.execute(
        db,
      )
      const {
        rows: [kept],
      } = await sql<{ secret: string }>`select secret from sign_in_secret`.execute(db)
      const token = session?.token ?? ''
      const signature = createHmac('sha256', kept?.secret ?? '')
        .update(token)
        .digest('base64')
      const thief = browser(target)
      thief.cookies.set('scriptorium.session_token', encodeURIComponent(`${token}.${signature}`))
      assert.ok(!(await isIn(thief)), 'whoever reads the table is signed in')
      return `a row of ${token.length} letters opens nothing`
    },
  },
  {
    name: 'wrong guesses from a thousand addresses, to lock the owner out',
    class: 'floods',
    settings: BEHIND_PROXY,
    async run(target) {
      const email = 'locked-out@example.org'
      const home = await owner(target, email)
      const guess = (n: number) =>
        browser(target, `192.0.${n >> 8}.${n & 255}`).signsIn(email, `guess number ${n}`)
      const seen = new Map<number, number>()
      for (let round = 0; round < 1000; round += 50) {
        for (const { status } of await Promise.all(
          Array.from({ length: 50 }, (_, n) => guess(round + n)),
        )) {
          seen.set(status, (seen.get(status) ?? 0) + 1)
        }
      }
      await home.asks('POST', '/account/sign-out', { everywhere: true })
      const again = await home.signsIn(email)
      assert.equal(again.status, 200, again.text)
      assert.ok((seen.get(429) ?? 0) > 800, 'guesses are not limited over all addresses')
      return `${JSON.stringify(Object.fromEntries(seen))}, the owner is in`
    },
  },
  {
    name: 'guesses from all addresses of one /64 of IPv6',
    class: 'guesses',
    isInGate: true,
    settings: BEHIND_PROXY,
    async run(target) {
      const statuses: number[] = []
      for (let n = 0; n < 12; n += 1) {
        statuses.push(
          (
            await browser(target, `2001:db8:7:7::${n.toString(16)}`).signsIn(
              'ipv6@example.org',
              `guess number ${n}`,
            )
          ).status,
        )
      }
      assert.deepEqual(statuses.slice(-2), [429, 429])
      return 'limited as one visitor'
    },
  },
  {
    name: 'made-up links, grants and devices',
    class: 'made-up tokens',
    isInGate: true,
    settings: BEHIND_PROXY,
    async run(target) {
      const one = browser(target)
      for (const token of ['x', randomUUID(), 'a'.repeat(43), '../../x', '\u0000']) {
        assert.equal(
          (await one.opens(`http://x/?token=${encodeURIComponent(token)}`, PASSWORD)).status,
          400,
          token,
        )
        assert.equal(
          (
            await one.asks('POST', '/account/auth/reset-password', {
              token,
              newPassword: 'quite another sentence',
            })
          ).status,
          400,
          token,
        )
        assert.equal(
          (
            await one.asks('POST', '/account/auth/revoke-access', {
              grant: `${token}.9999999999.x`,
            })
          ).status,
          400,
          token,
        )
      }
      return 'each is 400'
    },
  },
]
