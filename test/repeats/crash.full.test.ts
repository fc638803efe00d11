/** A worker that is killed while it plans: another one goes on from the last page recorded. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { testService } from '../support/service.ts'
import { asker, channelUrl } from './asking-again.ts'
import { fillHistory } from './known-videos.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const POLL_MS = 20
const service = await testService({ after }, { env: { ROLES: 'api' } })
const { platform, database } = service
const { world } = platform

function startWorkerProcess(): ChildProcess {
  const child = spawn(process.execPath, ['src/main.ts', 'serve'], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      ROLES: 'worker',
      DATABASE_URL: database.url,
      PLATFORM_ORIGIN: platform.origin,
      LOG_LEVEL: 'silent',
    },
  })
  after(() => child.kill('SIGKILL'))
  return child
}

async function discovered(jobId: string): Promise<number> {
  const { rows } = await sql<{ discovered: number }>`select discovered from job where id = ${jobId}`.execute(database.db)
  return rows[0]?.discovered ?? 0
}

test('a worker killed while it plans costs one attempt and at most one page', async () => {
  const buyer = await asker(service)
  const channel = world.channel('large')
  const urls = [channelUrl(channel)]
  const list = world.uploads(channel, null)
  const videoIds = Array.from({ length: list.length }, (_, at) => list.at(at).videoId)
  const first = startWorkerProcess()
  const earlier = await buyer.asks({ urls, maxVideos: 1 })
  await fillHistory(database.db, { accountId: buyer.accountId, urls, jobId: earlier.job.id, videoIds })

  platform.log.reset()
  const job = await (await buyer.key()).startsJob({ urls, maxVideos: 5 })
  while ((await discovered(job.id)) < 3000) await sleep(POLL_MS)
  first.kill('SIGKILL')
  await once(first, 'exit')
  const atCrash = await discovered(job.id)
  assert.ok(atCrash < 11_000, 'it was killed in the middle')

  const second = startWorkerProcess()
  const ended = await (await buyer.key()).waitsFor(job)
  assert.equal(ended.state, 'finished')
  assert.deepEqual([ended.progress.discovered, ended.progress.counts.unchanged], [12_000, 12_000])
  const { rows } = await sql<{ videos: number; attempt: number; lost: number }>`
    select count(distinct r.video_id)::int as videos, j.attempt, j.lost_attempts as lost
    from job j join video_row r on r.job_id = j.id where j.id = ${job.id} group by j.id`.execute(database.db)
  assert.deepEqual(rows[0], { videos: 12_000, attempt: 2, lost: 1 })
  const { browse = 0, ...others } = platform.log.counts().byKind
  assert.ok(browse >= 120 && browse <= 122, `${browse} pages for a list of 120`)
  assert.deepEqual(others, {}, 'listing pages are all that was asked for')
  second.kill('SIGTERM')
  await once(second, 'exit')
})
