/** How followed jobs are looked at: together, at intervals, only while a client follows, and as fast as it reads. */
import assert from 'node:assert/strict'
import net from 'node:net'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { eventsOf } from '../../src/api/jobs/events.ts'
import { linksFrom } from '../../src/api/links.ts'
import { type JobChange, openJobFeed } from '../../src/features/jobs/job-feed.ts'
import { findJob, type JobRecord } from '../../src/store/jobs.ts'
import { startFileService } from '../files/file-service.ts'
import { recordStatements } from '../support/statements.ts'
import { passing, ticking, until } from '../support/until.ts'

const LOOK_MS = 20
const HEARTBEAT_MS = 100
const FOLLOWERS = 5

const { ctx, url, customer } = await startFileService({ after }, { DOWNLOAD_STALL: '1' })
const who = await customer()
const feed = openJobFeed({
  ...ctx,
  ofAccountMax: 100,
  onCount: () => undefined,
  lookMs: LOOK_MS,
  heartbeatMs: HEARTBEAT_MS,
})
after(() => feed.close())
const links = linksFrom('http://x.test')
const silent = { title: 'A video', segments: null }

type Follower = { changes: AsyncGenerator<JobChange>; leave: () => void }

async function readJob(jobId: string): Promise<JobRecord> {
  const job = await findJob(ctx.db, { accountId: who.accountId, jobId })
  assert.ok(job !== null)
  return job
}

/** `job` is the last known state; without it the job is read. */
async function followerOf(jobId: string, job?: JobRecord): Promise<Follower> {
  const { rows } = await ctx.pool.query<{ id: string }>(
    'select id from api_key where account_id = $1',
    [who.accountId],
  )
  const leaving = new AbortController()
  const changes = feed.follow(job ?? (await readJob(jobId)), {
    after: 0,
    keyId: rows[0]?.id ?? '',
    departure: leaving.signal,
  })
  assert.ok(changes !== null)
  return { changes, leave: () => leaving.abort() }
}

/** Reads events up to the first that `isIt`; returns all of them. */
async function readUntil(
  events: AsyncGenerator<string>,
  isIt: (event: string) => boolean,
): Promise<string> {
  let text = ''
  while (!isIt(text)) {
    const { value, done } = await events.next()
    if (done === true) break
    text += value
  }
  return text
}

test('all followers of a job share one look and one reading of it', async () => {
  const job = await who.recordsJob([silent], { formats: ['text'], isFinal: false })
  const followers = await Promise.all(Array.from({ length: FOLLOWERS }, () => followerOf(job.id)))
  const streams = followers.map(({ changes }) => eventsOf(changes, { links, epoch: 0 }))
  const toldFirst = (text: string): boolean => text.includes('id: 1\n')
  await Promise.all(streams.map((events) => readUntil(events, toldFirst)))

  const pace = ticking(LOOK_MS)
  const log = recordStatements()
  const news = streams.map((events) => readUntil(events, (text) => text.includes('id: 2\n')))
  await job.records(2, silent)
  await Promise.all(news)
  log.stop()
  const looks = log.countOf('look-at-jobs')
  const most = pace.count() + 2 // one look may have been under way
  assert.ok(looks >= 1 && looks <= most, `${looks} looks, of ${most} at most`)
  assert.equal(log.countOf('find-watched-jobs'), 1, 'the job is read whole where it moved')

  for (const follower of followers) follower.leave()
  const [afterwards, before] = [recordStatements(), pace.count()]
  await until('ten looks would have come', () => pace.count() >= before + 10)
  afterwards.stop()
  pace.stop()
  assert.ok(afterwards.countOf('look-at-jobs') <= 1, 'nobody follows') // one look was under way
  await job.finishes()
})

test('where nothing happens a comment comes, so that the connection is not taken for dead', async () => {
  const job = await who.recordsJob([silent], { formats: ['text'], isFinal: false })
  const follower = await followerOf(job.id)
  const areThreeDue = passing(3 * HEARTBEAT_MS)
  const text = await readUntil(eventsOf(follower.changes, { links, epoch: 0 }), (one) =>
    /(?:: here\n\n){3}$/.test(one),
  )
  assert.ok(areThreeDue())
  assert.equal(text.match(/^event: /gm)?.length, 2, 'the job and its row, once')
  follower.leave()
  await job.finishes()
})

test('what happens while a follower is being told is told next, and a look that comes late changes nothing', async () => {
  const job = await who.recordsJob([], { formats: ['text'], isFinal: false })
  const stale = await readJob(job.id)
  const follower = await followerOf(job.id)
  const next = async ({ changes }: Follower): Promise<JobChange> => (await changes.next()).value
  assert.equal((await next(follower)).kind, 'job')
  await job.records(1, silent)
  const newer = await followerOf(job.id)
  const news = await next(follower) // 'quiet' would come if only later changes counted as news
  assert.equal((news.kind === 'job' ? await next(follower) : news).kind, 'rows')
  const late = await followerOf(job.id, stale)
  const told = await next(late)
  assert.equal(told.kind === 'job' && told.job.processed, 1)
  for (const one of [follower, newer, late]) one.leave()
  await job.finishes()
})

test('a reader that stops reading is sent no more than the buffers hold, and is closed in time', async () => {
  const ROWS = 15_000
  const job = await who.recordsJob([silent], { formats: ['text'], isFinal: true })
  await sql`
    insert into video_row (job_id, index, source, video_id, title, status, label, done, finished_at)
    select ${job.id}, n, 0, lpad(n::text, 11, 'v'), repeat('x', 1500), 'unchanged', 'had before', n, now()
    from generate_series(2, ${ROWS}) n`.execute(ctx.db)
  await sql`update job set processed = ${ROWS}, unchanged = ${ROWS - 1}, discovered = ${ROWS} where id = ${job.id}`.execute(
    ctx.db,
  )
  const log = recordStatements()
  const socket = net.connect({ host: '127.0.0.1', port: Number(new URL(url).port) })
  socket.on('error', () => undefined)
  socket.write(
    `GET /api/v1/jobs/${job.id}/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${who.key}\r\n\r\n`,
  )
  await new Promise((resolve) => socket.once('data', resolve))
  socket.pause()
  const open = async (): Promise<number> =>
    (await ctx.metrics.eventStreams.get()).values[0]?.value ?? 0
  assert.equal(await open(), 1)
  await until('it is closed', async () => (await open()) === 0)
  log.stop()
  socket.destroy()
  const pages = log.countOf('order by done')
  assert.ok(pages > 1 && pages < ROWS / 50 / 2, `${pages} pages of ${ROWS / 50} were read`)
})

test('accounts that follow nothing yet have half of the places, however much others follow', async () => {
  const { id } = await who.recordsJob([silent], { formats: ['text'], isFinal: false })
  const [job, leaving] = [await readJob(id), new AbortController()]
  const follows = (accountId: string): boolean => {
    const options = { after: 0, keyId: '', departure: leaving.signal }
    return feed.follow({ ...job, id: accountId, accountId }, options) !== null
  }
  const [accounts, each] = [25, 100]
  for (let n = 0; n < accounts * each; n += 1) assert.ok(follows(`crowd-${n % accounts}`), `${n}`)
  assert.deepEqual([follows('crowd-0'), follows('new'), follows('new')], [false, true, false])
  leaving.abort()
  assert.ok(follows('crowd-0'))
})
