/** Attacks on routes of sign-in: routes that the website hides, and fields that it does not have. */
import assert from 'node:assert/strict'
import net from 'node:net'
import { PASSWORD } from '../../account/visitor.ts'
import type { Attack, Target } from '../attack.ts'
import { BEHIND_PROXY, browser, owner } from './sign-in-visits.ts'

export const SIGN_IN_ROUTES: readonly Attack[] = [
  {
    name: 'spellings of an address of sign-in that the website does not use',
    class: 'hidden routes',
    isInGate: true,
    settings: BEHIND_PROXY,
    async run(target) {
      const one = await owner(target, 'paths@example.org')
      const hidden = ['list-sessions', 'get-session', 'update-user', 'ok', 'revoke-session']
      const spellings = hidden.flatMap((name) => [
        `/account/auth/${name}`,
        `/account/auth/callback/..\\${name}`,
        `/account/auth/callback\\..\\${name}`,
        `/account/auth/..\\auth\\${name}`,
        `/account/auth/callback/%2e%2e/${name}`,
        `/account/auth/callback/..%2f${name}`,
        `/account/auth/callback/..%5c${name}`,
        `/account/auth/callback/%2e%2e%5c${name}`,
        `/account/auth//${name}`,
        `//account/auth/${name}`,
        `/account/auth/${name}/`,
        `/account/AUTH/${name}`,
        `/account/auth/${name.toUpperCase()}`,
        `/account/auth/./${name}`,
        `/account/auth/passkey/../${name}`,
        `/account/auth/${name};x=1`,
        `/account/auth/callback/oidc/../../${name}`,
        `/account/auth/${name}%00`,
        `/account/auth/callback/x\t/../${name}`,
      ])
      const cookie = [...one.cookies].map(([key, value]) => `${key}=${value}`).join('; ')
      for (const path of spellings) {
        const status = await rawStatus(
          target,
          `GET ${path} HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\nConnection: close\r\n\r\n`,
        )
        assert.ok(status === 404 || status === 400, `${path}: ${status}`)
      }
      return `${spellings.length} spellings, none is there`
    },
  },
  {
    name: 'fields of any size and name at sign-up and sign-in',
    class: 'odd fields',
    isInGate: true,
    settings: BEHIND_PROXY,
    async run(target) {
      const big = 'x'.repeat(60_000)
      const fine = { email: 'fields@example.org', password: PASSWORD }
      const bodies: object[] = [
        { ...fine, name: 'x' },
        { ...fine, email: `${big}@example.org` },
        { ...fine, password: big },
        { ...fine, image: big },
        { ...fine, callbackURL: big },
        { ...fine, emailVerified: true },
        { ...fine, accountId: 'acc_1' },
        { ...fine, email: ['fields@example.org'] },
        { ...fine, password: { length: 12 } },
        { email: fine.email },
        [],
      ]
      for (const route of ['sign-up/email', 'sign-in/email']) {
        for (const body of bodies) {
          const { status } = await browser(target).asks('POST', `/account/auth/${route}`, body)
          assert.equal(status, 400, `${route}: ${JSON.stringify(body).slice(0, 80)}`)
        }
      }
      return `${bodies.length * 2} bodies, each 400`
    },
  },
]

/** Returns the status of a request that is sent as it is, since every client would normalise its address. */
async function rawStatus({ address }: Target, request: string): Promise<number> {
  const { hostname, port } = new URL(address)
  const socket = net.connect(Number(port), hostname)
  let answer = ''
  for await (const chunk of socket
    .setEncoding('latin1')
    .once('connect', () => socket.write(request, 'latin1')))
    answer += chunk
  return Number(answer.split(' ')[1])
}
