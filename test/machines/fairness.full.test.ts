/**
 * Fairness in work done, which is the same on any machine: how much of a crowd's work is delivered before a small order
 * is done.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Json } from '../../tools/conformance/http.ts'
import { testService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { checkBooks } from './fleet.ts'

const VIDEOS_EACH = 500
const JOBS = 6
/** Without fairness the order would wait until one of the crowd's jobs makes room, after all of its videos. */
const BETWEEN_MAX = VIDEOS_EACH / 2

const { database, customer } = await testService({ after }, { env: { WORKER_JOBS: '2' } })

test('an order of one video is done long before a place that another account takes with its jobs is free', async () => {
  const [many, few] = [await customer('100'), await customer()]
  const delivered = async (): Promise<number> => {
    const { rows } = await database.pool.query<{ n: number }>(
      'select sum(success)::int as n from job where account_id = $1',
      [many.accountId],
    )
    return rows[0]?.n ?? 0
  }
  // The video does not exist; it makes each URL set different.
  const ask = (n: number): Json => ({
    urls: ['@endlessarchive', `aaaaaaaa${String(n).padStart(3, '0')}`],
    maxVideos: VIDEOS_EACH,
  })
  const jobs = await Promise.all(Array.from({ length: JOBS }, (_, n) => many.startsJob(ask(n))))
  await until('the crowd is at work', async () => (await delivered()) > 20)

  for (const source of ['@smallworkshop', '@longformonly', '@quickclips']) {
    const before = await delivered()
    const order = await few.waitsFor(await few.startsJob({ urls: [source], maxVideos: 1 }))
    const between = (await delivered()) - before
    assert.ok(order['state'] === 'finished' && order['progress'].processed > 0)
    assert.ok(between < BETWEEN_MAX, `${between} videos of the crowd came first`)
    assert.ok(before + between < JOBS * VIDEOS_EACH, 'the crowd is still at work')
  }

  for (const { id } of jobs) await many.asks('POST', `/jobs/${id}/cancel`)
  for (const job of jobs) await many.waitsFor(job)
  await checkBooks(database)
})
