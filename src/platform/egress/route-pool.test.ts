/** The route pool: which route a question gets, when it waits, and that a slot always comes back. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FIRST_REST_MS, poolInMemory } from '../../../test/support/route-pool.ts'
import type { LeaseRequest, Leasing, RouteLease } from './route-pool.ts'

const NEVER = new AbortController().signal
const request = (change: Partial<LeaseRequest> = {}): LeaseRequest => ({
  share: { accountId: 'account', jobId: 'job' },
  avoid: new Set(),
  patienceMs: 0,
  isStranger: false,
  ...change,
})

function leased(leasing: Leasing): RouteLease {
  assert.ok(leasing.kind === 'leased', JSON.stringify(leasing))
  return leasing.lease
}

test('a question gets the route with the largest share of free slots', async (t) => {
  const { pool } = poolInMemory('direct#concurrency=1 http://p.example:1#concurrency=3&name=wide')
  t.after(() => pool.close())
  const names: string[] = []
  for (let n = 0; n < 4; n += 1) names.push(leased(await pool.lease(request(), NEVER)).route.name)
  assert.deepEqual(names.toSorted(), ['direct', 'wide', 'wide', 'wide'])
})

test('a slot that is given back, once or twice, is one free slot for whoever waits', async (t) => {
  const { pool } = poolInMemory('direct#concurrency=1')
  t.after(() => pool.close())
  const first = leased(await pool.lease(request(), NEVER))
  const order: string[] = []
  const waits = ['second', 'third'].map(async (name) => {
    const lease = leased(await pool.lease(request(), NEVER))
    order.push(name)
    return lease
  })
  first.release()
  first.release()
  const second = await waits[0]
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(order, ['second'])
  second?.release()
  await waits[1]
  assert.deepEqual(order, ['second', 'third'])
})

test('a route that rests is passed over; where all rest, patience decides whether they are waited for', async (t) => {
  const { pool, waits } = poolInMemory('direct http://p.example:1#name=other')
  t.after(() => pool.close())
  const both = [await pool.lease(request(), NEVER), await pool.lease(request(), NEVER)].map(leased)
  const [one, two] = both
  await one?.limiter.blocked({ epoch: 1, retryAfterMs: null, suspicion: null, leasedAtMs: 0 })
  both.forEach((lease) => lease.release())
  const open = leased(await pool.lease(request(), NEVER))
  assert.equal(open.route.name, two?.route.name)
  await two?.limiter.blocked({
    epoch: 1,
    retryAfterMs: 2 * FIRST_REST_MS,
    suspicion: null,
    leasedAtMs: 0,
  })
  open.release()

  const short = await pool.lease(request({ patienceMs: FIRST_REST_MS - 1 }), NEVER)
  assert.deepEqual(short, { kind: 'resting', forMs: FIRST_REST_MS })
  assert.deepEqual(waits, [])
  const after = leased(await pool.lease(request({ patienceMs: FIRST_REST_MS }), NEVER))
  assert.deepEqual([waits, after.route.name], [[FIRST_REST_MS], one?.route.name])
})

test('a block ends the epoch: other connections, another session identity, and only then not avoided', async (t) => {
  const { pool } = poolInMemory('direct')
  t.after(() => pool.close())
  const before = leased(await pool.lease(request(), NEVER))
  before.release()
  const avoid = new Set(['direct:1'])
  assert.deepEqual(await pool.lease(request({ avoid }), NEVER), {
    kind: 'resting',
    forMs: Infinity,
  })
  await before.limiter.blocked({
    epoch: before.epoch,
    retryAfterMs: null,
    suspicion: null,
    leasedAtMs: 0,
  })
  const after = leased(await pool.lease(request({ avoid, patienceMs: FIRST_REST_MS }), NEVER))
  assert.equal(after.epoch, 2)
  const visitors = [before, after].map(({ limiter, epoch }) => limiter.visitorOf('WEB', epoch))
  assert.deepEqual(visitors, [null, 'direct in epoch 2'])
  assert.notEqual(after.dispatcher, before.dispatcher)
})

test('on a rotating route each lease has connections of its own, and no identity yet', async (t) => {
  const { pool } = poolInMemory('http://p.example:1#rotating=true&name=gateway')
  t.after(() => pool.close())
  const [one, two] = [
    leased(await pool.lease(request(), NEVER)),
    leased(await pool.lease(request(), NEVER)),
  ]
  assert.notEqual(one.dispatcher, two.dispatcher)
  assert.notEqual(one.visitors, two.visitors)
  assert.deepEqual([one.visitors.size, two.visitors.size], [0, 0])
})

test('one route by its name: leased, resting, or a fault where there is none', async (t) => {
  const { pool } = poolInMemory('direct http://p.example:1#name=other')
  t.after(() => pool.close())
  const { share } = request()
  const lease = leased(await pool.leaseOn('other', share, NEVER))
  assert.equal(lease.route.name, 'other')
  await lease.limiter.blocked({ epoch: 1, retryAfterMs: null, suspicion: null, leasedAtMs: 0 })
  lease.release()
  assert.deepEqual(await pool.leaseOn('other', share, NEVER), {
    kind: 'resting',
    forMs: FIRST_REST_MS,
  })
  await assert.rejects(pool.leaseOn('nowhere', share, NEVER), /no egress route is named nowhere/)
})

test('where half of the routes rest, the others are left to those who pay', async (t) => {
  const { pool, waits } = poolInMemory('direct http://p.example:1#name=other')
  t.after(() => pool.close())
  const spare = request({ share: { accountId: 'account', jobId: 'preview', isSpare: true } })
  leased(await pool.lease(spare, NEVER)).release()
  const one = leased(await pool.lease(request(), NEVER))
  await one.limiter.blocked({ epoch: 1, retryAfterMs: null, suspicion: null, leasedAtMs: 0 })
  one.release()

  leased(await pool.lease(request(), NEVER)).release()
  assert.deepEqual(await pool.lease(spare, NEVER), { kind: 'resting', forMs: FIRST_REST_MS })
  leased(await pool.lease({ ...spare, patienceMs: FIRST_REST_MS }, NEVER)).release()
  assert.deepEqual(waits, [FIRST_REST_MS])
})
