/**
 * The database server of a run of tests, which starts when the first test asks for one: a run of units needs none. Test
 * processes ask at a port that they find in TEST_DATABASE_ASK, and are told the server's address.
 */
import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import type { EmbeddedPostgres } from '../../src/kit/postgres/embedded/embedded-postgres.ts'
import { until } from '../../test/support/until.ts'
import { type Cost, costOfProcesses, costSince } from './test-costs.ts'

/** The server of a run at its end. */
export type UsedServer = {
  /** Cost of its processes in this run; null where it runs elsewhere. */
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
  if (given) return { end: () => endUseOf(given, { own: null, isKept }) }

  let starting: Promise<OwnServer> | null = null
  const asked = net.createServer((socket) => {
    socket.on('error', () => undefined) // who asks may have ended
    void (starting ??= start()).then(
      ({ server: { url } }) => socket.end(JSON.stringify({ url })),
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
      const own = await starting
      return endUseOf(own.server.url, { own, isKept })
    },
  }
}

type OwnServer = {
  server: EmbeddedPostgres
  /** Cost before this run, of a server that an earlier one kept. */
  before: Cost | null
  whyOnDisk: string | null
}

async function start(): Promise<OwnServer> {
  // Loaded when a test asks: a run of units would spend half of its time on this.
  const { dropLeftDatabases, findPlace, serverProcess, startDatabaseServer } =
    await import('../../test/support/database-server.ts')
  const kept = serverProcess()
  const before = kept === null ? null : costOfProcesses(kept)
  const server = await startDatabaseServer()
  await dropLeftDatabases(server.url)
  return { server, before, whyOnDisk: findPlace().whyOnDisk }
}

async function endUseOf(
  url: string,
  { own, isKept }: { own: OwnServer | null; isKept: boolean },
): Promise<UsedServer> {
  const { countConnections, dropLeftDatabases, removeDatabaseServer, serverProcess } =
    await import('../../test/support/database-server.ts')
  const { isRunning } = await import('../../test/support/service-process.ts')
  const pid = own === null ? null : serverProcess()
  const cost = pid === null ? null : costOfProcesses(pid)
  const used: UsedServer = {
    process: cost === null ? null : costSince(cost, own?.before ?? null),
    connections: await countConnections(url),
    whyOnDisk: own?.whyOnDisk ?? null,
  }
  await dropLeftDatabases(url)
  if (isKept || own === null) return used
  await own.server.stop()
  // Until this process has taken leave of it, as of each child that ends: its cost is then part of this process's.
  if (pid !== null) await until('the server is gone', () => !isRunning(pid))
  // A checkout of CI is used once: files kept for the next run would only take memory.
  if (process.env['CI']) removeDatabaseServer()
  return used
}
