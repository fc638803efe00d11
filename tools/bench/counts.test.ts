/**
 * What a job and a transcript cost, in counts: requests to the platform, SQL statements, bytes stored. A slow machine
 * sends no statement more. A change that makes a count grow raises its bound here.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { inspect } from 'node:util'
import pg from 'pg'
import type { Customer } from '../conformance/customer.ts'
import { testService } from '../../test/support/service.ts'
import { TALKS } from './captions.ts'
import { channelOf } from './stage/stage.ts'

const VIDEOS = 20
/**
 * Statements of a job beside its rows: ordering (six), begin, plan, end (four, and one where captions were asked for in
 * vain).
 */
const STATEMENTS_A_JOB = 13
/**
 * Further statements of a job with a list that was ordered before: what is owned of it is counted within a deadline
 * (five), its pages are read and recorded, and two tell the library what the list is.
 */
const STATEMENTS_A_LIST = 9
const { platform, database, customer } = await testService({ after })
const owner: Customer = await customer('10')
const { channelId, videos } = channelOf('@dailynotes')
const channel = `https://www.youtube.com/channel/${channelId}`

type Counts = { requests: number; statements: number; records: number; delivered: number }

/** Names of a job's statements outside of transactions. Statements of the API's readers are not counted. */
const OF_JOBS =
  /^(record-finished|record-page|begin-first|list-sources|read-history|find-planned-videos)$/

/** `name` is empty for a statement without one. */
type Sent = { name: string; text: string; values: string }

/**
 * Returns what was sent during `work`, in order: each transaction as a whole, each other statement by itself.
 * Statements that timers send are parts of their own in between.
 */
async function partsOf(work: () => Promise<void>): Promise<Sent[][]> {
  const parts: Sent[][] = []
  const open = new WeakMap<object, Sent[]>()
  const prototype = pg.Client.prototype as unknown as { query: (...given: unknown[]) => unknown }
  const { query } = prototype
  prototype.query = function counting(this: object, ...given) {
    const [first, second] = given as [string | Partial<Asked> | undefined, unknown]
    const asked: Partial<Asked> = typeof first === 'string' ? { text: first } : (first ?? {})
    const { name = '', text = '', values = second } = asked
    const sent = { name, text, values: inspect(values, WHOLE) }
    const part = open.get(this) ?? []
    if (part.length === 0) parts.push(part)
    part.push(sent)
    if (text === 'begin') open.set(this, part)
    if (text === 'commit' || text === 'rollback') open.delete(this)
    return query.apply(this, given)
  }
  await work().finally(() => (prototype.query = query))
  return parts
}

const WHOLE = { depth: 4, maxArrayLength: null, maxStringLength: null }
type Asked = { name: string; text: string; values: unknown[] }

/**
 * Returns the requests, statements and records of one job. Only statements that name the job count, and records that
 * arrive together count together.
 */
async function countsOf(order: { urls: string; maxVideos: number }): Promise<Counts> {
  platform.log.reset()
  let [jobId, delivered] = ['', 0]
  const parts = await partsOf(async () => {
    const { job } = await owner.orders(order)
    ;[jobId, delivered] = [job.id, job.progress.counts.success]
  })
  const isOfJob = (part: Sent[]): boolean =>
    part.some(({ values }) => values.includes(jobId)) &&
    (part.length > 1 || part.some(({ name }) => OF_JOBS.test(name)))
  const sent = parts.filter(isOfJob).flat()
  return {
    delivered,
    requests: platform.log.counts().total,
    statements: sent.length,
    records: sent.filter(({ name }) => name === 'record-finished').length,
  }
}

test('a video costs three requests and a statement at most, and a job a page of its list and its own statements', async () => {
  await countsOf({ urls: channel, maxVideos: 1 }) // the first job also asks for the identity of its route
  const most = VIDEOS + STATEMENTS_A_JOB + STATEMENTS_A_LIST
  const order = { urls: `${channel}?spelling=2`, maxVideos: VIDEOS }
  const { requests, statements, records, delivered } = await countsOf(order)
  assert.ok(delivered > VIDEOS / 2, `${delivered} were delivered`)
  assert.ok(records > 0 && records <= VIDEOS, `${records} statements for ${VIDEOS} rows`)
  assert.ok(requests <= 3 * VIDEOS + 1, `${requests} requests`)
  assert.ok(statements <= most, `${statements} statements`)
})

test('a job of one video costs no more than its three requests and its own statements', async () => {
  const urls = `https://www.youtube.com/watch?v=${videos[100]?.videoId}`
  const { requests, statements } = await countsOf({ urls, maxVideos: 1 })
  assert.ok(requests <= 3, `${requests} requests`)
  assert.ok(statements <= 1 + STATEMENTS_A_JOB, `${statements} statements`)
})

const STORED_KB_A_TALK = 8
const WORD_TIMES_KB_A_TALK = 2.5

test('a talk of twelve minutes takes no more bytes than its forms, and little more for the times of its words', async () => {
  const talks = channelOf(TALKS).videos.slice(0, 3)
  const urls = talks.map(({ videoId }) => `https://www.youtube.com/watch?v=${videoId}`)
  const { job } = await owner.orders({ urls: urls.join('\n') })
  assert.equal(job.progress.counts.success, talks.length)
  const { rows } = await database.pool.query<{ bytes: number; times: number }>(
    `select ((select sum(pg_column_size(t.*)) from transcript t where t.job_id = $1)
      + coalesce(sum(pg_column_size(b.*) - pg_column_size(b.word_times)), 0))::int as bytes,
      sum(pg_column_size(b.word_times))::int as times
    from transcript_body b where b.job_id = $1`,
    [job.id],
  )
  const times = (rows[0]?.times ?? 0) / talks.length / 1000
  assert.ok(times > 1 && times <= WORD_TIMES_KB_A_TALK, `${times.toFixed(2)} KB of word times`)
  const kilobytes = (rows[0]?.bytes ?? 0) / talks.length / 1000
  assert.ok(kilobytes > 5 && kilobytes < STORED_KB_A_TALK, `${kilobytes.toFixed(1)} KB a talk`)
})

test('what is stored of transcripts is at most a third more than their ZIP', async () => {
  const { jobs } = await owner.gets('/jobs')
  let zipBytes = 0
  for (const { id } of jobs) {
    const zip = await owner.asks('GET', `/jobs/${id}/files/zip`)
    zipBytes += Number(zip.headers.get('content-length'))
  }
  const { rows } = await database.pool.query<{ bytes: number }>(
    `select sum(pg_table_size(oid))::int as bytes from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace and relname like 'transcript%'`,
  )
  const share = (rows[0]?.bytes ?? 0) / zipBytes
  assert.ok(share > 0.1 && share < 1.3, `${share.toFixed(2)} times the ZIP`)
})
