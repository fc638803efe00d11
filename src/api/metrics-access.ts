/** Access to /metrics: for a client with METRICS_TOKEN or, where none is set, one on this machine. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { BlockList } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { Problem } from '../kit/problem.ts'

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

/** Headers that proxies add to a request that they hand on. */
const OF_A_PROXY = [
  'forwarded',
  'via',
  'x-real-ip',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-port',
]
const OWN_NAMES = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i

/** Throws `unauthorized` for a wrong token; where none is set, `not_found` for a caller from elsewhere. */
export function requireMetricsReader(
  { headers, socket }: Pick<FastifyRequest, 'headers' | 'socket'>,
  token: string | null,
): void {
  if (token !== null) {
    if (isSame(headers.authorization ?? '', `Bearer ${token}`)) return
    throw new Problem('unauthorized', {
      message: 'Send `Authorization: Bearer <METRICS_TOKEN>`.',
      headers: { 'WWW-Authenticate': 'Bearer' },
    })
  }
  const isDirect = OF_A_PROXY.every((name) => headers[name] === undefined)
  // A proxy on this machine comes from loopback, too; most proxies keep the name that was asked for.
  if (isDirect && isLoopback(socket.remoteAddress) && OWN_NAMES.test(headers.host ?? 'localhost'))
    return
  throw new Problem('not_found')
}

/** Returns whether the texts are equal; takes the same time wherever they differ. */
function isSame(given: string, wanted: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(wanted))
}

function isLoopback(address = ''): boolean {
  return LOOPBACK.check(address, address.includes(':') ? 'ipv6' : 'ipv4')
}
