/**
 * Protection against DNS rebinding: a page whose own name suddenly resolves to this machine has, for the browser, its
 * origin here. Its requests carry that name as the host, which is not one of this server's.
 */
import { isIP } from 'node:net'
import type { onRequestHookHandler } from 'fastify'
import { Problem } from '../problem.ts'

/** Refuses browsers' requests to another name than `publicUrl`'s; programs send no Origin. */
export function refuseForeignHosts(publicUrl: string): onRequestHookHandler {
  const own = new URL(publicUrl).hostname
  return (request, _reply, done) => {
    if (request.headers.origin === undefined || isOurs(request.hostname, own)) return done()
    const message =
      'This server is not known under the name in Host; pages reach it under its PUBLIC_URL only.'
    done(new Problem('invalid_request', { status: 403, message }))
  }
}

/** Whether a host is this server's: its own name, an IP address, which no name server can give away, or `localhost`. */
function isOurs(hostname: string, own: string): boolean {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1')
  return hostname === own || hostname === 'localhost' || isIP(bare) !== 0
}
