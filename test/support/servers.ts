/** The way to the servers of a test's database. */
import { LIMITS } from '../../src/config/config.ts'
import { readDatabaseUrl } from '../../src/kit/postgres/address.ts'
import { openServers, type Servers } from '../../src/kit/postgres/servers.ts'

export function serversOf(url: string, isFenced = false): Servers {
  return openServers(readDatabaseUrl(url), { ...LIMITS.deadlines, isFenced })
}
