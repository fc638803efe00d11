/**
 * Which addresses a delivery may go to: public ones only, unless the operator allows all, so that no customer can send
 * this service into its own network. The name is judged when a webhook is made, and every address that it resolves to
 * when a connection is opened (guarded-agent.ts).
 */
import ipaddr from 'ipaddr.js'

/** A URL in the form of the URL standard, or a sentence for the customer who sent it. */
type TargetReading = { kind: 'target'; url: string } | { kind: 'refused'; message: string }

export type TargetRules = { isPrivateAllowed: boolean }

const TARGET_CHARS_MAX = 2_048
/**
 * Refused ports, beside those below 1024, where services stand that are no receivers (mail, shells, file shares): the
 * ones that browsers refuse too (fetch.spec.whatwg.org, "bad port", November 2026).
 */
const BAD_PORTS = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669,
  6679, 6697, 10080,
])
const WELL_KNOWN_MAX = 1023
/** All of IPv6 that is given out for the Internet (IANA, IPv6 address space, November 2026). */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')
/**
 * Addresses of the public space of IPv4 that clouds answer inside their own networks: Azure's wire server, and the
 * name servers and private endpoints of IBM (their documentation, November 2026). Those of other clouds are link-local,
 * shared (100.64.0.0/10) or reserved.
 */
const INSIDE_CLOUDS = ['168.63.129.16/32', '161.26.0.0/16', '166.8.0.0/14'].map((range) =>
  ipaddr.IPv4.parseCIDR(range),
)

export function readTarget(text: string, { isPrivateAllowed }: TargetRules): TargetReading {
  if (text.length > TARGET_CHARS_MAX)
    return refused(`url must have at most ${TARGET_CHARS_MAX} characters`)
  if (!URL.canParse(text)) return refused('url must be an absolute http or https URL')
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return refused('url must be an absolute http or https URL')
  if (url.username !== '' || url.password !== '')
    return refused('url must hold no name and no password; deliveries are signed instead')
  url.hash = ''
  if (isPrivateAllowed) return { kind: 'target', url: url.href }
  if (!isPortAllowed(url.port))
    return refused(
      `url must name port 80, 443 or one from ${WELL_KNOWN_MAX + 1} up; not ${url.port}`,
    )
  if (!isHostAllowed(url.hostname))
    return refused('url must lead to a public address, not into this service’s own network')
  return { kind: 'target', url: url.href }
}

/** Whether a packet to this IP address leaves for the public Internet, in every spelling and embedding of IPv4. */
export function isPublicAddress(ip: string): boolean {
  if (!ipaddr.isValid(ip)) return false
  const address = ipaddr.parse(ip)
  if (address.range() !== 'unicast') return false
  return address instanceof ipaddr.IPv6
    ? address.match(GLOBAL_IPV6)
    : !INSIDE_CLOUDS.some((range) => address.match(range))
}

/** The URL's host without the brackets of IPv6. */
export function bareHost(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
}

/**
 * Whether a host may be a target. Names are judged again by the addresses they resolve to; `localhost` is this machine
 * by definition (RFC 6761).
 */
function isHostAllowed(hostname: string): boolean {
  const host = bareHost(hostname)
  if (ipaddr.isValid(host)) return isPublicAddress(host)
  const name = host.endsWith('.') ? host.slice(0, -1) : host
  return name !== 'localhost' && !name.endsWith('.localhost')
}

/** Whether a port may be a target's; empty means the scheme's own. */
function isPortAllowed(port: string): boolean {
  if (port === '' || port === '80' || port === '443') return true
  return Number(port) > WELL_KNOWN_MAX && !BAD_PORTS.has(Number(port))
}

function refused(sentence: string): TargetReading {
  return { kind: 'refused', message: `${sentence}.` }
}
