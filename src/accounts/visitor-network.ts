/**
 * The network behind an address, for limits by origin: an IPv4 address itself, of an IPv6 address its
 * first 64 bits, since whoever has one address of such a network has all of them.
 */
import net from 'node:net'

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i
const GROUPS = 8
const NETWORK_GROUPS = 4

/** `203.0.113.7` or `2001:db8:0:1::/64`; what is no address stands for itself. */
export function visitorNetwork(address: string): string {
  const [plain = ''] = address.split('%', 1) // without the zone of a link-local one
  const mapped = MAPPED.exec(plain)?.[1]
  if (mapped !== undefined) return mapped
  if (!net.isIPv6(plain)) return plain
  const [head = '', tail] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::')
  const [before, after] = [head, tail ?? ''].map((part) => part.split(':').filter((group) => group !== '')) as [string[], string[]]
  const zeros = tail === undefined ? 0 : GROUPS - before.length - after.length
  const groups = [...before, ...Array.from({ length: zeros }, () => '0'), ...after]
  return `${groups.slice(0, NETWORK_GROUPS).join(':')}::/64`
}
