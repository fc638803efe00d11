/** The product on its hosts: two APIs and two workers, and the balancer before them and before the database. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { launch, type ServiceProcess, untilReady } from '../../support/service-process.ts'
import { until } from '../../support/until.ts'
import type { Ran, Network } from './network.ts'
import { CLUSTER, findPgBin, DATABASE_PASSWORD } from './pair.ts'

export const SERVICE_NAMES = ['api1', 'api2', 'worker1', 'worker2'] as const
export type ServiceName = (typeof SERVICE_NAMES)[number]

/**
 * The ways to the database: HAProxy with a role check by hand or by Patroni, both hosts in the URL, or an address that
 * moves with the primary.
 */
export const DATABASE_WAYS = ['proxy', 'patroni', 'hosts', 'address'] as const
export type DatabaseWay = (typeof DATABASE_WAYS)[number]

export type Services = {
  running: Record<ServiceName, ServiceProcess>
  /** Starts a process again where it ran, and waits until it is ready. */
  startAgain(name: ServiceName): Promise<void>
  /** Status of this process's /readyz; null where it does not answer. */
  readyz(name: ServiceName): Promise<number | null>
  /** Runs an operator's command. */
  admin(...words: string[]): Promise<Ran>
}

const MAIN = path.resolve(import.meta.dirname, '../../../src/main.ts')
const PORT = '8080'
const START_MS_MAX = 180_000
const LOOK_MS_MAX = 2_000
/** Slow enough that a large job lasts as long as a scenario does. */
const SETTINGS = {
  JOB_VIDEOS: '4',
  EGRESS_ROUTES: 'direct#ratePerMinute=600000&concurrency=256',
  MAX_ACTIVE_JOBS: '1000',
  DATABASE_POOL: '10',
  DATABASE_PATIENCE: '1',
  FREE_CALLS_PER_DAY: '1000000',
  WEBHOOK_ALLOW_PRIVATE: 'true',
  /** Longer than the balancer takes to notice: two checks, a second apart. */
  STOP_NOTICE: '3',
}

export function databaseUrlOf(network: Network, way: DatabaseWay): string {
  const { pg1, pg2, proxy } = network.hosts
  const user = `postgres://scriptorium:${DATABASE_PASSWORD}@`
  switch (way) {
    case 'proxy':
    case 'patroni':
      return `${user}${proxy.ip}:5432/scriptorium`
    case 'hosts':
      return `${user}${pg1.ip}:5432,${pg2.ip}:5432/scriptorium?target_session_attrs=primary`
    case 'address':
      return `${user}${network.spare}:5432/scriptorium`
    default:
      return way satisfies never
  }
}

/** Starts HAProxy: before the APIs, and before the database where services reach it that way. */
export function startHaproxy(network: Network, way: DatabaseWay): ChildProcess {
  const { proxy, pg1, pg2, api1, api2 } = network.hosts
  const database = way === 'patroni' ? 'haproxy-patroni.cfg' : 'haproxy-by-hand.cfg'
  const files = ['haproxy.cfg', database].flatMap((file) => ['-f', path.join(CLUSTER, file)])
  return proxy.starts(['haproxy', '-db', ...files], {
    env: {
      API1: api1.ip,
      API2: api2.ip,
      PG1: pg1.ip,
      PG2: pg2.ip,
      PG_BIN: findPgBin() ?? '',
      IS_PRIMARY: path.join(CLUSTER, 'is-primary.sh'),
    },
  })
}

export async function openServices(
  network: Network,
  given: { databaseUrl: string; platformOrigin: string },
): Promise<Services> {
  const environmentOf = (name: ServiceName): Record<string, string> => ({
    ...SETTINGS,
    DATABASE_URL: given.databaseUrl,
    PLATFORM_ORIGIN: given.platformOrigin,
    ROLES: name.startsWith('api') ? 'api' : 'worker',
    HOST: network.hosts[name].ip,
    PORT,
    HEALTH_PORT: PORT,
    DATA_DIR: path.join(network.folder, name),
    PUBLIC_URL: `http://${network.hosts.proxy.ip}:${PORT}`,
    TRUSTED_PROXIES: network.hosts.proxy.ip,
  })
  const start = (name: ServiceName): ServiceProcess =>
    launch(environmentOf(name), { within: network.hosts[name].within })
  // The first one applies the migrations, for which the others would only wait.
  const api1 = start('api1')
  await untilReady(api1, START_MS_MAX)
  const running = {
    api1,
    api2: start('api2'),
    worker1: start('worker1'),
    worker2: start('worker2'),
  }
  await Promise.all(Object.values(running).map((one) => untilReady(one, START_MS_MAX)))
  return {
    running,
    async startAgain(name) {
      running[name] = start(name)
      await untilReady(running[name], START_MS_MAX)
    },
    async readyz(name) {
      const url = `http://${network.hosts[name].ip}:${PORT}/readyz`
      const signal = AbortSignal.timeout(LOOK_MS_MAX)
      const answer = await fetch(url, { signal }).catch(() => null)
      await answer?.body?.cancel()
      return answer?.status ?? null
    },
    admin: (...words) =>
      network.hosts.api1.tries([process.execPath, MAIN, 'admin', ...words], {
        env: environmentOf('api1'),
      }),
  }
}

/** Ends one process by force, as a lost host does. */
export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

export async function untilServed(origin: string): Promise<void> {
  await until(
    'the balancer has an API',
    async () => {
      const signal = AbortSignal.timeout(LOOK_MS_MAX)
      const answer = await fetch(`${origin}/readyz`, { signal }).catch(() => null)
      await answer?.body?.cancel()
      return answer?.status === 200
    },
    START_MS_MAX,
  )
}
