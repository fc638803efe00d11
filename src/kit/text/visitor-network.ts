/** The networks by which visitors are limited: an IPv4 address or a /64 of IPv6, and the wider network around it. */
import ipaddr from 'ipaddr.js'

/**
 * Returns the network for which a visitor's address stands: `203.0.113.7`, or `2001:db8:1:2::/64`, of which a provider
 * gives each customer at least one. An IPv4 address written as IPv6 (`::ffff:203.0.113.7`) is the IPv4 address. Other
 * text stands for itself.
 */
export function visitorNetwork(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  return address instanceof ipaddr.IPv4 ? address.toString() : networkOf(address, 64)
}

/**
 * Returns the wider network: `203.0.113.0/24`, which is rented as one piece, or `2001:db8:1::/48`, of which a provider
 * gives a customer no more. Other text stands for itself.
 */
export function widerNetwork(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  return networkOf(address, address instanceof ipaddr.IPv4 ? 24 : 48)
}

/**
 * Returns the networks around a visitor's address, the smallest first: `203.0.113.7/32`, its /24 and its /16, or the
 * /64, /56, /48 and /32 of IPv6, of which the last is what a provider itself is given. Other text stands for itself.
 */
export function wideningNetworks(ip: string): string[] {
  if (!ipaddr.isValid(ip)) return [ip]
  const address = ipaddr.process(ip)
  const prefixes = address instanceof ipaddr.IPv4 ? [32, 24, 16] : [64, 56, 48, 32]
  return prefixes.map((bits) => networkOf(address, bits))
}

/** Returns the network of an address; `bits`, the length of its prefix, are whole bytes. */
function networkOf(address: ipaddr.IPv4 | ipaddr.IPv6, bits: number): string {
  const first = address.toByteArray().map((byte, at) => (at < bits / 8 ? byte : 0))
  return `${ipaddr.fromByteArray(first).toString()}/${bits}`
}
