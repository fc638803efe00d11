/** The networks by which a visitor is limited: an IPv4 address or a /64 of IPv6, and the wider one that it is of. */
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
  return `${firstParts(address, IPV6_PARTS)}::/64`
}

/** A provider that hands out more than a /64 hands out no more than this; so much of IPv4 is rented as one piece. */
const WIDE_IPV6_PARTS = 3
const WIDE_IPV4_PARTS = 3

/** The wider network: `203.0.113.0/24`, or `2001:db8:1::/48`. What is no address stands for itself. */
export function widerNetwork(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  if (address instanceof ipaddr.IPv4)
    return `${address.octets.slice(0, WIDE_IPV4_PARTS).join('.')}.0/24`
  return `${firstParts(address, WIDE_IPV6_PARTS)}::/48`
}

function firstParts({ parts }: ipaddr.IPv6, count: number): string {
  return parts
    .slice(0, count)
    .map((part) => part.toString(16))
    .join(':')
}
