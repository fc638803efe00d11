/**
 * Opens connections to addresses that strangers name, and to public ones only. The connection goes to the addresses
 * that were checked: names are looked up here, and no second lookup happens. An IP address in a URL never reaches a
 * lookup, so it is checked separately.
 */
import dns from 'node:dns'
import net from 'node:net'
import { callbackify } from 'node:util'
import { Agent, buildConnector } from 'undici'
import { bareHost, isPublicAddress, type TargetRules } from './target.ts'

/** The timeout of a question to a name server, and how many times it is asked. */
const NAME_QUERY_MS = 3_000
const NAME_QUERIES = 2

/** Returns the IP addresses of a name; throws where it has none. */
type NameQuery = (name: string) => Promise<string[]>

export type AgentRules = TargetRules & { askName?: NameQuery }

export class ForbiddenAddress extends Error {}
export class NoAddress extends Error {}

/** Opens the agent; `timeoutMs` is how long a connection may take to open. */
export function openGuardedAgent({
  isPrivateAllowed,
  askName = isPrivateAllowed ? askSystem : askNameServers(),
  timeoutMs,
}: AgentRules & { timeoutMs: number }): Agent {
  const isAllowed = (ip: string): boolean => isPrivateAllowed || isPublicAddress(ip)
  const open = buildConnector({
    allowH2: false,
    timeout: timeoutMs,
    lookup: lookupAllowed(askName, isAllowed),
  })
  const connect: buildConnector.connector = (options, callback) => {
    const host = bareHost(options.hostname)
    if (net.isIP(host) !== 0 && !isAllowed(host)) callback(new ForbiddenAddress(), null)
    else open(options, callback)
  }
  return new Agent({ connect, pipelining: 1, keepAliveTimeout: 4_000 })
}

function lookupAllowed(askName: NameQuery, isAllowed: (ip: string) => boolean): net.LookupFunction {
  const lookUp = callbackify((name: string) => allowedAddresses(name, askName, isAllowed))
  return (name, { all }, callback) =>
    lookUp(name, (error, addresses = []) => {
      const [first, ...others] = addresses
      if (error !== null || first === undefined) callback(error ?? new NoAddress(), [])
      else if (all === true) callback(null, [first, ...others])
      else callback(null, first.address, first.family)
    })
}

/** Refuses a name as a whole where one of its addresses is not allowed. */
async function allowedAddresses(
  name: string,
  askName: NameQuery,
  isAllowed: (ip: string) => boolean,
): Promise<dns.LookupAddress[]> {
  const ips = await askName(name).catch((): string[] => [])
  if (ips.length === 0) throw new NoAddress()
  if (!ips.every(isAllowed)) throw new ForbiddenAddress()
  return ips.map((address) => ({ address, family: net.isIP(address) }))
}

/**
 * Asks name servers without getaddrinfo, whose few threads also do other work: a slow name server would hold all of it
 * up.
 */
function askNameServers(): NameQuery {
  const resolver = new dns.promises.Resolver({ timeout: NAME_QUERY_MS, tries: NAME_QUERIES })
  return async (name) => {
    const asked = [resolver.resolve4(name), resolver.resolve6(name)]
    return (await Promise.allSettled(asked)).flatMap((one) =>
      one.status === 'fulfilled' ? one.value : [],
    )
  }
}

/** Looks names up as the machine does, its own names included, for services that may reach private addresses. */
async function askSystem(name: string): Promise<string[]> {
  const found = await dns.promises.lookup(name, { all: true })
  return found.map(({ address }) => address)
}
