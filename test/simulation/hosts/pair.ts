/** Two PostgreSQL servers with streaming replication, kept by hand or by Patroni. */
import fs from 'node:fs'
import path from 'node:path'
import { until } from '../../support/until.ts'
import type { BedHost, Network } from './network.ts'

/** `sync`: a commit is confirmed once the standby shows it (`remote_apply`); `async` is PostgreSQL's default. */
export type Commits = 'sync' | 'async'

export type Pair = {
  /** The first primary, and the first standby. */
  first: BedHost
  second: BedHost
  /** Makes the standby the primary; resolves once it takes writes. Patroni does it by itself. */
  promote(): Promise<void>
  /** Runs SQL on this host's server as its superuser, and returns the first column of the rows. */
  asks(host: BedHost, sql: string): Promise<string[]>
  /** Restarts the server where it is. */
  restart(host: BedHost): Promise<void>
}

/** The files that docs/operating/many-machines.md hands to operators. */
export const CLUSTER = path.resolve(import.meta.dirname, '../../../docs/operating/cluster')
const CREATE_DATABASE = path.join(CLUSTER, 'create-database.sh')
const PG_VERSIONS = '/usr/lib/postgresql'
const AS = { as: 'postgres' }
/** Password of every role. Servers that are kept by hand ask for none. */
export const DATABASE_PASSWORD = 'bed'
const START_MS_MAX = 90_000

/** Folder of the newest PostgreSQL's programs, from 15 on; null where there is none. */
export function findPgBin(): string | null {
  const versions = fs.existsSync(PG_VERSIONS) ? fs.readdirSync(PG_VERSIONS).map(Number) : []
  const newest = Math.max(0, ...versions)
  return newest < 15 ? null : path.join(PG_VERSIONS, String(newest), 'bin')
}

/** Returns the path of this program of PostgreSQL's. */
export function pg(program: string): string {
  return path.join(findPgBin() ?? '', program)
}

/** Makes a folder of the servers' user; by default the one in which the server of this host keeps its data. */
export async function folderOf(
  { folder }: Network,
  host: BedHost,
  name = `${host.name}-data`,
): Promise<string> {
  const data = path.join(folder, name)
  await host.runs(['install', '-d', '-o', 'postgres', '-g', 'postgres', '-m', '700', data])
  return data
}

async function asks(host: BedHost, sql: string): Promise<string[]> {
  const words = [pg('psql'), '-h', host.ip, '-U', 'postgres', '-d', 'scriptorium', '-AtX']
  const out = await host.runs([...words, '-v', 'ON_ERROR_STOP=1'], {
    input: sql,
    env: { PGCONNECT_TIMEOUT: '5', PGPASSWORD: DATABASE_PASSWORD },
  })
  return out.split('\n').filter((line) => line !== '')
}

async function untilStreaming(host: BedHost, state: 'sync' | 'async'): Promise<void> {
  await until(
    'the standby follows the primary',
    async () => (await asks(host, 'select sync_state from pg_stat_replication'))[0] === state,
    START_MS_MAX,
  )
}

export async function openPairByHand(network: Network, commits: Commits): Promise<Pair> {
  const { pg1: first, pg2: second } = network.hosts
  const data = { pg1: await folderOf(network, first), pg2: await folderOf(network, second) }
  const control = (host: BedHost, ...words: string[]): Promise<string> => {
    const folder = host === first ? data.pg1 : data.pg2
    const log = path.join(folder, 'server.log')
    return host.runs([pg('pg_ctl'), '-D', folder, '-w', '-l', log, ...words], AS)
  }
  await first.runs([pg('initdb'), '-D', data.pg1, '-U', 'postgres', '-A', 'trust', '-k'], AS)
  const conf = path.join(data.pg1, 'postgresql.conf')
  fs.appendFileSync(conf, fs.readFileSync(path.join(CLUSTER, 'postgresql.conf')))
  fs.copyFileSync(path.join(CLUSTER, 'pg_hba.conf'), path.join(data.pg1, 'pg_hba.conf'))
  await control(first, 'start')
  await first.runs([CREATE_DATABASE, `host=${first.ip} user=postgres dbname=postgres`], {
    env: { SCRIPTORIUM_PASSWORD: DATABASE_PASSWORD },
  })
  await asks(first, 'create role replicator login replication')

  // `-R` writes this address into primary_conninfo, and standby.signal beside it.
  const primary = `host=${first.ip} user=replicator application_name=pg2`
  await second.runs([pg('pg_basebackup'), '-d', primary, '-D', data.pg2, '-R', '-c', 'fast'], AS)
  await control(second, 'start')
  if (commits === 'sync') {
    // On the primary alone: a promoted standby that waited for a standby would confirm nothing.
    await asks(first, `alter system set synchronous_standby_names = 'pg2'`)
    await asks(first, `alter system set synchronous_commit = 'remote_apply'`)
    await asks(first, 'select pg_reload_conf()')
  }
  await untilStreaming(first, commits)
  return {
    first,
    second,
    asks,
    promote: async () => void (await control(second, 'promote')),
    restart: async (host) => void (await control(host, 'restart', '-m', 'fast')),
  }
}

/** Starts Patroni where it keeps `host`'s server, with the lease in the etcd of the balancer's host. */
export async function startPatroni(network: Network, host: BedHost): Promise<void> {
  const { folder } = network
  const data = await folderOf(network, host)
  // Copies, since the user of the servers may not be allowed to look into this checkout.
  fs.cpSync(CLUSTER, path.join(folder, 'cluster'), { recursive: true })
  host.starts(['patroni', path.join(folder, 'cluster/patroni.yml')], {
    ...AS,
    env: {
      PATRONI_NAME: host.name,
      PATRONI_ETCD3_HOSTS: `${network.hosts.proxy.ip}:2379`,
      PATRONI_RESTAPI_CONNECT_ADDRESS: `${host.ip}:8008`,
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: `${host.ip}:5432`,
      PATRONI_POSTGRESQL_DATA_DIR: data,
      PATRONI_POSTGRESQL_BIN_DIR: findPgBin() ?? '',
      PATRONI_POSTGRESQL_PGPASS: path.join(folder, `repository/${host.name}.pgpass`),
      PATRONI_SUPERUSER_PASSWORD: DATABASE_PASSWORD,
      PATRONI_REPLICATION_PASSWORD: DATABASE_PASSWORD,
      SCRIPTORIUM_PASSWORD: DATABASE_PASSWORD,
      CREATE_DATABASE: path.join(folder, 'cluster/create-database.sh'),
      ...archiveOf(network, host),
    },
  })
  await until(
    `Patroni keeps ${host.name}`,
    () => answers(`http://${host.ip}:8008/health`),
    START_MS_MAX,
  )
}

/** Returns what tells pgBackRest, and with it a server that archives, where everything of this bed is. */
function archiveOf({ folder }: Network, host: BedHost): Record<string, string> {
  return {
    PGBACKREST_STANZA: 'scriptorium',
    PGBACKREST_CONFIG: path.join(folder, 'cluster/pgbackrest.conf'),
    PGBACKREST_PG1_PATH: path.join(folder, `${host.name}-data`),
    PGBACKREST_REPO1_PATH: path.join(folder, 'repository'),
    PGBACKREST_LOCK_PATH: path.join(folder, 'repository/lock'),
    PGBACKREST_LOG_LEVEL_FILE: 'off',
  }
}

/** Runs a program as the servers' user, with all that pgBackRest has to know on this host. */
export function runsArchived(network: Network, host: BedHost, words: string[]): Promise<string> {
  const env = { ...archiveOf(network, host), PGHOST: host.ip, PGPASSWORD: DATABASE_PASSWORD }
  return host.runs(words, { ...AS, env })
}

/** Patroni on both servers' hosts and one etcd, on the balancer's; elsewhere there are three. */
export async function openPairByPatroni(network: Network): Promise<Pair> {
  const { pg1: first, pg2: second, proxy } = network.hosts
  const etcd = `http://${proxy.ip}:2379`
  proxy.starts([
    'etcd',
    `--data-dir=${path.join(network.folder, 'etcd')}`,
    `--listen-client-urls=${etcd}`,
    `--advertise-client-urls=${etcd}`,
  ])
  await folderOf(network, first, 'repository')
  await startPatroni(network, first)
  await runsArchived(network, first, ['pgbackrest', 'stanza-create'])
  await startPatroni(network, second)
  await untilStreaming(first, 'sync')
  return {
    first,
    second,
    asks,
    promote: async () => {
      const url = `http://${second.ip}:8008/primary`
      await until('Patroni promotes the standby', () => answers(url), START_MS_MAX)
    },
    restart: async () => {
      throw new Error('Patroni restarts what it keeps')
    },
  }
}

async function answers(url: string): Promise<boolean> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => null)
  await answer?.body?.cancel()
  return answer?.status === 200
}
