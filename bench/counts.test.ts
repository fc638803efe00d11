/**
 * What a job and a transcript cost, in counts: requests to the platform, SQL statements, bytes stored. A
 * machine may be slow, but it sends no statement more; whoever makes the counts grow says so here.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import type { Customer } from '../conformance/customer.ts'
import { testService } from '../test/support/service.ts'
import { TRANSCRIPT_STORAGE } from '../test/support/storage.ts'
import { TALKS } from './captions.ts'
import { channelOf } from './stage/stage.ts'

const VIDEOS = 20
/** Of a job beside its rows: ordered, begun, planned, ended. Eleven, and two begin by themselves on a new connection. */
const STATEMENTS_A_JOB = 13
/** Of one with a list besides: its pages are read and recorded, and two tell its library what the list is. */
const STATEMENTS_A_LIST = 6
const { platform, database, customer } = await testService({ after })
const owner: Customer = await customer('10')
const { channelId, videos } = channelOf('@dailynotes')
const channel = `https://www.youtube.com/channel/${channelId}`

type Counts = { requests: number; statements: number; records: number; delivered: number }

/** Of a job, outside of transactions. */
const OF_JOBS =
  /prepared (record-|plan-page|begin-first|list-sources|read-history|find-planned-videos)/

/** Statements of transactions and of jobs, rows together where they come together; what is sent by the clock (looks, sweeps) is not counted. */
async function countsOf(order: { urls: string; maxVideos: number }): Promise<Counts> {
  const texts: string[] = []
  const open = new WeakSet<object>()
  const prototype = pg.Client.prototype as unknown as { query: (...given: unknown[]) => unknown }
  const { query } = prototype
  prototype.query = function counting(this: object, ...given) {
    const [first] = given as [string | { text?: string; begins?: boolean } | undefined]
    const asked = typeof first === 'string' ? { text: first } : first
    const text = asked?.text ?? ''
    if (text === 'begin' || asked?.begins === true) open.add(this) // most begin along with their first statement
    if (open.has(this) || OF_JOBS.test(text)) texts.push(text)
    if (text === 'commit' || text === 'rollback') open.delete(this)
    return query.apply(this, given)
  }
  platform.log.reset()
  let delivered = 0
  try {
    const { job } = await owner.orders(order)
    delivered = job.progress.counts.success
  } finally {
    prototype.query = query
  }
  return {
    delivered,
    requests: platform.log.counts().total,
    statements: texts.length,
    records: texts.filter((text) => text.includes('prepared record-')).length,
  }
}

/** Of several alike, the first that needs no more statements, else the last: a sweep in a transaction may fall into one. */
async function leastCountsOf(
  orders: readonly { urls: string; maxVideos: number }[],
  most: number,
): Promise<Counts> {
  let counts: Counts | null = null
  for (const order of orders)
    if (counts === null || counts.statements > most) counts = await countsOf(order)
  assert.ok(counts !== null)
  return counts
}

test('a video costs three requests and a statement at most, and a job a page of its list and its own statements', async () => {
  await countsOf({ urls: channel, maxVideos: 1 }) // the first job also asks for the identity of its route
  const most = VIDEOS + STATEMENTS_A_JOB + STATEMENTS_A_LIST
  const { requests, statements, records, delivered } = await leastCountsOf(
    [1, 2, 3].map((at) => ({ urls: `${channel}?spelling=${at}`, maxVideos: VIDEOS })),
    most,
  )
  assert.ok(delivered > VIDEOS / 2, `${delivered} were delivered`)
  assert.ok(records > 0 && records <= VIDEOS, `${records} statements for ${VIDEOS} rows`)
  assert.ok(requests <= 3 * VIDEOS + 1, `${requests} requests`)
  assert.ok(statements <= most, `${statements} statements`)
})

test('a job of one video costs no more than its three requests and its own statements', async () => {
  const urls = [100, 101, 102].map((at) => `https://www.youtube.com/watch?v=${videos[at]?.videoId}`)
  const { requests, statements } = await leastCountsOf(
    urls.map((url) => ({ urls: url, maxVideos: 1 })),
    1 + STATEMENTS_A_JOB,
  )
  assert.ok(requests <= 3, `${requests} requests`)
  assert.ok(statements <= 1 + STATEMENTS_A_JOB, `${statements} statements`)
})

/** Of a talk of twelve minutes: five forms, each compressed, or its words once. */
const STORED_KB_A_TALK = { members: 40, body: 8 }[TRANSCRIPT_STORAGE]

test('a talk of twelve minutes takes no more bytes than its forms', async () => {
  const talks = channelOf(TALKS).videos.slice(0, 3)
  const urls = talks.map(({ videoId }) => `https://www.youtube.com/watch?v=${videoId}`)
  const { job } = await owner.orders({ urls: urls.join('\n') })
  assert.equal(job.progress.counts.success, talks.length)
  const { rows } = await database.pool.query<{ bytes: number }>(
    `select ((select sum(pg_column_size(t.*)) from transcript t where t.job_id = $1)
      + (select coalesce(sum(pg_column_size(f.*)), 0) from transcript_form f where f.job_id = $1)
      + (select coalesce(sum(pg_column_size(b.*)), 0) from transcript_body b where b.job_id = $1))::int as bytes`,
    [job.id],
  )
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
