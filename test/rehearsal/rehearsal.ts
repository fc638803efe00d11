/**
 * The rehearsal of an upgrade: two processes of the last release make a database and serve it under load. Both are
 * stopped and two of the present release start, the first of which migrates; transcripts stored by the last release are
 * rewritten meanwhile. Then each process is drained and replaced by another of the present release, and the last
 * release is refused.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { startEmulator } from '../../emulator/server.ts'
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
  /** `compared` counts jobs whose texts were the same as at their first reading, whichever release served it. */
  done: Done & { compared: number }
  wrong: string[]
  lost: Balancer['lost']
  passedOn: number
  /** Exit code of every stop. */
  exits: (number | null)[]
  /** What the last release says about the database in the end. */
  refusal: string
  figures: Figures
}

export type Rehearsal = {
  /** Database without tables: the last release makes them. */
  database: TestDatabase
  /** Path of the last release's program. */
  old: string
  /** Resolves when a release has served enough for the next step; `done` goes on counting. */
  serves(done: Readonly<Done>): Promise<unknown>
  /**
   * STOP_NOTICE of every process, in seconds: long enough for many looks of the balancer, which a busy machine delays.
   */
  noticeSeconds: number
  customers: number
  say(line: string): void
}

const PROCESSES = 2
/** Longest time for each order, reading and download, in milliseconds; after that the release is stuck. */
const SERVED_MS_MAX = 24_000
const TOPPING_MS = 500
/** Fills rate limits, in the order in which requests lock them. */
const FILL = `with spent as materialized (select id from rate_bucket order by id for update)
  update rate_bucket b set tokens = 60 from spent s where b.id = s.id`
const OLD_LEFT = 'select count(*)::int as left from transcript_form'
/** Level of errors in pino's log. */
const ERROR_LEVEL = 50
/** Longest time of a start on a busy machine, in milliseconds. */
const START_MS_MAX = 180_000
/** Videos that each handed-over attempt may have had in flight: being fetched, and being recorded. */
const IN_FLIGHT_MAX = 16 + 32

/** Resolves when `count` more have been ordered, read and downloaded, of each. */
export function servesEach(count: number): Rehearsal['serves'] {
  return (done) => {
    const before = { ...done }
    const isServed = (): boolean =>
      (['ordered', 'read', 'downloaded'] as const).every(
        (what) => done[what] >= before[what] + count,
      )
    return until('the release serves', isServed, count * SERVED_MS_MAX)
  }
}

export async function rehearse(options: Rehearsal): Promise<Rehearsed> {
  const { database, old, serves, say } = options
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
  async function stop(index: number, one: ServiceProcess): Promise<void> {
    const backend = balancer.backends[index]
    if (backend !== undefined) backend.isStopping = true
    const ended = one.ends('SIGTERM')
    await until('it stops', () => one.lines.some(({ msg }) => msg === 'stopping') || !one.isAlive())
    if (backend !== undefined) backend.stoppedAt = performance.now()
    exits.push(await ended)
  }
  /** Replaces a release that cannot read what this one stores: all of its processes stop first. */
  async function replaceTogether(): Promise<void> {
    await Promise.all(fleet.map((one, index) => stop(index, one)))
    await Promise.all(ports.map((_port, index) => start(index, null)))
    await until('old transcripts are rewritten', async () => {
      const { rows } = await database.pool.query<{ left: number }>(OLD_LEFT)
      return rows[0]?.left === 0
    })
  }
  /** Replaces one process after the other, as an operator does. */
  async function replaceEach(): Promise<void> {
    for (const [index, one] of fleet.entries()) {
      await stop(index, one)
      await start(index, null)
      say(`process ${index + 1} of ${fleet.length} is replaced`)
    }
  }

  const topping = setInterval(() => {
    void database.pool.query(FILL).catch(() => undefined)
  }, TOPPING_MS)
  try {
    await Promise.all(ports.map((_port, index) => start(index, old)))
    const accounts = await openAccounts(options, env)
    const load = startLoad(balancer.address, accounts)
    say('the last release serves')
    await serves(load.done)
    await replaceTogether()
    say('upgraded')
    await serves(load.done)
    await replaceEach()
    say('and started anew, one by one')
    await serves(load.done)
    const compared = await load.settle()
    exits.push(...(await Promise.all(fleet.map((one) => one.ends('SIGTERM')))))
    const { done, wrong } = load
    const { lost, passedOn } = balancer
    const refusal = await refusalOf(old, env)
    const figures = await checkAll(database, platform, IN_FLIGHT_MAX)
    return { done: { ...done, compared }, wrong, lost, passedOn, exits, refusal, figures }
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

/** Returns the refusal of the last release's own command on the upgraded database. */
async function refusalOf(old: string, env: Record<string, string>): Promise<string> {
  const words = 'admin account create --email late@example.org'.split(' ')
  const options = { env: { ...bareEnvironment(), ...env } }
  return promisify(execFile)(process.execPath, [old, ...words], options).then(
    ({ stdout }) => stdout,
    ({ stderr, stdout }: { stderr: string; stdout: string }) => stderr + stdout,
  )
}

/** Opens accounts by the last release's own command: today's would write columns that do not exist yet. */
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
