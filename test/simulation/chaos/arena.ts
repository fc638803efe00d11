/** Where the chaos takes place: a database server of its own, the emulator, accounts with credit. */
import { spawnSync } from 'node:child_process'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { randomOf } from '../../../emulator/random.ts'
import { startEmulator } from '../../../emulator/server.ts'
import { createAccountWithKey } from '../../../src/accounts/create-account.ts'
import { openDatabase } from '../../../src/postgres/database.ts'
import { startEmbeddedPostgres } from '../../../src/postgres/embedded/embedded-postgres.ts'
import { migrate } from '../../../src/postgres/migrate.ts'
import { type Happened, runChaos } from './chaos.ts'
import { checkAll, type Figures } from './checks.ts'

const ACCOUNTS = 5
const CREDIT_MICROS = 100_000_000n
/** Per lost attempt: videos being fetched (JOB_VIDEOS) and being recorded (fetch-rows.ts). */
const IN_FLIGHT_MAX = 16 + 32
const SILENT = { info: () => undefined, warn: () => undefined }

export async function chaos(ask: {
  seconds: number
  seed: number
  databaseRestarts: number
  say(line: string): void
}): Promise<{ happened: Happened; figures: Figures }> {
  const dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'scriptorium-chaos-'))
  const embedded = await startEmbeddedPostgres({ dataDir, log: SILENT })
  const database = openDatabase({ url: embedded.url, connectionsMax: 4, name: 'chaos' })
  const platform = await startEmulator({ latencyMs: 50, seed: 1 })
  // Short faults that a retry of the same request rides out: they cost time, never a row.
  platform.apply({
    faults: [
      { do: 'server_error', on: 'player', probability: 0.01 },
      { do: 'latency', probability: 0.05, ms: 200, jitterMs: 300 },
    ],
  })
  try {
    await migrate(database.pool)
    const customers = []
    for (let n = 1; n <= ACCOUNTS; n += 1) {
      customers.push(
        await createAccountWithKey(database.db, {
          email: `chaos-${n}@example.org`,
          micros: CREDIT_MICROS,
        }),
      )
    }
    const result = await runChaos({
      ...ask,
      random: randomOf(ask.seed).fraction,
      databaseUrl: embedded.url,
      platform,
      customers,
      restartDatabase: async () => restart(dataDir, () => embedded.ensureRunning()),
    })
    await result.leave()
    return { happened: result.happened, figures: await checkAll(database, platform, IN_FLIGHT_MAX) }
  } finally {
    await database.close()
    await platform.close()
    await embedded.stop()
    await fs.rm(dataDir, { recursive: true, force: true })
  }
}

/** A crash of the database: its postmaster is killed hard, and it recovers from its log. */
async function restart(dataDir: string, back: () => Promise<void>): Promise<void> {
  const found = spawnSync('find', [dataDir, '-name', 'postmaster.pid'], {
    encoding: 'utf8',
  }).stdout.trim()
  const pid = Number((await fs.readFile(found, 'utf8')).split('\n')[0])
  process.kill(pid, 'SIGQUIT')
  await back()
}
