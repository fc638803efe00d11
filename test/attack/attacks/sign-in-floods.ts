/** Attacks on the cost of sign-in (processor, mails, rows) and on what its answers reveal. */
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { PASSWORD, type PageReply } from '../../account/visitor.ts'
import type { Attack, Target } from '../attack.ts'
import { BEHIND_PROXY, browser, mails, median, owner } from './sign-in-visits.ts'

/** A difference in answer times above this, or above this part of the slower one, reveals something. */
const TELLING_MS = 40
const TELLING_SHARE = 0.4

/** Networks that one attacker rents as a piece, with the address of its nth host. */
const WIDE_NETWORKS = {
  'one /48': (n: number) => `2001:db8:48:${(n % 1_000).toString(16)}::1`,
  'one IPv4 /24': (n: number) => `198.51.100.${n % 250}`,
}
/** Mails that the widest network of one attacker has, with some that come back while the attack goes on. */
const MAILS_OF_WIDE = 160

/** Returns the text with nothing but small letters and digits, for an address. */
function digits(text: string): string {
  return text.replace(/\W/g, '').toLowerCase()
}

export const SIGN_IN_FLOODS: readonly Attack[] = [
  {
    name: 'the first sign-in of a process that has just started',
    class: 'times',
    isMeasured: true,
    settings: { ...BEHIND_PROXY, MAIL_FROM: 'first@example.org' },
    async run(target) {
      assert.equal((await browser(target).signsIn('nobody@example.org')).status, 401)
      return '401'
    },
  },
  {
    name: '300 wrong passwords side by side, while others read a compressed document',
    class: 'times',
    isMeasured: true,
    settings: BEHIND_PROXY,
    async run(target) {
      const begunAt = performance.now()
      const guesses: Promise<PageReply>[] = []
      const waits: number[] = []
      let ended = 0
      while (ended < 300) {
        for (let n = 0; n < 20 && guesses.length < 300; n += 1) {
          guesses.push(
            browser(target)
              .signsIn(`many-${guesses.length}@example.org`)
              .finally(() => (ended += 1)),
          )
        }
        const startedAt = performance.now()
        const response = await fetch(`${target.address}/api/v1/openapi.json`, {
          headers: { 'Accept-Encoding': 'gzip' },
        })
        await response.arrayBuffer()
        assert.equal(response.status, 200)
        waits.push(performance.now() - startedAt)
      }
      const answers = await Promise.all(guesses)
      const allMs = performance.now() - begunAt
      const statuses = answers.map(({ status }) => status)
      const refused = answers.find(({ status }) => status === 503)
      const kinds = [...new Set(statuses)].sort().join(', ')
      assert.equal(kinds, '401, 503', kinds)
      assert.notEqual(refused?.headers.get('retry-after'), null)
      const worst = Math.max(...waits)
      // A document that waited for the passwords would take as long as they do, on any machine.
      assert.ok(
        worst < Math.max(500, allMs / 3),
        `a compressed document took ${Math.round(worst)} ms of ${Math.round(allMs)}`,
      )
      return `${statuses.filter((status) => status === 503).length} of 300 were 503; ${waits.length} documents, the slowest ${Math.round(worst)} ms`
    },
  },
  ...['sign-up/email', 'request-password-reset', 'send-verification-email', 'sign-in/email'].map(
    (route): Attack => ({
      name: `60 mails at once to one address, by ${route}`,
      class: 'floods',
      settings: BEHIND_PROXY,
      async run(target) {
        const name = route.replaceAll('/', '-')
        const email = `flooded-by-${name}@example.org`
        if (route === 'request-password-reset') await owner(target, email)
        else await browser(target).signsUp(email)
        const fields = { email, ...(route.startsWith('sign') ? { password: PASSWORD } : {}) }
        const statuses = await Promise.all(
          Array.from(
            { length: 60 },
            async () =>
              (await browser(target).asks('POST', `/account/auth/${route}`, fields)).status,
          ),
        )
        await owner(target, `after-${name}@example.org`) // once this mail has arrived, those before it have left
        const sent = mails.mails.filter(({ to }) => to === email).length
        assert.ok(sent <= 6, `${sent} mails`)
        return `${sent} mails, answers ${[...new Set(statuses)].sort().join(', ')}`
      },
    }),
  ),
  {
    name: 'mails to a hundred addresses from one place',
    class: 'floods',
    settings: BEHIND_PROXY,
    async run(target) {
      const statuses = await Promise.all(
        Array.from(
          { length: 100 },
          async (_, n) =>
            (
              await browser(target, '203.0.113.99').asks(
                'POST',
                '/account/auth/request-password-reset',
                { email: `spread-${n}@example.org` },
              )
            ).status,
        ),
      )
      const taken = statuses.filter((status) => status === 200).length
      assert.ok(taken <= 31, `${taken} were taken`)
      return `${taken} were taken, the rest 429`
    },
  },
  ...Object.entries(WIDE_NETWORKS).map(([network, hostOf]): Attack => ({
    name: `mails asked for by ${network}, to addresses without an account, beside a visitor who signs up`,
    class: 'floods',
    settings: BEHIND_PROXY,
    async run(target) {
      const known = await owner(target, `known-beside-${digits(network)}@example.org`)
      const asks = async (n: number): Promise<number> => {
        const route = n % 2 === 0 ? 'request-password-reset' : 'sign-up/email'
        const email = `nobody-${digits(network)}-${n}@example.org`
        const body = n % 2 === 0 ? { email } : { email, password: PASSWORD }
        return (await browser(target, hostOf(n)).asks('POST', `/account/auth/${route}`, body))
          .status
      }
      const statuses: number[] = []
      for (let n = 0; n < 1_200; n += 40)
        statuses.push(...(await Promise.all(Array.from({ length: 40 }, (_, at) => asks(n + at)))))
      const taken = statuses.filter((status) => status === 200).length
      assert.ok(taken <= MAILS_OF_WIDE, `${taken} of 1,200 were taken`)
      const email = `new-beside-${digits(network)}@example.org`
      assert.equal((await browser(target).signsUp(email)).status, 200)
      const reset = await known.asks('POST', '/account/auth/request-password-reset', {
        email: `known-beside-${digits(network)}@example.org`,
      })
      assert.equal(reset.status, 200)
      return `${taken} of 1,200 were taken; to keep strangers from signing up takes nine IPv4 /16, or five /32 of IPv6; owners are not concerned`
    },
  })),
  {
    name: '160 guesses at a time by one /48, while an owner signs in',
    class: 'floods',
    settings: BEHIND_PROXY,
    async run(target) {
      const email = 'owner-beside-guesses@example.org'
      await owner(target, email)
      const hostOf = WIDE_NETWORKS['one /48']
      const guess = (n: number): Promise<PageReply> =>
        browser(target, hostOf(n)).signsIn(`guessed-${n}@example.org`, 'not the right one')
      const guesses = Array.from({ length: 160 }, (_, n) => guess(n))
      const elsewhere = browser(target)
      const answer = await elsewhere.signsIn(email, PASSWORD)
      const statuses = (await Promise.all(guesses)).map(({ status }) => status)
      assert.equal(answer.status, 200)
      return `${statuses.filter((status) => status === 503).length} of 160 were 503, the owner was in; to fill the line for strangers takes 16 such networks`
    },
  },
  {
    name: 'a flood of passkey challenges',
    class: 'floods',
    settings: BEHIND_PROXY,
    async run(target) {
      const challenge = () =>
        browser(target, '203.0.113.44').asks(
          'GET',
          '/account/auth/passkey/generate-authenticate-options',
        )
      const answers = await Promise.all(Array.from({ length: 300 }, challenge))
      const { rows } = await sql<{
        n: number
      }>`select count(*)::int as n from sign_in_verification`.execute(target.fleet.database.db)
      const made = rows[0]?.n ?? 0
      assert.ok(made < 60, `${made} rows`)
      return `${answers.filter(({ status }) => status === 429).length} of 300 were 429, ${made} rows`
    },
  },
  {
    name: 'telling known addresses by the time of an answer',
    class: 'times',
    isMeasured: true,
    settings: BEHIND_PROXY,
    run: tellByTime,
  },
]

/** Asks about each known address as often as its own limits allow, alternating with an unknown one. */
async function tellByTime(target: Target): Promise<string> {
  const known = Array.from({ length: 8 }, (_, n) => `known-${n}@example.org`)
  for (const email of known) await owner(target, email)
  const told: string[] = []
  for (const { route, more, times } of [
    { route: 'sign-in/email', more: { password: 'not the right one' }, times: 5 },
    { route: 'sign-up/email', more: { password: PASSWORD }, times: 2 },
    { route: 'request-password-reset', more: {}, times: 2 },
  ]) {
    const waits = { known: [] as number[], unknown: [] as number[] }
    for (const email of Array.from({ length: times }, () => known).flat()) {
      for (const kind of ['known', 'unknown'] as const) {
        const asked = kind === 'known' ? email : email.replace('known', 'unknown')
        const startedAt = performance.now()
        await browser(target).asks('POST', `/account/auth/${route}`, { email: asked, ...more })
        waits[kind].push(performance.now() - startedAt)
      }
    }
    const [one, other] = [median(waits.known), median(waits.unknown)]
    // A busy machine moves medians; a real difference moves the quickest times as well.
    const isTold =
      isTelling(one, other) && isTelling(Math.min(...waits.known), Math.min(...waits.unknown))
    assert.ok(!isTold, `${route}: ${one.toFixed(1)} and ${other.toFixed(1)} ms`)
    told.push(`${route} ${one.toFixed(1)} / ${other.toFixed(1)} ms`)
  }
  return told.join(', ')
}

function isTelling(one: number, other: number): boolean {
  return Math.abs(one - other) > Math.max(TELLING_MS, TELLING_SHARE * Math.max(one, other))
}
