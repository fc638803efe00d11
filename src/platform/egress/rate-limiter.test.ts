/** The rate limiter's queue: requests that wait for the route's pace go out fairly by account, and the pace is kept. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { memoryBudget } from '../../../test/support/memory-budget.ts'
import { ticking } from '../../../test/support/until.ts'
import { openWork, type Share } from '../../kit/fair-queue.ts'
import { openRateLimiter } from './rate-limiter.ts'
import type { RouteBudget, RouteTerms } from '../../model/platform/route-budget.ts'

const NEVER = new AbortController().signal
const INTERVAL_MS = 5
const RATE = 60_000 / INTERVAL_MS
const TERMS: RouteTerms = {
  name: 'r',
  ratePerMinute: { start: RATE, floor: 1, ceiling: RATE },
  restMs: { first: 60_000, longest: 60_000 },
  blocksForgiven: 0,
  healedAfter: 50,
}
/**
 * A clock that counts at most one millisecond in a turn of the event loop, so that a stalled machine skips nothing of
 * the queue.
 */
const time = ticking(1)
after(() => time.stop())
const clock = time.count
const by = (accountId: string): Share => ({ accountId, jobId: `${accountId}-1` })

function open(budget: RouteBudget = memoryBudget(clock, () => 0)) {
  const limiter = openRateLimiter(TERMS, { budget, clock, work: openWork() })
  const order: string[] = []
  const passes = async (name: string, signal = NEVER): Promise<string> => {
    const { kind } = await limiter.pass(by(name), signal)
    order.push(name)
    return kind
  }
  return { limiter, order, passes }
}

test('a request of an account that had nothing goes out next, though forty of others wait', async () => {
  const { order, passes } = open()
  const startedAt = clock()
  const crowd = ['x', 'y', 'z'].flatMap((name) => Array.from({ length: 40 }, () => passes(name)))
  await crowd[30] // each account had some
  const before = order.length
  await passes('new')
  assert.ok(order.indexOf('new') <= before + 1, `${order.indexOf('new')} after ${before}`)
  await Promise.all(crowd)
  const tookMs = clock() - startedAt
  assert.ok(tookMs >= 119 * INTERVAL_MS, `121 requests in ${tookMs} ms`)
  const shares = Map.groupBy(order.slice(0, 60), (name) => name)
  for (const name of ['x', 'y', 'z'])
    assert.ok(Math.abs((shares.get(name)?.length ?? 0) - 20) <= 2, order.join(''))
})

test('a block is told to all that wait at once, and one who gives up leaves the queue', async () => {
  const { limiter, order, passes } = open()
  const gone = new AbortController()
  const waits = Array.from({ length: 200 }, () => passes('x'))
  const leaves = passes('y', gone.signal)
  gone.abort(new Error('cancelled'))
  await assert.rejects(leaves, /cancelled/)
  await waits[20]
  await limiter.blocked({ epoch: 1, retryAfterMs: null, suspicion: null, leasedAtMs: 0 })
  const kinds = await Promise.all(waits)
  assert.ok(kinds.filter((kind) => kind === 'resting').length > 100)
  assert.ok(!order.includes('y'))
  assert.ok(limiter.restingMs(by('x')) > 50_000)
})

test('a budget that cannot be read fails those who wait, and is asked again for the next', async () => {
  const real = memoryBudget(clock, () => 0)
  let isAway = true
  const { passes } = open({
    ...real,
    take: async (terms, told) => {
      if (isAway) throw new Error('the database is away')
      return real.take(terms, told)
    },
  })
  await Promise.all(['x', 'y'].map((name) => assert.rejects(passes(name), /the database is away/)))
  isAway = false
  assert.equal(await passes('x'), 'open')
})

test('a day without room is looked at again each minute: a bound may grow, and a machine may have slept', async () => {
  let nowMs = 0
  let roomInMs = 3_600_000
  const real = memoryBudget(
    () => nowMs,
    () => 0,
  )
  const budget: RouteBudget = {
    ...real,
    async take(terms, told) {
      const lease = await real.take(terms, told)
      return lease.kind === 'leased' ? { ...lease, roomInMs } : lease
    },
  }
  const limiter = openRateLimiter(TERMS, { budget, clock: () => nowMs, work: openWork() })
  await limiter.look(NEVER)
  nowMs = 59_000
  assert.equal(limiter.spentMs(), 3_600_000 - 59_000)
  nowMs = 61_000
  assert.equal(limiter.spentMs(), 0, 'not known any more')
  await limiter.look(NEVER)
  assert.equal(limiter.spentMs(), 3_600_000)
  roomInMs = 0
  nowMs += 61_000
  await limiter.look(NEVER)
  assert.equal(limiter.spentMs(), 0)
})
