/**
 * How long people wait while the prepared step to partitions by month is taken (src/postgres/growth): rows of a million
 * videos, ten with `--long`, of which every one has a transcript and two forms; one session reads rows and one
 * adds some meanwhile. Goal: 200 ms, as for migrations.
 */
import { performance } from 'node:perf_hooks'
import pg from 'pg'
import { PRICE_MICROS } from '../src/billing/money.ts'
import { LIMITS } from '../src/config.ts'
import { testDatabase } from '../test/support/database.ts'
import { addMonth, partitionRows } from '../test/support/growth.ts'
import type { BenchOptions } from './bench.ts'
import { longestWait, readPid } from './stage/lock-waits.ts'
import { table, verdict } from './table.ts'

export type PartitionsResult = {
  rows: number
  /** Of each file, and of adding a month. */
  tookMs: number[]
  waitMs: number
  /** Of the one who reads and the one who writes. */
  statements: number
}

const ROWS_A_JOB = 500
const MONTH_MS = 30 * 86_400_000

export async function run({ smoke, long }: BenchOptions): Promise<PartitionsResult> {
  const rows = smoke ? 2_000 : long ? 10_000_000 : 1_000_000
  const closers: (() => Promise<void>)[] = []
  try {
    const { url, connect } = await testDatabase({ after: (end) => void closers.push(end) })
    const client = await connect()
    await client.query('set statement_timeout = 0')
    await fill(client, rows)
    const result = await step(url, client, rows)
    print(result)
    return result
  } finally {
    for (const close of closers.reverse()) await close()
  }
}

async function fill(client: pg.ClientBase, rows: number): Promise<void> {
  const jobs = rows / ROWS_A_JOB
  const id = `'01900000-' || lpad(to_hex(j), 4, '0') || '-7000-8000-' || lpad(j::text, 12, '0')`
  await client.query('set session_replication_role = replica')
  await client.query(`insert into account (id, email) values ('bench', 'bench@example.org')`)
  const statements = [
    `insert into job (id, account_id, state, created_at, finished_at, charged_micros, urls, url_set_hash, language, formats,
        max_videos, requested_max_videos, notices, reserved_micros, slots_used, processed, success)
      select ${id}, 'bench', 'finished', now(), now(), ${PRICE_MICROS} * ${ROWS_A_JOB}, array['x'], md5(j::text), 'original', array['txt'], ${ROWS_A_JOB},
        ${ROWS_A_JOB}, '{}', ${PRICE_MICROS} * ${ROWS_A_JOB}, ${ROWS_A_JOB}, ${ROWS_A_JOB}, ${ROWS_A_JOB} from generate_series(1, ${jobs}) j`,
    `insert into video_row (job_id, index, source, video_id, status, label, language_code, track_kind, done, finished_at)
      select ${id}, i, 1, 'v' || lpad(i::text, 10, '0'), 'success', 'Delivered', 'en', 'asr', i, now()
      from generate_series(1, ${jobs}) j, generate_series(1, ${ROWS_A_JOB}) i`,
    `insert into transcript (job_id, index, text_hash, words) select job_id, index, md5(job_id || index), 1 from video_row`,
    `insert into transcript_form (job_id, index, form, gzip, size_bytes, crc32, sha256)
      select job_id, index, f, '\\x00', 1, 1, '0' from transcript, unnest(array['txt', 'json']) f`,
    `insert into collection_video (account_id, collection_id, video_id, job_id, index)
      select 'bench', job_id, video_id, job_id, index from video_row`,
  ]
  for (const statement of statements) await client.query(statement)
  await client.query('set session_replication_role = origin')
  await client.query('analyze')
}

async function step(url: string, client: pg.Client, rows: number): Promise<PartitionsResult> {
  const people = [0, 1].map(() => new pg.Client({ connectionString: url }))
  const watcher = new pg.Client({ connectionString: url })
  try {
    await Promise.all([...people, watcher].map((one) => one.connect()))
    const pids = await Promise.all(people.map(readPid))
    const stopping = new AbortController()
    const working = Promise.all(people.map((one, at) => atWork(one, at, stopping.signal)))
    const tookMs: number[] = []
    const cutAt = new Date(Date.now() + MONTH_MS)
    const waitMs = await longestWait(watcher, pids, async () => {
      tookMs.push(...(await partitionRows(client, cutAt)))
      const startedAt = performance.now()
      await addMonth(client, 'next', cutAt, new Date(cutAt.getTime() + MONTH_MS))
      tookMs.push(performance.now() - startedAt)
    })
    stopping.abort()
    const statements = (await working).reduce((sum, count) => sum + count, 0)
    return { rows, tookMs, waitMs, statements }
  } finally {
    await Promise.all([...people, watcher].map((one) => one.end()))
  }
}

/** The first one reads pages of a job, the second one adds rows to jobs, as long as it goes on. */
async function atWork(client: pg.Client, at: number, signal: AbortSignal): Promise<number> {
  const { rows } = await client.query<{ id: string }>('select id from job order by id desc limit 1')
  let statements = 0
  for (let index = ROWS_A_JOB + 1; !signal.aborted; index += 1) {
    if (at === 0)
      await client.query('select * from video_row where job_id = $1 order by index limit 20', [
        rows[0]?.id,
      ])
    else
      await client.query('insert into video_row (job_id, index, source) values ($1, $2, 1)', [
        rows[0]?.id,
        index,
      ])
    statements += 1
  }
  return statements
}

function print({ rows, tookMs, waitMs, statements }: PartitionsResult): void {
  const steps = [
    'bounds',
    'looking through rows',
    'exchange',
    'looking through references',
    'a month more',
  ]
  console.log(
    table([
      [`${rows} rows with transcripts`, 'takes ms'],
      ...tookMs.map((ms, at) => [steps[at] ?? '', ms.toFixed(0)]),
    ]),
  )
  const isMet = waitMs <= LIMITS.migrationLockMs
  console.log(
    `the longest wait of ${statements} statements beside it: ${waitMs.toFixed(0)} ms; ` +
      `goal ${LIMITS.migrationLockMs}: ${verdict(isMet)}`,
  )
}
