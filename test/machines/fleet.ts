/** Real processes of the service on one database, each with its log, to be killed, paused and asked. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import net from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createAccountWithKey } from '../../src/accounts/create-account.ts'
import { verifyLedger } from '../../src/billing/verify-ledger.ts'
import { type Emulator, type EmulatorOptions, startEmulator } from '../../emulator/server.ts'
import { Customer, type Json } from '../support/customer.ts'
import { testDatabase, type TestDatabase, type TestScope } from '../support/database.ts'

const MAIN = path.resolve(import.meta.dirname, '../../src/main.ts')
const STALL_PROBE = path.resolve(import.meta.dirname, '../attack/stall-probe.ts')
const POLL_MS = 20
const PATIENCE_MS = 60_000

export type LogLine = { level: number; msg: string } & Record<string, unknown>

export type ServiceProcess = {
  child: ChildProcess
  pid: number
  /** Of the API; empty without that role. */
  address: string
  /** What it logged so far. */
  lines: LogLine[]
  /** Everything it printed that is no log line: a crash's trace, mostly. */
  noise: string[]
  isAlive(): boolean
  /** Sends the signal and resolves with the exit code, null where a signal ended it. */
  ends(signal: NodeJS.Signals): Promise<number | null>
  /** The longest its event loop stood still since this was asked last, in ms; started with `isProbed` only. */
  worstStallMs(): Promise<number>
}

export type LaunchOptions = {
  /** Watches the event loop from inside. */
  isProbed?: boolean
}

export type Fleet = {
  database: TestDatabase
  platform: Emulator
  start(env: Record<string, string>, options?: LaunchOptions): Promise<ServiceProcess>
  customer(at: ServiceProcess, creditUsd?: number): Promise<Customer>
  /** Ends by force whatever still lives, but for `kept`. */
  killOthers(kept?: ServiceProcess): Promise<void>
  /** The same customer at another process. */
  moved(customer: Customer, to: ServiceProcess): Customer
}

/** Processes that still live at the end of `scope` are killed. */
export async function openFleet(scope: TestScope, emulator: EmulatorOptions = {}): Promise<Fleet> {
  const database = await testDatabase({ after: () => undefined }) // dropped below, after the processes
  const platform = await startEmulator(emulator)
  const fleet: ServiceProcess[] = []
  let made = 0
  async function killOthers(kept?: ServiceProcess): Promise<void> {
    await Promise.all(fleet.filter((one) => one !== kept && one.isAlive()).map((one) => one.ends('SIGKILL')))
  }
  scope.after(async () => {
    await killOthers()
    await platform.close()
    await database.drop()
  })
  return {
    database,
    platform,
    async start(env, options) {
      const one = launch({ DATABASE_URL: database.url, PLATFORM_ORIGIN: platform.origin, DATABASE_POOL: '6', ...env }, options)
      fleet.push(one)
      await untilReady(one)
      return one
    },
    async customer({ address }, creditUsd = 10) {
      const email = `customer-${(made += 1)}@example.org`
      const made1 = await createAccountWithKey(database.db, { email, micros: BigInt(creditUsd) * 1_000_000n })
      return new Customer({ address, ...made1 })
    },
    killOthers,
    moved: ({ accountId, apiKey }, { address }) => new Customer({ address, accountId, apiKey }),
  }
}

/** Starts a process without waiting for it. */
export function launch(env: Record<string, string>, { isProbed = false }: LaunchOptions = {}): ServiceProcess {
  const child = spawn(process.execPath, [...(isProbed ? ['--import', STALL_PROBE] : []), MAIN, 'serve'], {
    stdio: ['ignore', 'pipe', 'pipe', ...(isProbed ? ['ipc' as const] : [])],
    env: { PATH: process.env['PATH'], PORT: '0', LOG_LEVEL: 'info', ...env },
  })
  const one: ServiceProcess = {
    child,
    pid: child.pid ?? 0,
    address: '',
    lines: [],
    noise: [],
    isAlive: () => child.exitCode === null && child.signalCode === null,
    async ends(signal) {
      const gone = one.isAlive() ? once(child, 'exit') : Promise.resolve([child.exitCode])
      child.kill(signal)
      const [code] = (await gone) as [number | null]
      return code
    },
    async worstStallMs() {
      const answer = once(child, 'message')
      child.send('worst stall?')
      const [{ stallMs }] = (await answer) as [{ stallMs: number }]
      return stallMs
    },
  }
  for (const stream of [child.stdout, child.stderr]) readLines(stream, (line) => keep(one, line))
  return one
}

function keep(one: ServiceProcess, text: string): void {
  if (!text.startsWith('{')) return void one.noise.push(text)
  const line = JSON.parse(text) as LogLine
  one.lines.push(line)
  if (line.msg === 'scriptorium is ready') one.address = typeof line['address'] === 'string' ? line['address'] : ''
}

function readLines(stream: NodeJS.ReadableStream | null, take: (line: string) => void): void {
  let rest = ''
  stream?.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    lines.filter((line) => line !== '').forEach(take)
  })
}

export async function untilReady(one: ServiceProcess): Promise<void> {
  await until('a process is ready', () => {
    assert.ok(one.isAlive(), `a process ended at its start: ${one.noise.join('\n')} ${one.lines.map(({ msg }) => msg).join('; ')}`)
    return one.lines.some(({ msg }) => msg === 'scriptorium is ready')
  })
}

/** A port that nobody listens on at the moment. */
export async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as net.AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Looks again and again until `isSo`; fails with `what` after `maxMs`. Returns the time it took, in ms. */
export async function until(what: string, isSo: () => Promise<boolean> | boolean, maxMs = PATIENCE_MS): Promise<number> {
  const startedAt = performance.now()
  while (!(await isSo())) {
    if (performance.now() - startedAt > maxMs) throw new Error(`not within ${maxMs} ms: ${what}`)
    await sleep(POLL_MS)
  }
  return performance.now() - startedAt
}

/** Waits for the job's end with few requests: a key's bucket is for what the test is about. */
export async function endOf(customer: Customer, job: Json): Promise<Json> {
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until; ) {
    const { status, body } = await customer.asks('GET', `/jobs/${job['id']}?wait=10`)
    assert.equal(status, 200)
    if (body['finishedAt'] !== null) return body
  }
  throw new Error(`job ${job['id']} did not end within ${PATIENCE_MS} ms`)
}

/** One column of the job's row, as it stands in the database. */
export async function ofJob<T>({ pool }: TestDatabase, jobId: string, expression: string): Promise<T> {
  const { rows } = await pool.query<{ value: T }>(`select ${expression} as value from job where id = $1`, [jobId])
  assert.ok(rows[0] !== undefined)
  return rows[0].value
}

/** What must hold whenever nothing is under way: money, counters and rows agree. */
export async function checkBooks({ pool, db }: TestDatabase): Promise<void> {
  const { differences, listed } = await verifyLedger(db)
  assert.equal(differences, 0, JSON.stringify(listed.slice(0, 5)))
  const { rows } = await pool.query(`
    select j.id from job j join balance b using (account_id) left join lateral (
      select count(*) filter (where status = 'success')::int as delivered, count(status)::int as done
      from video_row where job_id = j.id) r on true
    where j.charged_micros is null or j.charged_micros <> r.delivered * 8000 or j.processed <> r.done
      or b.held_micros <> 0`)
  assert.deepEqual(rows, [], 'jobs that are not settled with what they delivered')
}
