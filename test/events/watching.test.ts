/** How followed jobs are looked at: together, once in a while, only while somebody follows, and as fast as one reads. */
import assert from 'node:assert/strict'
import net from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { eventsOf } from '../../src/api/job-events.ts'
import { linksFrom } from '../../src/api/present.ts'
import type { JobFollower } from '../../src/jobs/watch-job.ts'
import { openJobWatches } from '../../src/jobs/watch-jobs.ts'
import { findJob } from '../../src/store/jobs.ts'
import { startFileService } from '../files/file-service.ts'
import { until } from '../support/until.ts'

const LOOK_MS = 20
const HEARTBEAT_MS = 100
const FOLLOWERS = 5

const { ctx, url, customer } = await startFileService({ after }, { DOWNLOAD_STALL: '1' })
const who = await customer()
const watches = openJobWatches({
  ...ctx,
  ofAccountMax: 100,
  onCount: () => undefined,
  pace: { lookMs: LOOK_MS, heartbeatMs: HEARTBEAT_MS },
})
after(() => watches.close())
const links = linksFrom('http://x.test')
const silent = { title: 'A video', segments: null }

/** The statements that this process sends from now on, until it is told to stop. */
function recordStatements(): { sent: string[]; stop(): void } {
  const sent: string[] = []
  const prototype = pg.Client.prototype as unknown as { query: (...given: unknown[]) => unknown }
  const { query } = prototype
  prototype.query = function recording(this: unknown, ...given) {
    const [first] = given as [{ name?: string; text?: string } | string]
    sent.push(typeof first === 'string' ? first : `${first.name ?? ''} ${first.text ?? ''}`)
    return query.apply(this, given)
  }
  return { sent, stop: () => void (prototype.query = query) }
}

const countOf = (sent: string[], text: string): number =>
  sent.filter((one) => one.includes(text)).length

async function followerOf(jobId: string): Promise<JobFollower> {
  const job = await findJob(ctx.db, { accountId: who.accountId, jobId })
  const { rows } = await ctx.pool.query<{ id: string }>(
    'select id from api_key where account_id = $1',
    [who.accountId],
  )
  assert.ok(job !== null)
  const follower = watches.follow(job, rows[0]?.id ?? '')
  assert.ok(follower !== null)
  return follower
}

/** Reads events up to the first that `isIt`; returns all of them. */
async function readUntil(
  events: AsyncGenerator<Buffer>,
  isIt: (event: string) => boolean,
): Promise<string> {
  let text = ''
  while (!isIt(text)) {
    const { value, done } = await events.next()
    if (done === true) break
    text += value.toString()
  }
  return text
}

test('all followers of a job share one look and one reading of its rows', async () => {
  const job = await who.recordsJob([silent], { formats: ['text'], isFinal: false })
  const followers = await Promise.all(Array.from({ length: FOLLOWERS }, () => followerOf(job.id)))
  const streams = followers.map((follower) => eventsOf(follower, 0, links))
  const toldFirst = (text: string): boolean => text.includes('id: 1\n')
  await Promise.all(streams.map((events) => readUntil(events, toldFirst)))

  const startedAt = performance.now()
  const { sent, stop } = recordStatements()
  const news = streams.map((events) => readUntil(events, (text) => text.includes('id: 2\n')))
  await job.records(2, silent)
  await Promise.all(news)
  stop()
  const looks = countOf(sent, 'look-at-jobs')
  assert.ok(looks >= 1 && looks <= (performance.now() - startedAt) / LOOK_MS + 1, `${looks} looks`)
  assert.equal(countOf(sent, 'find-watched-jobs'), 1, 'the job is read whole where it moved')
  assert.equal(countOf(sent, 'order by done'), 1, 'its rows are read once for all')

  for (const follower of followers) follower.leave()
  const afterwards = recordStatements()
  await pause(10 * LOOK_MS) // as long as ten looks: nothing else tells that there are none
  afterwards.stop()
  assert.equal(countOf(afterwards.sent, 'look-at-jobs'), 0, 'nobody follows')
  await job.finishes()
})

test('where nothing happens a comment comes, so that the connection is not taken for dead', async () => {
  const job = await who.recordsJob([silent], { formats: ['text'], isFinal: false })
  const follower = await followerOf(job.id)
  const startedAt = performance.now()
  const text = await readUntil(eventsOf(follower, 0, links), (one) =>
    /(?:: here\n\n){3}$/.test(one),
  )
  assert.ok(performance.now() - startedAt >= 3 * HEARTBEAT_MS)
  assert.equal(text.match(/^event: /gm)?.length, 2, 'the job and its row, once')
  follower.leave()
  await job.finishes()
})

test('what happens while a follower is being told is told next, and a look that comes late changes nothing', async () => {
  const job = await who.recordsJob([], { formats: ['text'], isFinal: false })
  const follower = await followerOf(job.id)
  const seen = follower.job
  await job.records(1, silent)
  await until('the look has seen it', () => follower.job !== seen)
  await follower.untilNews(seen) // would wait for ever, were only what comes from now on news
  const newer = await followerOf(job.id)
  const late = watches.follow(seen, 'another key')
  assert.equal(late?.job.processed, 1)
  for (const one of [follower, newer, late]) one?.leave()
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
  const { sent, stop } = recordStatements()
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
  stop()
  socket.destroy()
  const pages = countOf(sent, 'order by done')
  assert.ok(pages > 1 && pages < ROWS / 50 / 2, `${pages} pages of ${ROWS / 50} were read`)
})
