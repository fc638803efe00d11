/** Jobs that end early or change hands: their deliveries count, and what they listed is not listed again. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import type { FaultRule } from '../../emulator/faults.ts'
import type { Service } from '../../src/serve.ts'
import type { Json } from '../../tools/conformance/http.ts'
import { testService } from '../support/service.ts'
import { until } from '../support/until.ts'
import {
  asker,
  type Asker,
  channelUrl,
  deliverable,
  uploadsOf,
  withStatus,
} from './asking-again.ts'
import { fillHistory } from './known-videos.ts'

const service = await testService({ after }, { env: { ROLES: 'api' } })
const { platform, database } = service
const { world } = platform
const channel = world.channel('small')
const uploads = uploadsOf(world, channel)
const body = { urls: [channelUrl(channel)], maxVideos: 24 }

/** The platform stops answering after five texts: a worker that asks stays at work until the rules change. */
const HELD: FaultRule = { do: 'hold', on: 'timedtext', per: 'all', after: 5 }

/** Starts a worker that hands its jobs back as soon as it is stopped. */
function worker(env: Record<string, string> = {}): Promise<Service> {
  return service.another({ ROLES: 'worker', STOP_GRACE: '0', ...env })
}
/** The worker of all tests until one stops it; it reads few videos at once, so that jobs end in the middle. */
let first: Service
/** The worker that takes over then. */
let second: Service

/** Reads the job until `isSo`. */
async function untilJob(buyer: Asker, job: Json, isSo: (job: Json) => boolean): Promise<Json> {
  let [key, seen] = [await buyer.key(), job]
  await until(`job ${job.id}: ${isSo}`, async () => {
    const { status, body } = await key.asks('GET', `/jobs/${job.id}`)
    if (status === 429) key = await buyer.key()
    else seen = body
    return isSo(seen)
  })
  return seen
}

/** Checks that a repeat takes exactly what the job that ended early did not deliver. */
async function goesOn(buyer: Asker, ended: Json): Promise<void> {
  const before = withStatus(await (await buyer.key()).readsRows(ended), 'success')
  assert.ok(before.length > 0, 'something was delivered')
  assert.equal(ended.billing.chargedTranscripts, before.length)
  const { rows } = await buyer.asks(body)
  assert.deepEqual(withStatus(rows, 'unchanged').toSorted(), before.toSorted())
  const all = deliverable(uploads)
  assert.deepEqual([...before, ...withStatus(rows, 'success')].toSorted(), all.toSorted())
}

test('a line that was accepted before an upgrade and is refused since has a row that says so', async () => {
  const buyer = await asker(service)
  const [video] = uploads
  const job = await (await buyer.key()).startsJob({ urls: ['youtube.com/later', video!.videoId] })
  const line = 'https://www.youtube.com/search?q=x'
  await sql`update job_source set line = ${line}, source = null where job_id = ${job.id} and position = 1`.execute(
    database.db,
  )
  first = await worker({ JOB_VIDEOS: '2' })
  const ended = await untilJob(buyer, job, ({ state }) => state === 'finished')
  const rows = await (await buyer.key()).readsRows(ended)
  assert.deepEqual(rows.map(({ status, url }) => [status, url]).slice(0, 1), [
    ['invalid_url', line],
  ])
  assert.match(rows[0]?.errorMessage, /search results/)
  assert.equal(rows[1]?.videoId, video!.videoId)
})

test('what a cancelled job delivered counts for the next one', async () => {
  const buyer = await asker(service)
  platform.apply({ faults: [HELD] })
  const job = await (await buyer.key()).startsJob(body)
  await untilJob(buyer, job, ({ progress }) => progress.delivered >= 3)
  await (await buyer.key()).asks('POST', `/jobs/${job.id}/cancel`)
  const ended = await untilJob(buyer, job, ({ state }) => state === 'cancelled')
  platform.clear()
  await goesOn(buyer, ended)
})

test('what a job delivered before it failed by our own fault counts for the next one', async () => {
  const buyer = await asker(service)
  const unlucky = uploads[5]!.videoId
  await sql`alter table history add constraint our_fault check (video_id <> ${sql.lit(unlucky)}) not valid`.execute(
    database.db,
  )
  const job = await (await buyer.key()).startsJob(body)
  const ended = await untilJob(buyer, job, ({ state }) => state === 'failed')
  await sql`alter table history drop constraint our_fault`.execute(database.db)
  assert.match(ended.error, /Something went wrong on our side/)
  await goesOn(buyer, ended)
})

test('what an interrupted job delivered counts for the next one', async () => {
  const buyer = await asker(service)
  platform.apply({ faults: [HELD] })
  const job = await (await buyer.key()).startsJob(body)
  await untilJob(buyer, job, ({ progress }) => progress.delivered >= 3)
  await first.close()
  platform.clear()
  await sql`update job set started_at = started_at - interval '1 day' where id = ${job.id}`.execute(
    database.db,
  )
  second = await worker()
  const ended = await untilJob(buyer, job, ({ state }) => state === 'interrupted')
  await goesOn(buyer, ended)
})

test('a job handed over while it is planned lists no page twice', async () => {
  const buyer = await asker(service)
  const talks = world.channel('talks')
  const urls = [channelUrl(talks)]
  const list = world.uploads(talks, null)
  const videoIds = Array.from({ length: list.length }, (_, at) => list.at(at).videoId)
  const earlier = await buyer.asks({ urls, maxVideos: 1 })
  const known = {
    accountId: buyer.accountId,
    urls,
    jobId: earlier.job.id,
    videoIds: videoIds.slice(0, -2),
  }
  await fillHistory(database.db, known)

  platform.log.reset()
  platform.apply({ faults: [{ ...HELD, on: 'browse', after: 3 }] })
  const job = await (await buyer.key()).startsJob({ urls })
  await untilJob(buyer, job, ({ progress }) => progress.discovered >= 200)
  await second.close()
  const pages = platform.log.counts().byKind.browse ?? 0
  assert.ok(pages < 6, `${pages} pages before the stop: it came while the list was read`)
  platform.clear()
  await worker()
  const { progress } = await untilJob(buyer, job, ({ state }) => state === 'finished')

  assert.deepEqual([progress.discovered, progress.counts.unchanged], [600, 598])
  assert.equal(progress.processed, 600)
  // The page under way when the first worker stopped is asked for again.
  const browsed = platform.log.counts().byKind.browse ?? 0
  assert.ok(browsed <= 7, `${browsed} pages for a list of 6`)
})
