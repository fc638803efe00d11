/**
 * `admin ledger verify` over millions of entries: how fast it is, and that its memory does not grow
 * with the ledger. It runs in a process of its own, over a tenth of the entries and over all.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { adjust, type Entry } from '../src/model/money/ledger.ts'
import { transact } from '../src/kit/postgres/database.ts'
import type { Db } from '../src/store/database.ts'
import { appendEntries, lockBalance } from '../src/store/ledger.ts'
import { openAccount } from '../test/support/money-fixtures.ts'
import { bareEnvironment } from '../test/support/service-process.ts'
import type { BenchOptions } from './bench.ts'
import { openBenchDatabase } from './stage/stage.ts'
import { table, verdict } from './table.ts'

export type VerifyRun = {
  entries: number
  accounts: number
  differences: number
  seconds: number
  peakMb: number
}
export type VerifyResult = { tenth: VerifyRun; whole: VerifyRun; growth: number }

const SIZES = {
  full: { entries: 500_000, accounts: 100, batch: 500 },
  /** Some five minutes, most of them to write the entries. */
  long: { entries: 10_000_000, accounts: 1_000, batch: 500 },
  smoke: { entries: 2_000, accounts: 10, batch: 20 },
}
export const RSS_GROWTH_MAX = 1.2
const MAIN = path.resolve(import.meta.dirname, '../src/main.ts')
const RICH = 1_000_000n
const WRITERS = 2
const SAMPLE_MS = 100

export async function run({ smoke, long }: BenchOptions): Promise<VerifyResult> {
  const size = SIZES[smoke ? 'smoke' : long ? 'long' : 'full']
  const closers: (() => Promise<void>)[] = []
  try {
    const { db, pool, url } = await openBenchDatabase(smoke, (close) => closers.push(close))
    await pool.query(
      `alter database ${new URL(url).pathname.slice(1) || 'postgres'} set synchronous_commit = off`,
    )
    const accountIds: string[] = []
    while (accountIds.length < size.accounts) accountIds.push(await openAccount(db, RICH))
    const rounds = size.entries / size.accounts / size.batch
    await writeRounds(db, accountIds, { rounds: rounds / 10, batch: size.batch })
    const tenth = await verify(url)
    await writeRounds(db, accountIds, { rounds: rounds - rounds / 10, batch: size.batch })
    const whole = await verify(url)
    const result = { tenth, whole, growth: whole.peakMb / tenth.peakMb }
    print(result)
    return result
  } finally {
    for (const close of closers.reverse()) await close()
  }
}

let written = 0

/** Writes a batch of real, chained entries for every account in each round. */
async function writeRounds(
  db: Db,
  accountIds: readonly string[],
  { rounds, batch }: { rounds: number; batch: number },
): Promise<void> {
  const work = Array.from({ length: rounds }, () => accountIds).flat()
  async function writer(): Promise<void> {
    for (let accountId = work.pop(); accountId !== undefined; accountId = work.pop()) {
      const owner = accountId
      await transact(db, async (tx) => {
        const balance = await lockBalance(tx, owner)
        const entries = Array.from({ length: batch }, (_, at) => {
          const posting = {
            reference: `bench:${(written += 1)}`,
            jobId: null,
            reason: 'to be verified',
          }
          return { entry: adjust(balance, at % 2 === 0 ? 1n : -1n) as Entry, posting }
        })
        await appendEntries(tx, balance, entries)
      })
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, writer))
}

async function verify(url: string): Promise<VerifyRun> {
  const startedMs = performance.now()
  const child = spawn(process.execPath, [MAIN, 'admin', 'ledger', 'verify', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...bareEnvironment(), DATABASE_URL: url },
  })
  const gone = once(child, 'exit')
  const [report, peakMb] = await Promise.all([
    text(child.stdout),
    peakOf(child.pid ?? 0, () => child.exitCode === null),
  ])
  await gone
  const seconds = (performance.now() - startedMs) / 1000
  const { entries, accounts, differences } = JSON.parse(report) as VerifyRun
  return { entries, accounts, differences, seconds, peakMb }
}

/** Returns the most resident memory that was seen, in MB. */
async function peakOf(pid: number, isAlive: () => boolean): Promise<number> {
  let most = 0
  while (isAlive()) {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]).catch(
      () => ({ stdout: '0' }),
    )
    most = Math.max(most, Number(stdout) / 1024)
    await pause(SAMPLE_MS)
  }
  return most
}

function print({ tenth, whole, growth }: VerifyResult): void {
  const line = ({
    entries,
    accounts,
    differences,
    seconds,
    peakMb,
  }: VerifyRun): (string | number)[] => [
    entries.toLocaleString('en'),
    accounts.toLocaleString('en'),
    differences,
    seconds.toFixed(1),
    Math.round(entries / seconds).toLocaleString('en'),
    Math.round(peakMb),
  ]
  console.log('admin ledger verify, start of the process included')
  console.log(
    table([
      ['entries', 'accounts', 'differences', 'seconds', 'entries a second', 'RSS at most, MB'],
      line(tenth),
      line(whole),
    ]),
  )
  console.log(
    `ten times the entries take ${growth.toFixed(2)} times the memory; goal at most ${RSS_GROWTH_MAX}: ${verdict(growth <= RSS_GROWTH_MAX)}`,
  )
}
