/** The place of the chaos: a database server of its own, the emulator, accounts with credit. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { randomOf } from '../../../emulator/random.ts'
import { startEmulator } from '../../../emulator/server.ts'
import { createAccountWithKey } from '../../../src/features/accounts/account.ts'
import { openDatabase } from '../../../src/store/database.ts'
import { startEmbeddedPostgres } from '../../../src/kit/postgres/embedded/embedded-postgres.ts'
import { migrate } from '../../../src/store/migrate.ts'
import { exitOnSignals, isRunning, killLaunched } from '../../support/service-process.ts'
import { type Happened, runChaos } from './chaos.ts'
import { checkAll, type Figures } from './checks.ts'
import { type FollowedChannels, followChannels } from './followed-channels.ts'
import type { FollowedSum } from './followed-checks.ts'
import { type Moods, type MoodyReceiver, startMoodyReceiver } from './moody-receiver.ts'
import { mountDisk } from './small-disk.ts'
import { openSky, type Weathers } from './weathers.ts'

const ACCOUNTS = 5
const CREDIT_MICROS = 100_000_000n
/**
 * Videos that each lost attempt may have had in flight: being fetched (JOB_VIDEOS) and being recorded (fetch-rows.ts).
 */
const IN_FLIGHT_MAX = 16 + 32
const SILENT = { info: () => undefined, warn: () => undefined }

type Reached = {
  happened: Happened
  moods: Moods
  weathers: Weathers
  following: FollowedSum
  figures: Figures
}

export async function chaos(ask: {
  seconds: number
  seed: number
  databaseRestarts: number
  /** Longest weather of the database, in milliseconds. */
  weatherMs: number
  say(line: string): void
}): Promise<Reached> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'scriptorium-chaos-'))
  await fs.chmod(folder, 0o755)
  const disk = mountDisk(folder)
  const dataDir = path.join(folder, 'data')
  const leaveNothing = (): void => {
    const server = postmasterOf(dataDir)
    if (server !== null && isRunning(server)) process.kill(server, 'SIGQUIT')
    disk?.remove()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  process.once('exit', leaveNothing)
  exitOnSignals()
  const embedded = await startEmbeddedPostgres({ dataDir, log: SILENT })
  const database = openDatabase({ url: embedded.url, connectionsMax: 4, name: 'chaos' })
  const platform = await startEmulator({ latencyMs: 50, seed: 1 })
  // Short faults that a retry of the same request overcomes: they cost time, never a row.
  platform.apply({
    faults: [
      { do: 'server_error', on: 'player', probability: 0.01 },
      { do: 'latency', probability: 0.05, ms: 200, jitterMs: 300 },
    ],
  })
  let receiver: MoodyReceiver | null = null
  let followed: FollowedChannels | null = null
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
    const accountIds = customers.map(({ accountId }) => accountId)
    const random = randomOf(ask.seed + 1).fraction
    receiver = await startMoodyReceiver(database, { accountIds, random })
    followed = await followChannels(database, platform, {
      seconds: ask.seconds,
      random: randomOf(ask.seed + 3).fraction,
    })
    const sky = openSky({
      random: randomOf(ask.seed + 2).fraction,
      database: { url: embedded.url, disk, ensureRunning: () => embedded.ensureRunning() },
      longestMs: ask.weatherMs,
      say: ask.say,
    })
    const result = await runChaos({
      ...ask,
      sky,
      random: randomOf(ask.seed).fraction,
      databaseUrl: embedded.url,
      platform,
      customers,
      jobsInHand: async () => {
        const { rows } = await database.pool.query<{ jobs: number }>(
          `select count(*)::int as jobs from job where is_held and state = 'running'`,
        )
        return rows[0]?.jobs ?? 0
      },
      restartDatabase: async () => restart(dataDir, () => embedded.ensureRunning()),
    })
    const following = await settleAll(followed, receiver).finally(() => result.leave())
    const { moods } = receiver
    return {
      happened: result.happened,
      moods,
      following,
      weathers: sky.felt,
      figures: await checkAll(database, platform, IN_FLIGHT_MAX),
    }
  } finally {
    killLaunched() // processes left by a failed run
    await followed?.stop()
    await receiver?.close()
    await database.close()
    await platform.close()
    await embedded.stop()
    disk?.remove()
    await fs.rm(folder, { recursive: true, force: true })
    process.off('exit', leaveNothing)
  }
}

async function settleAll(
  followed: FollowedChannels,
  receiver: MoodyReceiver,
): Promise<FollowedSum> {
  const reached = await followed.settle()
  await receiver.settle()
  return reached
}

/** Crashes the database: its postmaster is killed hard, and it recovers from its log. */
async function restart(dataDir: string, back: () => Promise<void>): Promise<void> {
  const server = postmasterOf(dataDir)
  assert.ok(server !== null, 'the database runs')
  process.kill(server, 'SIGQUIT')
  await back()
}

/** Returns the server's process id; null where none was started, or it ended in order. */
function postmasterOf(dataDir: string): number | null {
  const found = spawnSync('find', [dataDir, '-name', 'postmaster.pid'], { encoding: 'utf8' })
  const file = found.stdout.trim()
  return file === '' ? null : Number(readFileSync(file, 'utf8').split('\n')[0])
}
