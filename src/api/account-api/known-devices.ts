/** Browsers that signed in to an address before: a signed cookie says so, for one address at a time. */
import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Auth } from '../../features/accounts/auth.ts'
import { cookieJar } from '../../model/accounts/sign-in.ts'

/** How long a browser that signed in is known: wrong guesses from elsewhere do not keep it out. */
const KNOWN_DEVICE_SECONDS = 180 * 24 * 3600

export type KnownDevices = {
  /** Returns the cookie of a browser that is known for this address, else null. */
  find(request: FastifyRequest, email: string): string | null
  /** Makes this browser known for the address from now on. */
  keep(reply: FastifyReply, email: string): void
}

export function knownDevices(auth: Auth, publicUrl: string): KnownDevices {
  const jar = cookieJar(publicUrl, 'device')
  return {
    find(request, email) {
      const cookie = jar.read(request.headers.cookie)
      return cookie !== null && auth.devices.open(cookie) === nameOf(email) ? cookie : null
    },
    keep(reply, email) {
      reply.header(
        'Set-Cookie',
        jar.keep(auth.devices.close(nameOf(email), KNOWN_DEVICE_SECONDS), KNOWN_DEVICE_SECONDS),
      )
    },
  }
}

/** Returns the address as the cookie holds it: a hash, so that the next person at the browser cannot read it. */
function nameOf(email: string): string {
  return createHash('sha256').update(`device:${email}`).digest('base64url')
}
