/** Whether a request comes from this machine itself, and no proxy of this machine hands it on for somebody else. */
import { BlockList } from 'node:net'
import type { FastifyRequest } from 'fastify'

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

/**
 * Returns whether the connection is from loopback, the name that was asked for is loopback's, and no proxy says that it
 * was there. A proxy that keeps silent and changes the name cannot be told from a caller: what is worth much needs more
 * than this.
 */
export function isOfThisMachine({ headers, socket }: FastifyRequest): boolean {
  const isDirect = OF_A_PROXY.every((name) => headers[name] === undefined)
  // A proxy on this machine comes from loopback, too; most proxies keep the name that was asked for.
  return isDirect && isLoopback(socket.remoteAddress) && isOwnName(headers.host ?? 'localhost')
}

/** Returns whether a host, with or without a port, is a name of loopback. */
export function isOwnName(host: string): boolean {
  return OWN_NAMES.test(host)
}

function isLoopback(address = ''): boolean {
  return LOOPBACK.check(address, address.includes(':') ? 'ipv6' : 'ipv4')
}
