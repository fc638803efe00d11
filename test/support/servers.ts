/** The way to the servers of a test's database. */
import { LIMITS } from '../../src/config/config.ts'
import { readAddress } from '../../src/kit/postgres/address.ts'
import { openServers, type Servers } from '../../src/kit/postgres/servers.ts'

export function serversOf(url: string, isFenced = false): Servers {
  const { connectMs } = LIMITS.deadlines
  return openServers(readAddress(url), { connectMs, isFenced, warn: () => undefined })
}
