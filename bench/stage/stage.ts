/**
 * Where benchmarks play: a database, the platform's stand-in and the service, each in a process of its
 * own, as they run for customers, and a database that syncs to disk. Smoke runs, which start often and
 * measure nothing that counts, keep all but the tests' database in one process.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type pg from 'pg'
import { startEmulator } from '../../emulator/server.ts'
import { createAccountWithKey } from '../../src/accounts/create-account.ts'
import { parseUsd } from '../../src/billing/money.ts'
import { type Db, openDatabase } from '../../src/store/database.ts'
import { startEmbeddedPostgres } from '../../src/store/embedded-postgres.ts'
import { migrate } from '../../src/store/migrate.ts'
import { testDatabase } from '../../test/support/database.ts'
import { BenchClient } from './client.ts'
import type { CpuProfile } from './cpu-profile.ts'
import { hostService, type ServiceProcess, type Usage } from './hosted-service.ts'
import type { Answer, Question } from './service-process.ts'

export type { ServiceProcess }

export type RequestCounts = { total: number; bytesOut: number; byKind: Record<string, number> }

export type Stage = {
  db: Db
  pool: pg.Pool
  /** Of the platform's stand-in. */
  origin: string
  setLatency(latencyMs: number): Promise<void>
  /** What the platform was asked since the last look. */
  asked(): Promise<RequestCounts>
  service(env?: Record<string, string>): Promise<ServiceProcess>
  /** A new account with credit, whose key is not rate-limited, at this address. */
  client(service: ServiceProcess, creditUsd?: string): Promise<BenchClient>
  /** Ends everything that was started here. */
  close(): Promise<void>
}

const EMULATOR = path.resolve(import.meta.dirname, '../../emulator/main.ts')
const SERVICE = path.resolve(import.meta.dirname, 'service-process.ts')
const SILENT = { info: () => undefined, warn: () => undefined }
const CONNECTIONS_MAX = 8
const SIGNALS = ['SIGINT', 'SIGTERM'] as const
const NO_BRAKE = 1_000_000_000

export async function openStage({ smoke }: { smoke: boolean }): Promise<Stage> {
  const ends: (() => Promise<void>)[] = []
  const close = async (): Promise<void> => {
    for (const signal of SIGNALS) process.off(signal, leave)
    for (const end of ends.splice(0).reverse()) await end()
  }
  // Databases and stand-ins are processes of their own: they would outlive an interrupted run.
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
        await postJson(`${origin}/emulator/faults`, { knobs: { latencyMs } })
      },
      async asked() {
        const counts = (await (await fetch(`${origin}/emulator/requests?limit=1`)).json()) as RequestCounts
        await fetch(`${origin}/emulator/requests?limit=1`, { method: 'DELETE' })
        return counts
      },
      async service(env = {}) {
        const given = { PORT: '0', LOG_LEVEL: 'warn', DATABASE_URL: database.url, PLATFORM_ORIGIN: origin, ...env }
        const one = smoke ? await hostService(given) : await startServiceProcess(given)
        ends.push(one.close)
        return one
      },
      async client({ address }, creditUsd = '100') {
        const email = `bench-${process.pid}-${(accounts += 1)}@example.org`
        const account = await createAccountWithKey(database.db, { email, micros: parseUsd(creditUsd) ?? 0n })
        await database.pool.query('update api_key set bucket_size = $1 where account_id = $2', [NO_BRAKE, account.accountId])
        const client = new BenchClient({ address, ...account })
        ends.push(() => client.close())
        return client
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Opens a stage for `measure` and closes it, whatever comes. */
export async function onStage<T>(smoke: boolean, measure: (stage: Stage) => Promise<T>): Promise<T> {
  const stage = await openStage({ smoke })
  try {
    return await measure(stage)
  } finally {
    await stage.close()
  }
}

type Ending = (end: () => Promise<void>) => void

/** A full run pays for its commits as customers' servers do: with a sync to disk. */
export async function openBenchDatabase(smoke: boolean, after: Ending): Promise<{ db: Db; pool: pg.Pool; url: string }> {
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

async function startPlatform(smoke: boolean, after: Ending): Promise<string> {
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

async function startServiceProcess(env: Record<string, string>): Promise<ServiceProcess> {
  const child = fork(SERVICE, [], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { PATH: process.env['PATH'], ...env },
  })
  const next = async (): Promise<unknown> => {
    const leaving = new AbortController()
    const gone = once(child, 'exit', { signal: leaving.signal }).then(
      () => Promise.reject(new Error('a process of the service ended by itself; its message is above')),
      () => new Promise<never>(() => undefined),
    )
    try {
      const [answer] = (await Promise.race([once(child, 'message'), gone])) as [Answer]
      return answer
    } finally {
      leaving.abort()
    }
  }
  const ask = (question: Question): Promise<unknown> => {
    const answer = next()
    child.send(question)
    return answer
  }
  const { address } = (await next()) as { address: string }
  let closing: Promise<void> | null = null
  return {
    address,
    usage: async () => (await ask('usage')) as Usage,
    async profile(work) {
      await ask('profile')
      const result = await work()
      const { profile } = (await ask('profiled')) as { profile: CpuProfile }
      return { result, profile }
    },
    close: () => (closing ??= ended(child, () => child.disconnect())),
  }
}

async function ended(child: ChildProcess, end: () => void): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  end()
  await gone
}

async function postJson(url: string, body: unknown): Promise<void> {
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`)
}
