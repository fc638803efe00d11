/** What event streams cost the process that serves them, in turns of its event loop. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openFleet, worstStallMs } from '../machines/fleet.ts'
import { longestTurnMs } from '../stalls/measure.ts'
import { openEvents, videosOf } from '../support/event-streams.ts'

const API = { ROLES: 'api', PUBLIC_URL: 'http://transcripts.test' }

const fleet = await openFleet({ after })
await fleet.start({ ROLES: 'worker', JOB_VIDEOS: '4' })

test('500 finished rows are told without holding up the process for 50 ms, to one and to twenty at once', async () => {
  const ROWS = 500
  const one = await fleet.start(API, { isProbed: true })
  const who = await fleet.customer(one)
  const { job } = await who.orders({ urls: ['@smallworkshop'], maxVideos: 1 })
  const first = job['progress'].processed + 1
  await fleet.database.pool.query(
    `insert into video_row (job_id, index, source, video_id, title, status, label, done, finished_at)
    select $1, n, 0, lpad(n::text, 11, 'v'), repeat('x', 100), 'unchanged', 'had before', n, now()
    from generate_series($2::int, $3::int) n`,
    [job['id'], first, ROWS],
  )
  await fleet.database.pool.query(
    'update job set processed = $2, discovered = $2, unchanged = unchanged + $2 - processed where id = $1',
    [job['id'], ROWS],
  )
  await (await openEvents(who, job)).rest() // the very first stream loads code
  for (const followers of [1, 20]) {
    await worstStallMs(one)
    const told = await Promise.all(
      Array.from({ length: followers }, async () => (await openEvents(who, job)).rest()),
    )
    const stallMs = await worstStallMs(one)
    for (const each of told) assert.equal(videosOf(each).length, ROWS)
    assert.ok(stallMs < longestTurnMs(), `${followers} followers: ${stallMs} ms`)
  }
  await one.ends('SIGTERM')
})
