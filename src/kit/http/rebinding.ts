/**
 * Against DNS rebinding: a page whose own name suddenly leads to this machine is in the browser's eyes
 * at home here. Its requests carry its name as the host, and no host of ours is called so.
 */
import { isIP } from 'node:net'
import type { onRequestHookHandler } from 'fastify'
import { Problem } from '../problem.ts'

/** Refuses what a browser sends to another name than `publicUrl`'s; programs send no Origin. */
export function refuseForeignHosts(publicUrl: string): onRequestHookHandler {
  const own = new URL(publicUrl).hostname
  return (request, _reply, done) => {
    if (request.headers.origin === undefined || isOurs(request.hostname, own)) return done()
    const message =
      'This server is not known under the name in Host; pages reach it under its PUBLIC_URL only.'
    done(new Problem('invalid_request', { status: 403, message }))
  }
}

/** An address of numbers is looked up by nobody, and `localhost` is always this machine. */
function isOurs(hostname: string, own: string): boolean {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1')
  return hostname === own || hostname === 'localhost' || isIP(bare) !== 0
}
