/** The route budget, in memory and in the database alike: leases, rests and guests that all processes share. */
import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { memoryBudget } from '../../src/platform/egress/memory-budget.ts'
import type { RouteBudget, RouteTerms } from '../../src/platform/egress/route-budget.ts'
import { egressBudget } from '../../src/store/egress-routes.ts'
import { testDatabase } from '../support/database.ts'

const TERMS: RouteTerms = {
  name: 'r',
  ratePerMinute: { start: 1200, floor: 600, ceiling: 2400 },
  restMs: { first: 60_000, longest: 240_000 },
  blocksForgiven: 0,
  healedAfter: 5,
}

const BUDGETS: [string, (t: TestContext) => Promise<RouteBudget>][] = [
  [
    'in memory',
    async () =>
      memoryBudget(
        () => performance.now(),
        () => 0,
      ),
  ],
  ['in the database', async (t) => egressBudget((await testDatabase(t)).db, () => 0)],
]

for (const [where, open] of BUDGETS) {
  test(`${where}: leases taken at once never overlap in time`, async (t) => {
    const budget = await open(t)
    const startedAt = performance.now()
    const leases = await Promise.all(
      Array.from({ length: 12 }, () => budget.take(TERMS, { answered: 0 })),
    )
    const tookMs = performance.now() - startedAt
    const starts = leases.map((lease) => {
      assert.ok(lease.kind === 'leased')
      assert.equal(lease.permits, 10)
      assert.ok(Math.abs(lease.intervalMs - 50) < 0.5)
      return lease.startsInMs
    })
    const last = Math.max(...starts)
    // Each lease is half a second long, so the twelfth begins 5.5 s after the first.
    assert.ok(last >= 5500 - tookMs - 5 && last <= 5505, `${last} ms after ${tookMs} ms`)
  })

  test(`${where}: a block halves the rate, rests the route and ends the guest; only the first report counts`, async (t) => {
    const budget = await open(t)
    const before = await budget.take(TERMS, { answered: 0 })
    const { epoch } = before.identity
    assert.equal(await budget.saveIdentity('r', { epoch, visitorData: 'guest' }), 'guest')
    assert.equal(await budget.saveIdentity('r', { epoch, visitorData: 'late' }), 'guest')
    const rests = await Promise.all(
      [1, 2, 3].map(() => budget.reportBlock(TERMS, { epoch, retryAfterMs: null })),
    )
    for (const rest of rests) assert.ok(rest > 59_000 && rest <= 60_000, String(rest))

    const after = await budget.take(TERMS, { answered: 0 })
    assert.equal(after.kind, 'resting')
    assert.ok(after.kind === 'resting' && after.forMs > 59_000 && after.forMs <= 60_000)
    assert.deepEqual(after.identity, { epoch: epoch + 1, visitorData: null })
    assert.equal(await budget.saveIdentity('r', { epoch, visitorData: 'old' }), null)

    assert.equal(await budget.reportBlock(TERMS, { epoch: epoch + 1, retryAfterMs: null }), 120_000)
    assert.equal(
      await budget.reportBlock(TERMS, { epoch: epoch + 2, retryAfterMs: 999_000 }),
      999_000,
    )
  })

  test(`${where}: answers raise the rate up to the ceiling and heal the route`, async (t) => {
    const budget = await open(t)
    const quick = { ...TERMS, restMs: { first: 0, longest: 0 } }
    const { identity } = await budget.take(quick, { answered: 0 })
    await budget.reportBlock(quick, { epoch: identity.epoch, retryAfterMs: null })
    const halved = await budget.take(quick, { answered: 3 })
    assert.ok(
      halved.kind === 'leased' && Math.abs(halved.intervalMs - 100) < 2,
      JSON.stringify(halved),
    )
    await budget.take(quick, { answered: 5000 })
    const full = await budget.take(quick, { answered: 0 })
    assert.ok(full.kind === 'leased' && Math.abs(full.intervalMs - 25) < 0.5, JSON.stringify(full))
    const first = await budget.reportBlock(TERMS, { epoch: identity.epoch + 1, retryAfterMs: null })
    assert.equal(first, 60_000, 'healed, so this block is the first again')
  })
}

test('two processes and ten questions at once make one row and one guest', async (t) => {
  const database = await testDatabase(t)
  const budgets = [egressBudget(database.db), egressBudget(database.db)]
  await Promise.all(
    Array.from({ length: 10 }, (_, at) => budgets[at % 2]!.take(TERMS, { answered: 1 })),
  )
  const kept = await Promise.all(
    Array.from({ length: 10 }, (_, at) => {
      return budgets[at % 2]!.saveIdentity('r', { epoch: 1, visitorData: `guest ${at}` })
    }),
  )
  assert.equal(new Set(kept).size, 1)
  const { rows } = await database.pool.query('select count(*)::int as count from egress_route')
  assert.deepEqual(rows, [{ count: 1 }])
})

test('a guest is renewed after an hour', async (t) => {
  const database = await testDatabase(t)
  const budget = egressBudget(database.db)
  await budget.take(TERMS, { answered: 0 })
  await budget.saveIdentity('r', { epoch: 1, visitorData: 'guest' })
  await database.pool.query(`update egress_route set minted_at = minted_at - interval '61 minutes'`)
  assert.equal((await budget.take(TERMS, { answered: 0 })).identity.visitorData, null)
  assert.equal(await budget.saveIdentity('r', { epoch: 1, visitorData: 'next' }), 'next')
})

test('the database refuses rates, counts and guests that cannot be', async (t) => {
  const { pool, db } = await testDatabase(t)
  await egressBudget(db).take(TERMS, { answered: 0 })
  const wrong: [string, RegExp][] = [
    ['rate_per_minute = 0', /egress_route_rate/],
    ['epoch = 0', /egress_route_counts/],
    [`visitor_data = 'x'`, /egress_route_guest/],
  ]
  for (const [change, constraint] of wrong) {
    await assert.rejects(pool.query(`update egress_route set ${change}`), constraint)
  }
})
