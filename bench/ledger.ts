/**
 * What the ledger costs: a reserve and its settlement by our code, against the same statements run
 * bare, in turns in the same run, on one hot account and over many. The database is one of its own
 * that commits durably, as in service.
 *
 *     bare    what pgbench would loop over: each of the two transactions is begin, lock, post, commit
 *             as prepared statements, with nothing decided, hashed or checked
 *     ledger  the same two by lockBalance, reserve/settle and appendEntries; the goal is half of bare
 *     jobs    the whole of starting, taking and finishing a job: rows, signals and all
 */
import pg from 'pg'
import { reserve, settle } from '../src/model/money/ledger.ts'
import { PRICE_MICROS } from '../src/model/money/money.ts'
import { transact } from '../src/kit/postgres/database.ts'
import type { Db } from '../src/store/database.ts'
import { appendEntries, lockBalance } from '../src/store/ledger.ts'
import {
  beginJob,
  endJob,
  openAccount,
  orderJob,
  videoLine,
} from '../test/support/money-fixtures.ts'
import type { BenchOptions } from './bench.ts'
import { openBenchDatabase } from './stage/stage.ts'
import { table, verdict } from './table.ts'

export type LedgerResult = {
  /** Cycles (reserve and settlement) a second. */
  rates: { accounts: number; bare: number; ledger: number; jobs: number }[]
  /** Medians of `ledger` and `jobs` over that of `bare`; the goal for `ledger` is 0.5 or more. */
  ratios: { accounts: number; ledger: number; jobs: number }[]
}

const CLIENTS = 4
const RICH = 1_000_000_000n
const SIZES = {
  full: { ms: 1_000, rounds: 5, accounts: 1_000 },
  smoke: { ms: 150, rounds: 1, accounts: 50 },
}

type Cycle = (accountId: string) => Promise<unknown>

export async function run({ smoke }: BenchOptions): Promise<LedgerResult> {
  const size = smoke ? SIZES.smoke : SIZES.full
  const closers: (() => Promise<void>)[] = []
  try {
    const { db, url } = await openBenchDatabase(false, (close) => closers.push(close))
    const bare = new pg.Pool({ connectionString: url, max: CLIENTS })
    bare.on('error', () => undefined) // the server ends its idle connections when it stops
    closers.push(() => bare.end())

    const results: LedgerResult = { rates: [], ratios: [] }
    for (const accounts of [1, size.accounts]) {
      const ids: string[] = []
      while (ids.length < accounts) ids.push(await openAccount(db, RICH))
      const kinds = { bare: bareCycle(bare), ledger: ledgerCycle(db), jobs: jobCycle(db) }
      const rates = await inTurns(kinds, ids, size)
      results.rates.push({ accounts, ...rates })
      results.ratios.push({
        accounts,
        ledger: rates.ledger / rates.bare,
        jobs: rates.jobs / rates.bare,
      })
    }
    print(results)
    return results
  } finally {
    for (const close of closers.reverse()) await close()
  }
}

/** Runs each kind in turn, round by round, so that a slow moment of the machine meets all; returns medians. */
async function inTurns<K extends string>(
  kinds: Record<K, Cycle>,
  accountIds: string[],
  { ms, rounds }: { ms: number; rounds: number },
): Promise<Record<K, number>> {
  const names = Object.keys(kinds) as K[]
  const rates = new Map<K, number[]>(names.map((name) => [name, []]))
  for (const name of names) await rateOf(kinds[name], accountIds, ms / 4) // warm-up
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) rates.get(name)?.push(await rateOf(kinds[name], accountIds, ms))
  }
  return Object.fromEntries(
    [...rates].map(([name, all]) => [name, all.sort((a, b) => a - b)[all.length >> 1] ?? 0]),
  ) as Record<K, number>
}

async function rateOf(cycle: Cycle, accountIds: string[], ms: number): Promise<number> {
  const start = performance.now()
  let done = 0
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      for (let turn = client; performance.now() - start < ms; turn += CLIENTS) {
        await cycle(accountIds[turn % accountIds.length] ?? '')
        done += 1
      }
    }),
  )
  return (done * 1000) / (performance.now() - start)
}

let made = 0

function bareCycle(pool: pg.Pool): Cycle {
  const lock =
    'select posted_micros, held_micros, entries, head, clock_timestamp() from balance where account_id = $1 for update'
  const post = (lines: string, posted: number, held: number, count: number): string => `with w as (
      insert into ledger_entry (account_id, number, kind, posted_micros, held_micros, reference, job_id, reason,
        created_at, previous_hash, hash) values ${lines})
    update balance set posted_micros = posted_micros + ${posted}, held_micros = held_micros + ${held},
      entries = entries + ${count}, head = repeat('b', 64) where account_id = $1`
  const line = (
    kind: string,
    posted: number,
    held: number,
    number: string,
  ): string => `($1, ${number}, '${kind}', ${posted}, ${held},
    '${kind}:' || $2::text, $2, null, clock_timestamp(), repeat('a', 64), repeat('b', 64))`
  const reserves = post(line('reserve', 0, 16_000, '$3::bigint'), 0, 16_000, 1)
  const settles = post(
    `${line('charge', -8_000, -8_000, '$3::bigint')}, ${line('release', 0, -8_000, '$3::bigint + 1')}`,
    -8_000,
    -16_000,
    2,
  )

  const transaction = async (
    name: string,
    text: string,
    accountId: string,
    jobId: string,
    number: number,
  ): Promise<void> => {
    const client = await pool.connect()
    try {
      await client.query('begin')
      await client.query({ name: 'lock', text: lock, values: [accountId] })
      await client.query({ name, text, values: [accountId, jobId, String(number)] })
      await client.query('commit')
    } finally {
      client.release()
    }
  }
  return async (accountId) => {
    made += 3
    const number = 1_000_000_000 + made // the bare loop makes its own numbers: it looks nothing up
    await transaction('reserve', reserves, accountId, `bare-${made}`, number)
    await transaction('settle', settles, accountId, `bare-${number - 1_000_000_000}`, number + 1)
  }
}

function ledgerCycle(db: Db): Cycle {
  return async (accountId) => {
    made += 1
    const jobId = `ledger-${made}`
    const posting = (kind: string) => ({ reference: `${kind}:${jobId}`, jobId, reason: null })
    await transact(db, async (tx) => {
      const balance = await lockBalance(tx, accountId)
      const entry = reserve(balance, 2)
      if (entry === null) throw new Error('the bench has money enough')
      await appendEntries(tx, balance, [{ entry, posting: posting('reserve') }])
    })
    await transact(db, async (tx) => {
      const balance = await lockBalance(tx, accountId)
      const { entries } = settle(2n * PRICE_MICROS, 1)
      await appendEntries(
        tx,
        balance,
        entries.map((entry) => ({ entry, posting: posting(entry.kind) })),
      )
    })
  }
}

function jobCycle(db: Db): Cycle {
  return async (accountId) => {
    made += 1
    const { job } = await orderJob(db, { accountId, line: videoLine(made), maxVideos: 2 })
    const begun = await beginJob(db, { accountId, jobId: job.id })
    if (begun === null) throw new Error('a new job begins')
    await endJob(db, begun.attempt, 'finish')
  }
}

function print({ rates, ratios }: LedgerResult): void {
  console.log('reserve and settlement, cycles a second; `job` is a whole job with its rows')
  console.log(
    table([
      ['accounts', 'bare', 'ledger', 'job', 'ledger to bare', 'goal >= 0.5'],
      ...rates.map(({ accounts, bare, ledger, jobs }, at) => {
        const ratio = ratios[at]?.ledger ?? 0
        return [
          accounts.toLocaleString('en'),
          bare.toFixed(0),
          ledger.toFixed(0),
          jobs.toFixed(0),
          ratio.toFixed(2),
          verdict(ratio >= 0.5),
        ]
      }),
    ]),
  )
}
