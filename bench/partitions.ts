/**
 * How long people wait while the prepared steps to partitions are taken (src/store/growth): by month, of rows of a
 * million videos, ten with `--long`, of which every one has a transcript and two forms; by account, of as many rows of
 * history and of the ledger. One session reads rows and one adds some meanwhile. Goal: 200 ms, as for migrations.
 */
import { performance } from 'node:perf_hooks'
import pg from 'pg'
import { PRICE_MICROS } from '../src/model/money/money.ts'
import { testDatabase } from '../test/support/database.ts'
import { addMonth, partitionAccounts, partitionRows } from '../test/support/growth.ts'
import type { BenchOptions } from './bench.ts'
import { longestWait, readPid } from './stage/lock-waits.ts'
import { table, verdict } from './table.ts'
import { MIGRATION_LOCK_MS } from '../src/store/migrate.ts'

export type StepResult = {
  /** Of each file, and of what comes after them. */
  took: [what: string, ms: number][]
  waitMs: number
  /** Of the one who reads and the one who writes. */
  statements: number
}
export type PartitionsResult = { rows: number; byMonth: StepResult; byAccount: StepResult }

const ROWS_A_JOB = 500
const ACCOUNTS = 1_000
const MONTH_MS = 30 * 86_400_000

export async function run({ smoke, long }: BenchOptions): Promise<PartitionsResult> {
  const rows = smoke ? 2_000 : long ? 10_000_000 : 1_000_000
  const closers: (() => Promise<void>)[] = []
  try {
    const { url, connect } = await testDatabase({ after: (end) => void closers.push(end) })
    const [client, second] = [await connect(), await connect()]
    await fill(client, second, rows)
    const byMonth = await step(url, ROWS_AT_WORK, () => takeMonths(client))
    const byAccount = await step(url, HISTORY_AT_WORK, () => takeAccounts(client))
    const result = { rows, byMonth, byAccount }
    print(result)
    return result
  } finally {
    for (const close of closers.reverse()) await close()
  }
}

async function takeMonths(client: pg.ClientBase): Promise<StepResult['took']> {
  const cutAt = new Date(Date.now() + MONTH_MS)
  const took = await timesOf((beforeFile) => partitionRows(client, cutAt, beforeFile))
  const startedAt = performance.now()
  await addMonth(client, 'next', cutAt, new Date(cutAt.getTime() + MONTH_MS))
  const names = ['bounds', 'looking through rows', 'exchange', 'looking through references']
  return [...named(names, took), ['a month more', performance.now() - startedAt]]
}

async function takeAccounts(client: pg.ClientBase): Promise<StepResult['took']> {
  const names = ['new tables', 'copying', 'exchange', 'looking through references']
  return named(names, await timesOf((beforeFile) => partitionAccounts(client, beforeFile)))
}

/** How long each file took, in ms. */
async function timesOf(take: (beforeFile: () => void) => Promise<void>): Promise<number[]> {
  const begun: number[] = []
  await take(() => void begun.push(performance.now()))
  const ended = [...begun.slice(1), performance.now()]
  return ended.map((at, index) => at - (begun[index] ?? at))
}

function named(names: readonly string[], took: readonly number[]): StepResult['took'] {
  return took.map((ms, at) => [names[at] ?? '', ms])
}

/** Through two connections, for two cores: ten million rows take a quarter of an hour so. */
async function fill(client: pg.ClientBase, second: pg.ClientBase, rows: number): Promise<void> {
  const jobs = rows / ROWS_A_JOB
  const id = `('01900000-' || lpad(to_hex(j), 4, '0') || '-7000-8000-' || lpad(j::text, 12, '0'))`
  const each = `generate_series(1, ${jobs}) j, generate_series(1, ${ROWS_A_JOB}) i`
  await client.query(`insert into account (id, email) values ('bench', 'bench@example.org')`)
  await client.query(
    `insert into account (id, email) select 'bench-' || n, 'bench-' || n from generate_series(0, ${ACCOUNTS - 1}) n`,
  )
  await Promise.all([
    store(client, [
      `insert into job (id, account_id, state, created_at, finished_at, charged_micros, urls, url_set_hash, language, formats,
          max_videos, requested_max_videos, notices, reserved_micros, slots_used, processed, success)
        select ${id}, 'bench', 'finished', now(), now(), ${PRICE_MICROS} * ${ROWS_A_JOB}, array['x'], md5(j::text), 'original', array['txt'], ${ROWS_A_JOB},
          ${ROWS_A_JOB}, '{}', ${PRICE_MICROS} * ${ROWS_A_JOB}, ${ROWS_A_JOB}, ${ROWS_A_JOB}, ${ROWS_A_JOB} from generate_series(1, ${jobs}) j`,
      `insert into video_row (job_id, index, source, video_id, status, label, language_code, track_kind, done, finished_at)
        select ${id}, i, 1, 'v' || lpad(i::text, 10, '0'), 'success', 'Delivered', 'en', 'asr', i, now() from ${each}`,
      `insert into history (account_id, url_set_hash, video_id, outcome, tries, job_id, attempted_at)
        select 'bench-' || j % ${ACCOUNTS}, md5(j::text), 'v' || lpad(i::text, 10, '0'), 'delivered', 1, ${id}, now() from ${each}`,
      `insert into ledger_entry (account_id, number, kind, posted_micros, held_micros, reference, job_id, created_at, previous_hash, hash)
        select 'bench-' || j % ${ACCOUNTS}, (j / ${ACCOUNTS}) * ${ROWS_A_JOB} + i, 'reserve', 0, 1, 'reserve:' || j || '.' || i, ${id}, now(),
          repeat('0', 64), repeat('0', 64) from ${each}`,
    ]),
    store(second, [
      `insert into transcript (job_id, index, text_hash, words) select ${id}, i, md5(j || '.' || i), 1 from ${each}`,
      `insert into transcript_form (job_id, index, form, gzip, size_bytes, crc32, sha256)
        select ${id}, i, f, '\\x00', 1, 1, '0' from ${each}, unnest(array['txt', 'json']) f`,
      `insert into collection_video (account_id, collection_id, video_id, job_id, index)
        select 'bench', ${id}, 'v' || lpad(i::text, 10, '0'), ${id}, i from ${each}`,
    ]),
  ])
  await client.query('analyze')
}

async function store(client: pg.ClientBase, statements: string[]): Promise<void> {
  await client.query('set statement_timeout = 0')
  await client.query('set session_replication_role = replica')
  for (const statement of statements) await client.query(statement)
  await client.query('set session_replication_role = origin')
}

type AtWork = { reads: string; writes: string }

/** $1: a job; $2: what was not there before. */
const ROWS_AT_WORK: AtWork = {
  reads: 'select * from video_row where job_id = $1 order by index limit 20',
  writes: 'insert into video_row (job_id, index, source) values ($1, $2, 1)',
}
const HISTORY_AT_WORK: AtWork = {
  reads: `select * from ledger_entry where account_id = 'bench-7' and job_id = $1 order by number limit 20`,
  writes: `insert into history (account_id, url_set_hash, video_id, outcome, tries, job_id, attempted_at)
    values ('bench-7', 'set', $2::int::text, 'negative', 1, $1, now())`,
}

async function step(
  url: string,
  { reads, writes }: AtWork,
  take: () => Promise<StepResult['took']>,
): Promise<StepResult> {
  const people = [0, 1].map(() =>
    new pg.Client({ connectionString: url }).on('error', () => undefined),
  )
  const watcher = new pg.Client({ connectionString: url }).on('error', () => undefined)
  try {
    await Promise.all([...people, watcher].map((one) => one.connect()))
    const pids = await Promise.all(people.map(readPid))
    const { rows } = await watcher.query<{ id: string }>('select max(id) as id from job')
    const jobId = rows[0]?.id ?? ''
    const stopping = new AbortController()
    const work = [reads, writes].map((text, at) => async (turn: number) => {
      const values = text === reads ? [jobId] : [jobId, ROWS_A_JOB + turn]
      await people[at]?.query(text, values)
    })
    const working = Promise.all(work.map((one) => repeat(one, stopping.signal)))
    working.catch(() => undefined) // told where it is awaited
    let took: StepResult['took'] = []
    const waitMs = await longestWait(watcher, pids, async () => {
      took = await take()
    })
    stopping.abort()
    const statements = (await working).reduce((sum, count) => sum + count, 0)
    return { took, waitMs, statements }
  } finally {
    await Promise.all([...people, watcher].map((one) => one.end()))
  }
}

/** Turns from 1 on until somebody says stop. Returns how many. */
async function repeat(work: (turn: number) => Promise<void>, signal: AbortSignal): Promise<number> {
  let turn = 0
  while (!signal.aborted) await work((turn += 1))
  return turn
}

function print({ rows, byMonth, byAccount }: PartitionsResult): void {
  printStep(`by month: ${rows} rows with transcripts`, byMonth)
  printStep(`by account: ${rows} rows of history, ${rows} of the ledger`, byAccount)
}

function printStep(title: string, { took, waitMs, statements }: StepResult): void {
  console.log(table([[title, 'takes ms'], ...took.map(([what, ms]) => [what, ms.toFixed(0)])]))
  console.log(
    `the longest wait of ${statements} statements beside it: ${waitMs.toFixed(0)} ms; ` +
      `goal ${MIGRATION_LOCK_MS}: ${verdict(waitMs <= MIGRATION_LOCK_MS)}`,
  )
}
