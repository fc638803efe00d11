/** The demo's link signs one visitor in, once, on this machine; nobody else, and the service knows no such address. */
import assert from 'node:assert/strict'
import http from 'node:http'
import net from 'node:net'
import { after, test } from 'node:test'
import { LINK_MINUTES, openSignInLink } from '../../tools/demo/sign-in-link.ts'
import { createUser } from '../../tools/scripts/dev-account.ts'
import { sharedService } from '../support/shared-service.ts'

const { service, address } = await sharedService({ after })
const publicUrl = `http://localhost:${new URL(address).port}`
let users = 0

async function link(now = service.context.now) {
  const { context } = service
  const email = `visitor-${(users += 1)}-of-the-demo@example.org`
  const userId = await createUser(context, { email, password: 'a-house-of-words-9' })
  const opened = await openSignInLink(
    { ...context, now },
    { publicUrl, userId: userId ?? '', target: '/library' },
  )
  after(opened.close)
  return { email, ...opened }
}

type Answer = { status: number; headers: http.IncomingHttpHeaders }

/** Asks as it is said: with any method and host, and without following. */
function asks(url: string, { method = 'GET', ...headers }: Record<string, string> = {}) {
  return new Promise<Answer>((resolve, reject) => {
    const request = http.request(url, { method, headers, agent: false }, (response) => {
      response.resume()
      resolve({ status: response.statusCode ?? 0, headers: response.headers })
    })
    request.on('error', reject).end()
  })
}

test('the link signs in once, and leads to the library', async () => {
  const { url, email } = await link()
  assert.equal((await asks(url, { method: 'HEAD' })).status, 405, 'a look uses nothing up')
  const { status, headers } = await asks(url)
  assert.deepEqual([status, headers.location], [303, `${publicUrl}/library`])
  assert.equal(headers['cache-control'], 'no-store')
  const [cookie = ''] = headers['set-cookie']?.map((one) => one.split(';')[0] ?? '') ?? []
  const visit = await fetch(`${address}/account/session`, { headers: { cookie } })
  assert.equal(((await visit.json()) as { email: string }).email, email)
  const again = await asks(url)
  assert.deepEqual([again.status, again.headers['set-cookie']], [410, undefined])
})

test('of many requests at once, one is signed in', async () => {
  const { url } = await link()
  const answers = await Promise.all(Array.from({ length: 8 }, () => asks(url)))
  assert.equal(answers.filter(({ status }) => status === 303).length, 1)
})

test('a name that leads here by a trick, another network, a guess and a late visitor get nothing', async () => {
  let now = service.context.now()
  const { url } = await link(() => now)
  const { port } = new URL(url)
  for (const host of ['evil.example', `evil.example:${port}`, `127.0.0.1:${port}`, 'localhost'])
    assert.equal((await asks(url, { host })).status, 403, host)
  for (const guess of ['', 'x', 'x'.repeat(43), `${'x'.repeat(43)}?`])
    assert.equal((await asks(`http://localhost:${port}/${guess}`)).status, 404, guess)
  // Every address of 127.0.0.0/8 is this machine's, and the link listens at one of them only.
  const elsewhere = net.connect({ host: '127.0.0.2', port: Number(port) })
  const error = await new Promise<NodeJS.ErrnoException>((resolve) =>
    elsewhere.on('error', resolve),
  )
  assert.equal(error.code, 'ECONNREFUSED')
  now = new Date(now.getTime() + LINK_MINUTES * 60_000)
  assert.equal((await asks(url)).status, 410)
})

test('the service itself has no address that redeems such a link', async () => {
  const { url } = await link()
  const { pathname } = new URL(url)
  for (const path of [pathname, `/account${pathname}`, `/sign-in${pathname}`]) {
    const answer = await fetch(`${address}${path}`, { redirect: 'manual' })
    assert.deepEqual([answer.status, answer.headers.getSetCookie()], [404, []], path)
  }
})
