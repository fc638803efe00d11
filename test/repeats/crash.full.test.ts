/** A worker that is killed while it plans: another one goes on from the last page recorded. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { holdListsAfter } from '../support/held-platform.ts'
import { testService } from '../support/service.ts'
import { launch, type ServiceProcess, untilReady } from '../support/service-process.ts'
import { until } from '../support/until.ts'
import { asker, channelUrl } from './asking-again.ts'
import { fillHistory } from './known-videos.ts'

const service = await testService({ after }, { env: { ROLES: 'api' } })
const { platform, database } = service
const { world } = platform

async function startWorkerProcess(): Promise<ServiceProcess> {
  const one = launch({
    ROLES: 'worker',
    DATABASE_URL: database.url,
    PLATFORM_ORIGIN: platform.origin,
  })
  after(() => void one.child.kill('SIGKILL'))
  await untilReady(one)
  return one
}

async function discovered(jobId: string): Promise<number> {
  const { rows } = await sql<{
    discovered: number
  }>`select discovered from job where id = ${jobId}`.execute(database.db)
  return rows[0]?.discovered ?? 0
}

test('a worker killed while it plans costs one attempt and at most one page', async () => {
  const buyer = await asker(service)
  const channel = world.channel('large')
  const urls = [channelUrl(channel)]
  const list = world.uploads(channel, null)
  const videoIds = Array.from({ length: list.length }, (_, at) => list.at(at).videoId)
  const first = await startWorkerProcess()
  const earlier = await buyer.asks({ urls, maxVideos: 1 })
  await fillHistory(database.db, {
    accountId: buyer.accountId,
    urls,
    jobId: earlier.job.id,
    videoIds,
  })

  platform.log.reset()
  holdListsAfter(platform, 30)
  const job = await (await buyer.key()).startsJob({ urls, maxVideos: 5 })
  await until('much is listed', async () => (await discovered(job.id)) >= 3000)
  await first.ends('SIGKILL')
  const atCrash = await discovered(job.id)
  platform.clear()
  assert.ok(atCrash < 11_000, 'it was killed in the middle')

  const second = await startWorkerProcess()
  const ended = await (await buyer.key()).waitsFor(job)
  assert.equal(ended.state, 'finished')
  assert.deepEqual([ended.progress.discovered, ended.progress.counts.unchanged], [12_000, 12_000])
  const { rows } = await sql<{ videos: number; attempt: number; lost: number }>`
    select count(distinct r.video_id)::int as videos, j.attempt, j.lost_attempts as lost
    from job j join video_row r on r.job_id = j.id where j.id = ${job.id} group by j.id`.execute(
    database.db,
  )
  assert.deepEqual(rows[0], { videos: 12_000, attempt: 2, lost: 0 })
  const { browse = 0, ...others } = platform.log.counts().byKind
  assert.ok(browse >= 120 && browse <= 122, `${browse} pages for a list of 120`)
  assert.deepEqual(others, {}, 'listing pages are all that was asked for')
  await second.ends('SIGTERM')
})
