/**
 * Where benchmarks play: a database, the platform's stand-in and the service, each in a process of its
 * own, as they run for customers, and a database that syncs to disk. Smoke runs, which start often and
 * measure nothing that counts, keep all but the tests' database in one process.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type pg from 'pg'
import { closeConnections } from '../../conformance/http.ts'
import { Customer } from '../../conformance/customer.ts'
import type { Video } from '../../../emulator/model.ts'
import type { RequestCounts } from '../../../emulator/request-log.ts'
import { startEmulator } from '../../../emulator/server.ts'
import { createWorld } from '../../../emulator/world.ts'
import { createAccountWithKey } from '../../../src/features/accounts/account.ts'
import { parseUsd } from '../../../src/model/money/money.ts'
import { readConfig } from '../../../src/config/config.ts'
import { startService } from '../../../src/serve.ts'
import { type Database, openDatabase } from '../../../src/store/database.ts'
import { startEmbeddedPostgres } from '../../../src/kit/postgres/embedded/embedded-postgres.ts'
import { migrate } from '../../../src/store/migrate.ts'
import { testDatabase, type TestScope } from '../../../test/support/database.ts'
import { launch, untilReady } from '../../../test/support/service-process.ts'
import { closing } from './closing.ts'
import { type Usage, usage } from './probe.ts'

/** The real service, which also tells what its process used. */
export type MeasuredService = {
  /** Address of the API, `http://127.0.0.1:PORT`; '' for a worker. */
  address: string
  usage(): Promise<Usage>
}

export type Stage = TestScope & {
  pool: pg.Pool
  /** Origin of the platform's stand-in. */
  origin: string
  setLatency(latencyMs: number): Promise<void>
  /** Returns the requests to the platform since the last call. */
  asked(): Promise<RequestCounts>
  service(env?: Record<string, string>): Promise<MeasuredService>
  /** Returns a customer at this address: a new account with credit, whose key is not rate-limited. */
  client(service: MeasuredService, creditUsd?: string): Promise<Customer>
}

const EMULATOR = path.resolve(import.meta.dirname, '../../../emulator/main.ts')
const PROBE = path.resolve(import.meta.dirname, 'probe.ts')
const PATIENCE_MS = 600_000
const SILENT = { info: () => undefined, warn: () => undefined }
const CONNECTIONS_MAX = 8

/** Opens a stage for `measure` and ends every process of it afterwards. */
export function onStage<T>(smoke: boolean, measure: (stage: Stage) => Promise<T>): Promise<T> {
  return closing(async (scope) => measure(await openStage(smoke, scope)))
}

async function openStage(smoke: boolean, scope: TestScope): Promise<Stage> {
  scope.after(async () => closeConnections())
  const { db, pool, url } = await openBenchDatabase(smoke, scope)
  const origin = await startPlatform(smoke, scope)
  const log = `${origin}/emulator/requests?limit=1`
  let accounts = 0
  return {
    ...scope,
    pool,
    origin,
    async setLatency(latencyMs) {
      const headers = { 'Content-Type': 'application/json' }
      const body = JSON.stringify({ knobs: { latencyMs } })
      await fetch(`${origin}/emulator/faults`, { method: 'POST', headers, body })
    },
    async asked() {
      const counts = (await (await fetch(log)).json()) as RequestCounts
      await fetch(log, { method: 'DELETE' })
      return counts
    },
    service(env = {}) {
      const given = { PORT: '0', DATABASE_URL: url, PLATFORM_ORIGIN: origin, ...env }
      return smoke ? hostService(given, scope) : startServiceProcess(given, scope)
    },
    async client({ address }, creditUsd = '100') {
      const email = `bench-${process.pid}-${(accounts += 1)}@example.org`
      const micros = parseUsd(creditUsd) ?? 0n
      const account = await createAccountWithKey(db, { email, micros })
      await liftBrakes(pool)
      return new Customer({ address, ...account, patienceMs: PATIENCE_MS })
    },
  }
}

/** Takes the rate limit from every key that there is. */
export async function liftBrakes(pool: pg.Pool): Promise<void> {
  await pool.query('update api_key set bucket_size = 1000000000')
}

/** A full run pays for its commits as customers' servers do: with a sync to disk. */
async function openBenchDatabase(
  smoke: boolean,
  scope: TestScope,
): Promise<Database & { url: string }> {
  if (smoke) return testDatabase(scope)
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'scriptorium-bench-'))
  scope.after(async () => fs.rmSync(dataDir, { recursive: true, force: true }))
  const server = await startEmbeddedPostgres({ dataDir, log: SILENT })
  scope.after(() => server.stop())
  const database = openDatabase({ url: server.url, connectionsMax: CONNECTIONS_MAX, name: 'bench' })
  scope.after(() => database.close())
  await migrate(database.pool)
  return { ...database, url: server.url }
}

/** Bytes of the write-ahead log so far, and of the tables of texts with their indexes. */
export type StoredBytes = { wal: number; texts: number }

export async function storedBytes(pool: pg.Pool): Promise<StoredBytes> {
  const { rows } = await pool.query<StoredBytes>(
    `select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8 as wal,
      sum(pg_total_relation_size(oid))::float8 as texts from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace and relname like 'transcript%'`,
  )
  return rows[0] ?? { wal: 0, texts: 0 }
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

let spelling = 0

/** Returns a channel's URL, spelled as never before: a repeat of the same URL would deliver nothing twice. */
export function newSpelling(channelId: string): string {
  return `https://www.youtube.com/channel/${channelId}?spelling=${(spelling += 1)}`
}

async function startPlatform(smoke: boolean, scope: TestScope): Promise<string> {
  if (smoke) {
    const emulator = await startEmulator()
    scope.after(() => emulator.close())
    return emulator.origin
  }
  const child = spawn(process.execPath, [EMULATOR], { stdio: ['ignore', 'pipe', 'inherit'] })
  const gone = once(child, 'exit')
  scope.after(async () => {
    child.kill('SIGTERM')
    await gone
  })
  const [origin] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return origin
}

async function startServiceProcess(
  env: Record<string, string>,
  scope: TestScope,
): Promise<MeasuredService> {
  const one = launch(env, { preload: PROBE })
  scope.after(async () => void (await one.ends('SIGTERM')))
  await untilReady(one)
  return { address: one.address, usage: () => one.asks<Usage>('usage') }
}

async function hostService(
  env: Record<string, string>,
  scope: TestScope,
): Promise<MeasuredService> {
  const service = await startService(readConfig({ LOG_LEVEL: 'warn', ...env }))
  scope.after(() => service.close())
  return { address: service.address ?? '', usage: async () => usage() }
}
