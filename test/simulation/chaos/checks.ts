/** What must hold after the chaos: every job, row, cent and request is accounted for. */
import assert from 'node:assert/strict'
import type pg from 'pg'
import type { Emulator } from '../../../emulator/server.ts'
import { truthOf } from '../../../emulator/truth.ts'
import { ATTEMPT_STATUSES, STATUSES_OF_REFUSALS } from '../../../src/model/jobs/video-row.ts'
import { verifyLedger } from '../../../src/features/money/verify-ledger.ts'
import type { Database } from '../../../src/store/database.ts'
import { readForms } from '../../../src/features/transcripts/read-transcripts.ts'
import { openTextReader, textsOf } from '../../../src/features/transcripts/read-stored.ts'

export type Figures = {
  jobs: number
  delivered: number
  attempts: number
  captionRequests: number
  rowsAttempted: number
  /** Videos that were read and proved to be owned when they were to be charged. */
  inVain: number
}

/**
 * A text of an order that skips what is owned, where another such order delivered one of the same video, or any order
 * that was over before.
 */
const BOUGHT_TWICE = `
  select j.id, r.video_id from job j join video_row r on r.job_id = j.id and r.status = 'success'
  where j.skips_owned and exists (
    select from job o join video_row s on s.job_id = o.id and s.status = 'success'
    where o.account_id = j.account_id and o.id <> j.id and s.video_id = r.video_id
      and (o.skips_owned or o.finished_at < r.finished_at)
  )`

export async function checkAll(
  database: Database,
  platform: Emulator,
  inFlightMax: number,
): Promise<Figures> {
  const { pool, db } = database
  await nothing(
    pool,
    'jobs that are not final',
    `select id, state from job where charged_micros is null`,
  )
  await nothing(
    pool,
    'jobs that failed',
    `select id, error from job where state in ('failed', 'interrupted')`,
  )
  await nothing(
    pool,
    'finished jobs with rows left',
    `select job_id from video_row r join job j on j.id = r.job_id
    where r.status is null and j.state = 'finished'`,
  )
  await nothing(
    pool,
    'counters that differ from rows',
    `select j.id from job j
    left join (select job_id, count(*) filter (where status is not null) as done, count(*) filter (where status = 'success') as delivered
      from video_row group by job_id) r on r.job_id = j.id
    where j.processed <> coalesce(r.done, 0) or j.success <> coalesce(r.delivered, 0)`,
  )
  await nothing(
    pool,
    'completion numbers with gaps',
    `select job_id from video_row where done is not null group by job_id
    having max(done) <> count(*) or min(done) <> 1`,
  )
  await nothing(
    pool,
    'videos delivered twice for one URL set',
    `select j.account_id, j.url_set_hash, r.video_id
    from video_row r join job j on j.id = r.job_id where r.status = 'success' group by 1, 2, 3 having count(*) > 1`,
  )
  await nothing(pool, 'texts bought twice where the wish was to skip', BOUGHT_TWICE)
  await nothing(
    pool,
    'slots in use that are not those of rows that were read',
    `select j.id, j.slots_used, r.read from job j cross join lateral (
      select count(*) filter (where video_id is not null and status = any('{${ATTEMPT_STATUSES.join()}}'))::int as read
      from video_row where job_id = j.id) r
    where j.slots_used <> r.read and j.state = 'finished'`,
  )
  await nothing(
    pool,
    'successes without transcript',
    `select r.job_id from video_row r left join transcript t using (job_id, index)
    where (r.status = 'success') <> (t.job_id is not null)`,
  )
  await nothing(pool, 'money still held', `select account_id from balance where held_micros <> 0`)
  const report = await verifyLedger(db)
  assert.equal(report.differences, 0, JSON.stringify(report.listed.slice(0, 5)))

  await checkTexts(database, platform)
  const figures = await readFigures(pool, platform)
  // A video is fetched again only where a lost attempt had it in flight.
  const explained =
    figures.rowsAttempted + figures.inVain + (figures.attempts - figures.jobs) * inFlightMax
  assert.ok(
    figures.captionRequests <= explained,
    `${figures.captionRequests} caption requests, ${explained} explained`,
  )
  return figures
}

async function nothing(pool: pg.Pool, what: string, query: string): Promise<void> {
  const { rows } = await pool.query(query)
  assert.deepEqual(rows.slice(0, 5), [], what)
}

async function checkTexts({ db, pool }: Database, platform: Emulator): Promise<void> {
  const { rows } = await pool.query<{ job_id: string; index: number; video_id: string }>(
    `select job_id, index, video_id from video_row where status = 'success' order by random() limit 200`,
  )
  const source = textsOf({ db, textStore: null, textReader: openTextReader() }, 'all') // no thread is started: these texts are short
  for (const row of rows) {
    const key = { jobId: row.job_id, index: row.index }
    const [text] = await readForms(source, [{ ...key, forms: ['text'] }])
    assert.ok(text !== undefined, `the text of ${row.video_id} is stored`)
    const said: unknown = JSON.parse(text.content.toString())
    const [video] = truthOf(platform.world, { video: row.video_id }).videos
    const published =
      video?.tracks.map((track) => track.segments.map((segment) => segment.text).join(' ')) ?? []
    assert.ok(
      published.includes(String(said)),
      `the words of ${row.video_id} are those of a published track`,
    )
  }
}

async function readFigures(pool: pg.Pool, platform: Emulator): Promise<Figures> {
  const { rows } = await pool.query<
    Record<keyof Figures, number>
  >(`select count(*)::int as jobs, sum(success)::int as delivered,
    sum(greatest(attempt, 1))::int as attempts, sum(slots_used)::int as "rowsAttempted",
    (select coalesce(sum(refused), 0) from free_calls)::int - sum(${STATUSES_OF_REFUSALS.join(' + ')})::int as "inVain"
    from job`)
  const [row] = rows
  assert.ok(row !== undefined)
  return { ...row, captionRequests: platform.log.counts().byKind['timedtext'] ?? 0 }
}
