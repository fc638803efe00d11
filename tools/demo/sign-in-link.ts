/**
 * The link that signs a visitor in to the demo's website. A listener of the demo's own redeems it, on this machine
 * only: browsers keep a cookie for a host, whatever its port. So the service itself has no such address, in a demo or
 * elsewhere.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openAuth } from '../../src/features/accounts/auth.ts'
import type { SignInDeps } from '../../src/features/accounts/better-auth.ts'
import { VISITOR_HEADER } from '../../src/model/accounts/sign-in.ts'

/** How long the link works, once. */
export const LINK_MINUTES = 10
const LOOPBACK = '127.0.0.1'
const SECRET_BYTES = 32
const HEADERS = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'Content-Type': 'text/plain; charset=utf-8',
}

export type SignInLink = { url: string; close(): Promise<void> }

/** Opens the listener. `target` is where the visitor lands, a path of the website at `publicUrl`, on `localhost`. */
export async function openSignInLink(
  ctx: SignInDeps,
  { publicUrl, userId, target }: { publicUrl: string; userId: string; target: string },
): Promise<SignInLink> {
  const auth = await openAuth(ctx, publicUrl)
  const secret = Buffer.from(randomBytes(SECRET_BYTES).toString('base64url'))
  const untilMs = ctx.now().getTime() + LINK_MINUTES * 60_000
  const { hostname } = new URL(publicUrl)
  let isUsed = false

  const server = http.createServer((request, response) => {
    redeem(request, response).catch(() => refuse(response, 500, 'This did not work; try again.'))
  })
  server.listen(0, LOOPBACK)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const host = `${hostname}:${port}`

  async function redeem(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A name that was made to lead to this machine is refused, and so is HEAD, with which links are looked at.
    if (request.headers.host !== host) return refuse(response, 403, 'This link is for localhost.')
    if (request.method !== 'GET') return refuse(response, 405, 'Open this link in a browser.')
    const given = Buffer.from(request.url?.slice(1) ?? '')
    if (given.length !== secret.length || !timingSafeEqual(given, secret))
      return refuse(response, 404, 'There is no such link.')
    if (isUsed || ctx.now().getTime() >= untilMs)
      return refuse(
        response,
        410,
        `This link signs in once, within ${LINK_MINUTES} minutes. The password is below it in the terminal: ${publicUrl}/sign-in`,
      )
    isUsed = true
    const headers = new Headers({ [VISITOR_HEADER]: LOOPBACK })
    const agent = request.headers['user-agent']
    if (agent !== undefined) headers.set('user-agent', agent)
    const signedIn = await auth.signIn(headers, userId)
    response
      .writeHead(303, {
        ...HEADERS,
        Location: `${publicUrl}${target}`,
        'Set-Cookie': signedIn.headers.getSetCookie(),
      })
      .end()
  }

  return {
    url: `http://${host}/${secret}`,
    async close() {
      server.close()
      server.closeAllConnections()
      await auth.close()
    },
  }
}

function refuse(response: ServerResponse, status: number, sentence: string): void {
  response.writeHead(status, HEADERS).end(`${sentence}\n`)
}
