/** Capacity and fairness with the usual settings: a later account with a small order is served at once. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Json } from '../../tools/conformance/http.ts'
import { until } from '../support/until.ts'
import { checkBooks, openFleet } from './fleet.ts'
import { fillBuckets } from '../support/rate-limits.ts'
import { slowness } from '../stalls/measure.ts'

const VIDEOS_OF_MANY = 500
/**
 * Bound on a machine at least as fast as the limits' own; the processors are full, so that a slower one takes longer.
 */
const DONE_MS_MAX = 2_000
/** Half of MAX_ACTIVE_JOBS (100) and of WORKER_JOBS (24), the most that an account may hold. */
const HALF = { active: 50, running: 12 }

const fleet = await openFleet({ after }, { latencyMs: 50 })
const { database } = fleet
const one = await fleet.start({ DATABASE_POOL: '12' })

test(
  'a job of one video behind twenty jobs of 500 videos is done within 2 s, while they go on',
  { timeout: 120_000 },
  async (t) => {
    const limitMs = DONE_MS_MAX * slowness() // measured before the processors are full of other work
    const [many, few] = [await fleet.customer(one, 1_000), await fleet.customer(one)]
    // The video does not exist; it makes each URL set different.
    const ask = (n: number): Json => ({
      urls: ['@endlessarchive', `aaaaaaaa${String(n).padStart(3, '0')}`],
      maxVideos: VIDEOS_OF_MANY,
    })
    const jobs = await Promise.all(Array.from({ length: 20 }, (_, n) => many.startsJob(ask(n))))
    const delivered = async (): Promise<number> => {
      const { rows } = await database.pool.query<{ n: number }>(
        'select sum(success)::int as n from job where account_id = $1',
        [many.accountId],
      )
      return rows[0]?.n ?? 0
    }
    await until('they are at work', async () => (await delivered()) > 200)

    const tookMs = async (): Promise<number[]> => {
      const took: number[] = []
      for (const source of ['@smallworkshop', '@longformonly', '@quickclips']) {
        const startedAt = performance.now()
        const job = await few.startsJob({ urls: [source], maxVideos: 1 })
        const { body: ended } = await few.asks('GET', `/jobs/${job['id']}?wait=20`)
        took.push(Math.round(performance.now() - startedAt))
        assert.ok(ended['state'] === 'finished' && ended['progress'].processed > 0)
      }
      return took.sort((x, y) => x - y)
    }
    let seen = ''
    let median = Infinity
    // Other load makes it longer, never shorter: the best of three rounds is what the service takes.
    for (let round = 0; round < 3 && median >= limitMs; round += 1) {
      const took = await tookMs()
      median = took[1] ?? Infinity
      seen = `done after ${took.join(', ')} of ${Math.round(limitMs)} ms`
      t.diagnostic(seen)
    }
    assert.ok(median < limitMs, seen)
    const then = await delivered()
    assert.ok(then < 20 * VIDEOS_OF_MANY, 'the others are not done yet')
    await until('the others go on', async () => (await delivered()) > then, 5_000)

    const { rows: states } = await database.pool.query<{ state: string; n: number }>(
      'select state, count(*)::int as n from job where account_id = $1 group by 1',
      [many.accountId],
    )
    const running = states.find(({ state }) => state === 'running')?.n ?? 0
    assert.ok(running <= HALF.running, `${running} of one account run at once`)

    const more = await Promise.all(
      Array.from({ length: HALF.active - 20 + 3 }, (_, n) =>
        many.asks('POST', '/jobs', { body: ask(100 + n) }),
      ),
    )
    const refused = more.filter(({ status }) => status === 503)
    assert.ok(refused.length >= 3, 'an account holds at most half of all places')
    assert.ok(refused.every(({ headers }) => Number(headers.get('retry-after')) >= 1))
    const other = await few.asks('POST', '/jobs', { body: { urls: ['@dailynotes'], maxVideos: 1 } })
    assert.equal(other.status, 201, 'others still find a place')

    await fillBuckets(database.pool)
    const open = [...jobs, ...more.filter(({ status }) => status === 201).map(({ body }) => body)]
    for (const { id } of open) {
      const { status } = await many.asks('POST', `/jobs/${id}/cancel`)
      if (status === 429) await fillBuckets(database.pool)
      if (status === 429) await many.asks('POST', `/jobs/${id}/cancel`)
    }
    await until(
      'all is settled',
      async () =>
        (await database.pool.query('select from job where charged_micros is null')).rowCount === 0,
    )
    await checkBooks(database)
    assert.equal(await one.ends('SIGTERM'), 0)
  },
)
