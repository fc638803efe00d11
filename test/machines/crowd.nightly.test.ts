/** One order of a video beside a crowd that lists for free, where the egress route is paced. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { judgeWaits, sendHome, waitsBeside } from '../attack/crowd.ts'
import { openFleet } from './fleet.ts'

const ATTACKERS = 8

test(
  'beside eight accounts that list a huge channel for nothing, an order of one video takes at most three times its time alone',
  { timeout: 120_000 },
  async (t) => {
    const fleet = await openFleet({ after }, { latencyMs: 100 })
    const one = await fleet.start({
      EGRESS_ROUTES: 'direct#ratePerMinute=1200&concurrency=8',
      MAX_ACTIVE_JOBS: '20',
      WORKER_JOBS: '6',
    })
    const honest = await fleet.customer(one)
    const attackers = await Promise.all(
      Array.from({ length: ATTACKERS }, () => fleet.customer(one, 1)),
    )
    const waits = await waitsBeside(fleet, honest, { attackers, jobsEach: 4 })
    t.diagnostic(judgeWaits(waits))
    assert.ok(
      waits.admitted >= ATTACKERS && waits.refused > 0,
      'each has a job in, and none has all it wants',
    )
    await sendHome(fleet.database, attackers)
    assert.equal(await one.ends('SIGTERM'), 0)
  },
)
