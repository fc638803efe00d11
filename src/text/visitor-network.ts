/** Whom a visitor's limits are counted for: an address of IPv4, a network of IPv6. */
import ipaddr from 'ipaddr.js'

/** A provider hands each customer at least a /64 of IPv6: whoever has one address of it has them all. */
const IPV6_PARTS = 4

/**
 * The network that a visitor's address stands for: `203.0.113.7`, or `2001:db8:1:2::/64`. An IPv4
 * address written as IPv6 (`::ffff:203.0.113.7`) is the IPv4 address. What is no address stands for itself.
 */
export function visitorNetwork(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  if (address instanceof ipaddr.IPv4) return address.toString()
  return `${address.parts
    .slice(0, IPV6_PARTS)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}
