/**
 * How many jobs can be started in a second where the disk is slow: the very statements of POST /jobs, repeated
 * by pgbench while each flush of the log takes 1 ms, beside the same with the lock of all that they had before,
 * and beside a transaction of one insert. And how many the service itself starts with a second of CPU.
 */
import fs from 'node:fs'
import os from 'node:os'
import type pg from 'pg'
import { COME_TO_WORK } from '../src/store/admission.ts'
import { type Db, openDatabase } from '../src/store/database.ts'
import { notify } from '../src/store/signal-outbox.ts'
import { openAccount, orderJob, videoLine } from '../test/support/money-fixtures.ts'
import type { BenchOptions } from './bench.ts'
import {
  hasPgbench,
  type Load,
  numberOf,
  recordStatements,
  runPgbench,
  type Sent,
  toScript,
} from './stage/pgbench.ts'
import { onStage, openBenchDatabase, type Stage } from './stage/stage.ts'
import { table, verdict } from './table.ts'

type Rate = { perSecond: number; serverCpuMs: number }

export type StartsResult = {
  /** Null where there is no pgbench. */
  database: { statements: number; plain: Rate; before: Rate; now: Rate } | null
  service: { perSecond: number; perCpuSecond: number }
}

const GOAL = 2_000
const SIZES = {
  smoke: {
    load: { clients: 4, seconds: 1, flushMs: 0 },
    accounts: 5_000,
    starts: 12,
    customers: 3,
  },
  usual: {
    load: { clients: 24, seconds: 8, flushMs: 1 },
    accounts: 60_000,
    starts: 1_200,
    customers: 24,
  },
}
const PLAIN = `insert into migration (name, sha256) values ('plain-' || :n, '')`
/** What POST /jobs sent before: it counted under a lock that lasts until the commit, and signalled in it. */
const LOCKED = [
  'select pg_advisory_xact_lock(7311849::bigint)',
  `select count(*) filter (where account_id = :n::text)::int,
    count(distinct account_id) filter (where account_id <> :n::text)::int
  from job where state in ('queued', 'running', 'cancelling')`,
  `select pg_notify('scriptorium_waiting', '')`,
]
const SIGNALS_EVERY_MS = 25
/** A disk that syncs at once, so that a flush takes as long as it is told to; any folder where there is none. */
const MEMORY = fs.existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir()

export async function run({ smoke }: BenchOptions): Promise<StartsResult> {
  const size = SIZES[smoke ? 'smoke' : 'usual']
  const database = hasPgbench() ? await measureDatabase(size, smoke) : null
  const service = await onStage(smoke, (stage) => measureService(stage, size))
  const result = { database, service }
  print(result, size.load)
  return result
}

async function measureDatabase(
  { load, accounts }: (typeof SIZES)['usual'],
  smoke: boolean,
): Promise<StartsResult['database']> {
  const ends: (() => Promise<void>)[] = []
  try {
    const { db, pool, url } = await openBenchDatabase(smoke, (end) => ends.push(end), MEMORY)
    const { sent, ids } = await recordStart({ db, url })
    await addAccounts(pool, accounts)
    const measure = async (script: string): Promise<Rate> => {
      await forgetStarts(pool)
      return measureRate({ db, pool, url }, script, load)
    }
    const asNow = sent.filter(({ text }) => !text.includes('pg_notify'))
    const plain = await measure(toScript([{ text: PLAIN, values: [] }], ids))
    const now = await measure(toScript(asNow, ids))
    const before = await measure(toScript(asBefore(asNow), ids))
    return { statements: asNow.length, plain, before, now }
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

/** What the code sends for one job of an account that had none, and the ids, which are others each time. */
async function recordStart({
  db,
  url,
}: {
  db: Db
  url: string
}): Promise<{ sent: Sent[]; ids: string[] }> {
  const accountId = await openAccount(db, 80_000n)
  const recorded = openDatabase({ url, connectionsMax: 1, name: 'recorded' })
  let jobId = ''
  try {
    const sent = await recordStatements(recorded.pool, async () => {
      const order = { accountId, line: videoLine(1), maxVideos: 2 }
      jobId = (await orderJob(recorded.db, order)).job.id
    })
    return { sent, ids: [accountId, jobId] }
  } finally {
    await recorded.close()
  }
}

/** The same start with the lock of all in the place of the counts. */
function asBefore(sent: readonly Sent[]): Sent[] {
  const own = sent.filter(({ text }) => text !== COME_TO_WORK.text)
  const [commit] = own.splice(-1)
  const locked = LOCKED.map((text) => ({ text, values: [] }))
  return [
    ...own.slice(0, 2),
    ...locked.slice(0, 2),
    ...own.slice(2),
    ...locked.slice(2),
    commit,
  ].filter((one) => one !== undefined)
}

async function addAccounts(pool: pg.Pool, accounts: number): Promise<void> {
  const numbers = [numberOf(0), numberOf(accounts - 1)]
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    await client.query(
      `insert into account (id, email) select n, n from generate_series($1::bigint, $2::bigint) n`,
      numbers,
    )
    await client.query(
      `insert into balance (account_id, posted_micros, entries)
      select n, 80000, 1 from generate_series($1::bigint, $2::bigint) n`,
      numbers,
    )
  } finally {
    client.release(true)
  }
}

/** Each load begins with no open job, on tables without dead rows. */
async function forgetStarts(pool: pg.Pool): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    await client.query('truncate job, job_source, ledger_entry, accounts_at_work cascade')
    await client.query(
      `update balance set held_micros = 0, entries = 1, open_jobs = 0 where open_jobs > 0 or entries > 1`,
    )
    for (const name of ['balance', 'account', 'job', 'accounts_at_work'])
      await client.query(`vacuum analyze ${name}`)
    await client.query('checkpoint')
  } finally {
    client.release(true)
  }
}

/** With the signals that a process sends beside it. */
async function measureRate(
  { db, pool, url }: { db: Db; pool: pg.Pool; url: string },
  script: string,
  load: Load,
): Promise<Rate> {
  const timer = setInterval(
    () => void notify(db, [{ channel: 'scriptorium_waiting', payload: '' }]).catch(() => undefined),
    SIGNALS_EVERY_MS,
  )
  try {
    const { rows } = await pool.query<{ postmaster: number }>(
      `select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int as postmaster`,
    )
    const before = cpuMsOf(rows[0]?.postmaster ?? 0)
    const { perSecond, transactions } = await runPgbench(url, script, load)
    return { perSecond, serverCpuMs: (cpuMsOf(rows[0]?.postmaster ?? 0) - before) / transactions }
  } finally {
    clearInterval(timer)
  }
}

/** Of a process and of its children that have ended: connections, which pgbench has closed. NaN without /proc. */
function cpuMsOf(pid: number): number {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * 10, 0)
  } catch {
    return Number.NaN
  }
}

/** Customers that start as fast as they are answered, at one process that only has the API. */
async function measureService(
  stage: Stage,
  { starts, customers }: (typeof SIZES)['usual'],
): Promise<StartsResult['service']> {
  const service = await stage.service({ ROLES: 'api', MAX_ACTIVE_JOBS: '100000' })
  const clients = await Promise.all(
    Array.from({ length: customers }, () => stage.client(service, '1000')),
  )
  let number = 0
  const startUntil = async (end: number): Promise<void> => {
    await Promise.all(
      clients.map(async (client) => {
        while (number < end) {
          number += 1
          await client.startsJob({ urls: videoLine(number), maxVideos: 1 })
        }
      }),
    )
  }
  await startUntil(Math.ceil(starts / 5))
  const [before, startedAt, first] = [await service.usage(), performance.now(), number]
  await startUntil(number + starts)
  const seconds = (performance.now() - startedAt) / 1000
  const cpuSeconds = ((await service.usage()).cpuMs - before.cpuMs) / 1000
  return { perSecond: (number - first) / seconds, perCpuSecond: (number - first) / cpuSeconds }
}

function print({ database, service }: StartsResult, { clients, flushMs }: Load): void {
  if (database === null) console.log('pgbench is not installed: the database is not measured')
  else {
    console.log(
      `${clients} connections to the database, each flush of the log takes ${flushMs} ms or more; ${database.statements} statements a start`,
    )
    const row = (name: string, { perSecond, serverCpuMs }: Rate): string[] => [
      name,
      perSecond.toFixed(0),
      (perSecond / database.before.perSecond).toFixed(1),
      serverCpuMs.toFixed(2),
    ]
    console.log(
      table([
        ['', 'a second', 'to before', 'server CPU ms each'],
        row('one insert', database.plain),
        row('starts as before, under a lock', database.before),
        row('starts now', database.now),
      ]),
    )
    const allowed = (os.availableParallelism() * 1000) / database.now.serverCpuMs
    const why =
      allowed < GOAL ? `; this machine's cores allow ${allowed.toFixed(0)} of them at most` : ''
    console.log(`goal ${GOAL} starts a second: ${verdict(database.now.perSecond >= GOAL)}${why}`)
  }
  console.log(
    `the service starts ${service.perSecond.toFixed(0)} jobs a second, ${service.perCpuSecond.toFixed(0)} with a second of its CPU`,
  )
}
