/**
 * Where benchmarks play: a database, the platform's stand-in and the service, each in a process of its
 * own, as they run for customers, and a database that syncs to disk. Smoke runs, which start often and
 * measure nothing that counts, keep all but the tests' database in one process.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type pg from 'pg'
import { closeConnections, exchange } from '../../conformance/http.ts'
import { Customer } from '../../conformance/customer.ts'
import type { Video } from '../../emulator/model.ts'
import type { RequestCounts } from '../../emulator/request-log.ts'
import { startEmulator } from '../../emulator/server.ts'
import { createWorld } from '../../emulator/world.ts'
import { createAccountWithKey } from '../../src/features/accounts/account.ts'
import { parseUsd } from '../../src/model/money/money.ts'
import { readConfig } from '../../src/config/config.ts'
import { startService } from '../../src/serve.ts'
import { type Db, openDatabase } from '../../src/store/database.ts'
import { startEmbeddedPostgres } from '../../src/kit/postgres/embedded/embedded-postgres.ts'
import { migrate } from '../../src/store/migrate.ts'
import { testDatabase } from '../../test/support/database.ts'
import { launch, untilReady } from '../../test/support/service-process.ts'
import type { CpuProfile } from './cpu-profile.ts'
import { startProfile, stopProfile, type Usage, usage } from './probe.ts'

/** The real service, which also tells what its process used. */
export type MeasuredService = {
  /** Address of the API, `http://127.0.0.1:PORT`; '' for a worker. */
  address: string
  usage(): Promise<Usage>
  /** Runs `work` and returns the process's CPU profile meanwhile. */
  profile<T>(work: () => Promise<T>): Promise<{ result: T; profile: CpuProfile }>
  close(): Promise<void>
}

export type Stage = {
  db: Db
  pool: pg.Pool
  /** Origin of the platform's stand-in. */
  origin: string
  setLatency(latencyMs: number): Promise<void>
  /** Returns the requests to the platform since the last call. */
  asked(): Promise<RequestCounts>
  service(env?: Record<string, string>): Promise<MeasuredService>
  /** Returns a customer at this address: a new account with credit, whose key is not rate-limited. */
  client(service: MeasuredService, creditUsd?: string): Promise<Customer>
  /** Ends every process that was started here. */
  close(): Promise<void>
}

const EMULATOR = path.resolve(import.meta.dirname, '../../emulator/main.ts')
const PROBE = path.resolve(import.meta.dirname, 'probe.ts')
const PATIENCE_MS = 600_000
const SILENT = { info: () => undefined, warn: () => undefined }
const CONNECTIONS_MAX = 8
const SIGNALS = ['SIGINT', 'SIGTERM'] as const
const NO_BRAKE = 1_000_000_000

export async function openStage({ smoke }: { smoke: boolean }): Promise<Stage> {
  const ends: (() => Promise<void>)[] = [async () => closeConnections()]
  const close = async (): Promise<void> => {
    for (const signal of SIGNALS) process.off(signal, leave)
    for (const end of ends.splice(0).reverse()) await end()
  }
  // Databases and stand-ins are processes of their own, and would outlive an interrupted run.
  const leave = (): void => void close().finally(() => process.exit(1))
  for (const signal of SIGNALS) process.once(signal, leave)
  try {
    const database = await openBenchDatabase(smoke, (end) => ends.push(end))
    const origin = await startPlatform(smoke, (end) => ends.push(end))
    let accounts = 0
    return {
      ...database,
      origin,
      async setLatency(latencyMs) {
        const body = JSON.stringify({ knobs: { latencyMs } })
        await exchange({
          method: 'POST',
          url: `${origin}/emulator/faults`,
          headers: { 'Content-Type': 'application/json' },
          body,
        })
      },
      async asked() {
        const counts = (await (
          await fetch(`${origin}/emulator/requests?limit=1`)
        ).json()) as RequestCounts
        await fetch(`${origin}/emulator/requests?limit=1`, { method: 'DELETE' })
        return counts
      },
      async service(env = {}) {
        const given = {
          PORT: '0',
          LOG_LEVEL: smoke ? 'warn' : 'info',
          DATABASE_URL: database.url,
          PLATFORM_ORIGIN: origin,
          ...env,
        }
        const one = smoke ? await hostService(given) : await startServiceProcess(given)
        ends.push(one.close)
        return one
      },
      async client({ address }, creditUsd = '100') {
        const email = `bench-${process.pid}-${(accounts += 1)}@example.org`
        const account = await createAccountWithKey(database.db, {
          email,
          micros: parseUsd(creditUsd) ?? 0n,
        })
        await database.pool.query('update api_key set bucket_size = $1 where account_id = $2', [
          NO_BRAKE,
          account.accountId,
        ])
        return new Customer({ address, ...account, patienceMs: PATIENCE_MS })
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Opens a stage for `measure` and closes it, even where `measure` throws. */
export async function onStage<T>(
  smoke: boolean,
  measure: (stage: Stage) => Promise<T>,
): Promise<T> {
  const stage = await openStage({ smoke })
  try {
    return await measure(stage)
  } finally {
    await stage.close()
  }
}

type Ending = (end: () => Promise<void>) => void

/** A full run pays for its commits as customers' servers do: with a sync to disk. */
export async function openBenchDatabase(
  smoke: boolean,
  after: Ending,
): Promise<{ db: Db; pool: pg.Pool; url: string }> {
  if (smoke) return testDatabase({ after })
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'scriptorium-bench-'))
  after(async () => fs.rmSync(dataDir, { recursive: true, force: true }))
  const server = await startEmbeddedPostgres({ dataDir, log: SILENT })
  after(() => server.stop())
  const database = openDatabase({ url: server.url, connectionsMax: CONNECTIONS_MAX, name: 'bench' })
  after(() => database.close())
  await migrate(database.pool)
  return { ...database, url: server.url }
}

/** Returns the id and the uploads, newest first, of a channel of the emulator's world. */
export function channelOf(handle: string): { channelId: string; videos: Video[] } {
  const world = createWorld()
  const channel = world.channelByName(handle)
  if (channel === null) throw new Error(`the emulator has no channel ${handle}`)
  const list = world.uploads(channel, null)
  return {
    channelId: channel.channelId,
    videos: Array.from({ length: list.length }, (_, position) => list.at(position)),
  }
}

export async function startPlatform(smoke: boolean, after: Ending): Promise<string> {
  if (smoke) {
    const emulator = await startEmulator()
    after(() => emulator.close())
    return emulator.origin
  }
  const child = spawn(process.execPath, [EMULATOR], { stdio: ['ignore', 'pipe', 'inherit'] })
  after(() => ended(child, () => child.kill('SIGTERM')))
  const lines = createInterface({ input: child.stdout })
  const [origin] = (await once(lines, 'line')) as [string]
  return origin
}

async function startServiceProcess(env: Record<string, string>): Promise<MeasuredService> {
  const one = launch(env, { preload: PROBE })
  await untilReady(one)
  let closing: Promise<unknown> | null = null
  return {
    address: one.address,
    usage: () => one.asks<Usage>('usage'),
    profile: async (work) => {
      await one.asks('start profile')
      const result = await work()
      return { result, profile: await one.asks<CpuProfile>('stop profile') }
    },
    close: async () => void (await (closing ??= one.ends('SIGTERM'))),
  }
}

async function hostService(env: Record<string, string>): Promise<MeasuredService> {
  const service = await startService(readConfig(env))
  let closing: Promise<void> | null = null
  return {
    address: service.address ?? '',
    usage: async () => usage(),
    profile: async (work) => {
      await startProfile()
      return { result: await work(), profile: await stopProfile() }
    },
    close: () => (closing ??= service.close()),
  }
}

async function ended(child: ChildProcess, end: () => void): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  end()
  await gone
}
