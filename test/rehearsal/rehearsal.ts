/**
 * The rehearsal of an upgrade: two processes of a release make a database and serve customers at work. Each of them is
 * then replaced by one of the present state, each of these by the release again, as who goes back would do it, and
 * once more by the present state.
 */
import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { startEmulator } from '../../emulator/server.ts'
import { testDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/embedded-process.ts'
import { type ReleaseCommit, unpackRelease } from '../support/releases.ts'
import { bareEnvironment, freePort } from '../support/service-process.ts'
import { until } from '../support/until.ts'
import { checkAll, type Figures } from '../simulation/chaos/checks.ts'
import { type Balancer, startBalancer } from './balancer.ts'
import { type RollingFleet, openRollingFleet, type ServiceProgram } from './rolling-fleet.ts'
import { type Done, type Load, startLoad } from './load.ts'

export type Rehearsed = {
  /** `compared` counts jobs whose texts were the same as at their first reading, whichever release served it. */
  done: Done & { compared: number }
  wrong: string[]
  lost: Balancer['lost']
  passedOn: number
  /** Exit code of every stop. */
  exits: (number | null)[]
  /** What the release's own `admin ledger verify` says of the database in the end. */
  verified: string
  figures: Figures
}

export type Rehearsal = {
  from: ReleaseCommit
  /** How often each state of the fleet orders, reads and downloads before the next step. */
  served: number
  customers: number
  say(line: string): void
}

type Scope = { after(work: () => void | Promise<void>): void }

const PROCESSES = 2
/**
 * STOP_NOTICE of every process, in seconds: long enough for many looks of the balancer, which a busy machine delays.
 */
const NOTICE_SECONDS = 3
/** Longest time for each order, reading and download, in milliseconds; after that the release is stuck. */
const SERVED_MS_MAX = 24_000
const TOPPING_MS = 500
/** Fills rate limits, in the order in which requests lock them. */
const FILL = `with spent as materialized (select id from rate_bucket order by id for update)
  update rate_bucket b set tokens = 60 from spent s where b.id = s.id`
/** Videos that each handed-over attempt may have had in flight: being fetched, and being recorded. */
const IN_FLIGHT_MAX = 16 + 32
const PRESENT: ServiceProgram = {
  name: 'the present state',
  main: path.resolve(import.meta.dirname, '../../src/main.ts'),
}

/** What the release says of the database in the end. */
export const VERDICT = /: all sums, chains, charges and rows agree/

/** The release's folder and the database end with the scope; what runs ends before. */
export async function rehearse(scope: Scope, options: Rehearsal): Promise<Rehearsed> {
  const { from } = options
  const main = unpackRelease(from, temporaryFolder(scope))
  const release: ServiceProgram = { name: from.version, main }
  const database = await testDatabase(scope)
  await database.pool.query('drop schema public cascade; create schema public') // the release makes its own tables
  const platform = await startEmulator({ latencyMs: 30, seed: 1 })
  const ports = await Promise.all(Array.from({ length: PROCESSES }, freePort))
  const balancer = await startBalancer(ports)
  const env = { DATABASE_URL: database.url, PLATFORM_ORIGIN: platform.origin, DATABASE_POOL: '8' }
  const fleet = openRollingFleet(balancer, { noticeSeconds: NOTICE_SECONDS, env })
  const topping = setInterval(() => {
    void database.pool.query(FILL).catch(() => undefined)
  }, TOPPING_MS)
  try {
    await fleet.startAll(release)
    const load = startLoad(balancer.address, await openAccounts(options, release, env))
    const compared = await upgrade({ fleet, release, load, options })
    const verified = await askRelease(release, 'ledger verify', env)
    const figures = await checkAll(database, platform, IN_FLIGHT_MAX)
    const { lost, passedOn } = balancer
    const { done, wrong } = load
    const { exits } = fleet
    return { done: { ...done, compared }, wrong, lost, passedOn, exits, verified, figures }
  } finally {
    clearInterval(topping)
    await balancer.close()
    for (const line of await fleet.close()) options.say(line)
    await platform.close()
  }
}

type Upgrade = {
  fleet: RollingFleet
  release: ServiceProgram
  load: Load
  options: Rehearsal
}

/** Returns the number of jobs whose texts were compared, once all of them are final and all processes stopped. */
async function upgrade({ fleet, release, load, options }: Upgrade): Promise<number> {
  const { served, say } = options
  const serves = (): Promise<unknown> => servesEach(load, served)
  await serves()
  say(`${release.name} serves`)
  for (const program of [PRESENT, release, PRESENT]) {
    await fleet.replaceEach(program, serves)
    say(`one by one, ${program.name} has taken over`)
  }
  const compared = await load.settle()
  await fleet.stopAll()
  return compared
}

/** Resolves when `count` more have been ordered, read and downloaded, of each. */
function servesEach({ done }: Load, count: number): Promise<unknown> {
  const before = { ...done }
  const isServed = (): boolean =>
    (['ordered', 'read', 'downloaded'] as const).every((what) => done[what] >= before[what] + count)
  return until('the release serves', isServed, count * SERVED_MS_MAX)
}

/** Opens accounts by the release's own command: today's would write columns that do not exist yet. */
async function openAccounts(
  { customers }: Rehearsal,
  release: ServiceProgram,
  env: Record<string, string>,
): Promise<{ accountId: string; apiKey: string }[]> {
  return Promise.all(
    Array.from({ length: customers }, async (_, n) => {
      const words = `account create --email rehearsal-${n}@example.org --credit-usd 50 --json`
      return JSON.parse(await askRelease(release, words, env)) as {
        accountId: string
        apiKey: string
      }
    }),
  )
}

/** Returns what a command of the release prints; of one that fails, its errors, too. */
async function askRelease(
  { main }: ServiceProgram,
  words: string,
  env: Record<string, string>,
): Promise<string> {
  return promisify(execFile)(process.execPath, [main, 'admin', ...words.split(' ')], {
    env: { ...bareEnvironment(), ...env, LOG_LEVEL: 'silent' },
  }).then(
    ({ stdout }) => stdout,
    ({ stderr, stdout }: { stderr: string; stdout: string }) => stderr + stdout,
  )
}
