/**
 * The database server of a run of tests, which starts when the first test asks for one: a run of units needs none. Test
 * processes ask at a port that they find in TEST_DATABASE_ASK, and are told the server's address.
 */
import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import type { EmbeddedPostgres } from '../src/kit/postgres/embedded/embedded-postgres.ts'
import { type Cost, costOfProcesses } from './test-costs.ts'

/** The server of a run at its end. */
export type UsedServer = {
  /** Cost of its processes since they started; null where it is no child of this machine's tests. */
  process: Cost | null
  /** Number of connections that were opened to databases of tests. */
  connections: number
  /** A sentence where its files are not in memory, on which the tests take several times as long. */
  whyOnDisk: string | null
}

export type OfferedServer = {
  /** Ends the run's use: its databases are dropped. Returns null where no test asked for any. */
  end(): Promise<UsedServer | null>
}

/**
 * Offers a server to the processes that are started from here on: the one that TEST_DATABASE_URL names, or an embedded
 * one. `isKept` leaves that running for the next run, with its template.
 */
export async function offerDatabaseServer({ isKept }: { isKept: boolean }): Promise<OfferedServer> {
  process.env['TEST_DATABASE_DROPPED'] = 'by the run'
  const given = process.env['TEST_DATABASE_URL']
  if (given) return { end: () => endUseOf(given, null, isKept) }

  let starting: Promise<EmbeddedPostgres> | null = null
  const asked = net.createServer((socket) => {
    socket.on('error', () => undefined) // who asks may have ended
    void (starting ??= start()).then(
      ({ url }) => socket.end(JSON.stringify({ url })),
      (error: unknown) => socket.end(JSON.stringify({ error: String(error) })),
    )
  })
  asked.listen(0, '127.0.0.1').unref()
  await once(asked, 'listening')
  process.env['TEST_DATABASE_ASK'] = String((asked.address() as AddressInfo).port)
  return {
    async end() {
      asked.close()
      if (starting === null) return null
      const server = await starting
      return endUseOf(server.url, server, isKept)
    },
  }
}

async function start(): Promise<EmbeddedPostgres> {
  // Loaded when a test asks: a run of units would spend half of its time on this.
  const { dropLeftDatabases, startDatabaseServer } =
    await import('../test/support/database-server.ts')
  const server = await startDatabaseServer()
  await dropLeftDatabases(server.url)
  return server
}

async function endUseOf(
  url: string,
  server: EmbeddedPostgres | null,
  isKept: boolean,
): Promise<UsedServer> {
  const { countConnections, dropLeftDatabases, findPlace, removeDatabaseServer, serverProcess } =
    await import('../test/support/database-server.ts')
  const pid = server === null ? null : serverProcess()
  const used: UsedServer = {
    process: pid === null ? null : costOfProcesses(pid),
    connections: await countConnections(url),
    whyOnDisk: server === null ? null : findPlace().whyOnDisk,
  }
  await dropLeftDatabases(url)
  if (isKept) return used
  await server?.stop()
  // A checkout of CI is used once: files kept for the next run would only take memory.
  if (process.env['CI'] && server !== null) removeDatabaseServer()
  return used
}
