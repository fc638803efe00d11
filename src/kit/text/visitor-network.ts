/** The networks by which visitors are limited: an IPv4 address or a /64 of IPv6, and the wider network around it. */
import ipaddr from 'ipaddr.js'

/**
 * The parts of a /64: a provider gives each customer at least one, so a customer with one address in it has all of
 * them.
 */
const IPV6_PARTS = 4

/**
 * Returns the network for which a visitor's address stands: `203.0.113.7`, or `2001:db8:1:2::/64`. An IPv4 address
 * written as IPv6 (`::ffff:203.0.113.7`) is the IPv4 address. Other text stands for itself.
 */
export function visitorNetwork(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  if (address instanceof ipaddr.IPv4) return address.toString()
  return `${firstParts(address, IPV6_PARTS)}::/64`
}

/**
 * The parts of a wider network: a provider gives a customer no more of IPv6 than a /48, and a /24 of IPv4 is rented as
 * one piece.
 */
const WIDE_IPV6_PARTS = 3
const WIDE_IPV4_PARTS = 3

/** Returns the wider network: `203.0.113.0/24`, or `2001:db8:1::/48`. Other text stands for itself. */
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
