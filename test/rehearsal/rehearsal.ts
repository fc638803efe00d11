/**
 * The rehearsal of an upgrade: two processes of the last release serve a database of their own making under
 * load; each is drained and replaced by one of today, the first of which migrates, and then it all goes back.
 */
import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { startEmulator } from '../../emulator/server.ts'
import { recountOpenJobs } from '../../src/features/jobs/recount-open-jobs.ts'
import type { TestDatabase } from '../support/database.ts'
import {
  bareEnvironment,
  freePort,
  launch,
  type ServiceProcess,
  untilReady,
} from '../support/service-process.ts'
import { until } from '../support/until.ts'
import { checkAll, type Figures } from '../simulation/chaos/checks.ts'
import { type Balancer, startBalancer } from './balancer.ts'
import { type Done, startLoad } from './load.ts'

export type Rehearsed = {
  /** `compared`: jobs whose texts the last release reads as they were first read. */
  done: Done & { compared: number }
  wrong: string[]
  lost: Balancer['lost']
  passedOn: number
  /** Of every stop, as the process ended. */
  exits: (number | null)[]
  figures: Figures
}

export type Rehearsal = {
  /** Without tables: the last release makes them. */
  database: TestDatabase
  /** The last release's program. */
  old: string
  /** How long each release serves before the next step. */
  serveMs: number
  /** STOP_NOTICE of every process, in seconds: many looks of the balancer, which a busy machine holds up. */
  noticeSeconds: number
  customers: number
  say(line: string): void
}

const PROCESSES = 2
const TOPPING_MS = 500
/** Rate limits out of the way, in the order in which requests lock them. */
const FILL = `with spent as materialized (select id from rate_bucket order by id for update)
  update rate_bucket b set tokens = 60 from spent s where b.id = s.id`
/** pino's. */
const ERROR_LEVEL = 50
/** The machine may be busy. */
const START_MS_MAX = 180_000
/** Per attempt that was handed over: videos being fetched and recorded. */
const IN_FLIGHT_MAX = 16 + 32

export async function rehearse(options: Rehearsal): Promise<Rehearsed> {
  const { database, old, serveMs, say } = options
  const platform = await startEmulator({ latencyMs: 30, seed: 1 })
  const ports = await Promise.all(Array.from({ length: PROCESSES }, freePort))
  const balancer = await startBalancer(ports)
  const env = { DATABASE_URL: database.url, PLATFORM_ORIGIN: platform.origin, DATABASE_POOL: '8' }
  const fleet: ServiceProcess[] = []
  const exits: (number | null)[] = []
  const launched: { release: string; one: ServiceProcess }[] = []
  async function start(index: number, main: string | null): Promise<void> {
    const own = { PORT: String(ports[index]), STOP_NOTICE: String(options.noticeSeconds) }
    const one = launch({ ...env, ...own }, main === null ? {} : { main })
    fleet[index] = one
    launched.push({ release: main === null ? 'this release' : 'the last release', one })
    await untilReady(one, START_MS_MAX)
    const backend = balancer.backends[index]
    const hasNotice = main === null && options.noticeSeconds > 0
    if (backend !== undefined)
      Object.assign(backend, { isStopping: false, stoppedAt: null, hasNotice })
    await until('the balancer sees it', () => backend?.isReady === true)
  }
  /** One process after the other, as an operator does it. */
  async function replaceAll(main: string | null): Promise<void> {
    for (const [index, one] of fleet.entries()) {
      const backend = balancer.backends[index]
      if (backend !== undefined) backend.isStopping = true
      const ended = one.ends('SIGTERM')
      await until(
        'it stops',
        () => one.lines.some(({ msg }) => msg === 'stopping') || !one.isAlive(),
      )
      if (backend !== undefined) backend.stoppedAt = performance.now()
      exits.push(await ended)
      await start(index, main)
      say(`process ${index + 1} of ${fleet.length} is replaced`)
    }
    await sleep(serveMs)
  }

  const topping = setInterval(() => {
    void database.pool.query(FILL).catch(() => undefined)
  }, TOPPING_MS)
  try {
    await Promise.all(ports.map((_port, index) => start(index, old)))
    const accounts = await openAccounts(options, env)
    const load = startLoad(balancer.address, accounts)
    say('the last release serves')
    await sleep(serveMs)
    await replaceAll(null)
    say('upgraded')
    await replaceAll(old)
    say('and back')
    const compared = await load.settle()
    exits.push(...(await Promise.all(fleet.map((one) => one.ends('SIGTERM')))))
    const { done, wrong } = load
    const { lost, passedOn } = balancer
    // Each minute a worker of the present release does it: the last one does not keep these counts.
    await recountOpenJobs(database.db)
    const figures = await checkAll(database, platform, IN_FLIGHT_MAX)
    return { done: { ...done, compared }, wrong, lost, passedOn, exits, figures }
  } finally {
    clearInterval(topping)
    await balancer.close()
    await Promise.all(fleet.filter((one) => one.isAlive()).map((one) => one.ends('SIGKILL')))
    await platform.close()
    for (const { release, one } of launched)
      for (const { level, msg, err } of one.lines)
        if (level >= ERROR_LEVEL) say(`${release} logged: ${msg} ${JSON.stringify(err)}`)
  }
}

/** By the last release's own command: today's would write columns that are not there yet. */
async function openAccounts(
  { old, customers }: Rehearsal,
  env: Record<string, string>,
): Promise<{ accountId: string; apiKey: string }[]> {
  return Promise.all(
    Array.from({ length: customers }, async (_, n) => {
      const words = `admin account create --email rehearsal-${n}@example.org --credit-usd 50 --json`
      const { stdout } = await promisify(execFile)(process.execPath, [old, ...words.split(' ')], {
        env: { ...bareEnvironment(), ...env, LOG_LEVEL: 'silent' },
      })
      return JSON.parse(stdout) as { accountId: string; apiKey: string }
    }),
  )
}
