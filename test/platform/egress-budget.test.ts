/** The route budget, in memory and in the database alike: leases, rests and identities that all processes share. */
import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import fc from 'fast-check'
import { BUDGET_TERMS as TERMS, memoryBudget } from '../support/memory-budget.ts'
import type { RouteBudget } from '../../src/model/platform/route-budget.ts'
import { egressBudget } from '../../src/store/egress-routes.ts'
import type { Db } from '../../src/store/database.ts'
import { testDatabase } from '../support/database.ts'
import { isSeedFixed } from '../support/seed.ts'

/** A block that any request would have met. */
const PLAIN = { suspicion: null, hasDelivered: false }
const OF_WEB = { client: 'WEB' }

/** Clock of both budgets, which stands still. */
const NOW = new Date('2026-11-25T12:00:00Z')
const noJitter = (): number => 0
const inMemory = (): RouteBudget => memoryBudget(() => NOW.getTime(), noJitter)
const inDatabase = (db: Db): RouteBudget => egressBudget(db, noJitter, () => NOW)

const BUDGETS: [string, (t: TestContext) => Promise<RouteBudget>][] = [
  ['in memory', async () => inMemory()],
  ['in the database', async (t) => inDatabase((await testDatabase(t)).db)],
]

/** Returns whole milliseconds: the database counts in microseconds and in binary fractions. */
function inWholeMs(ms: number): number {
  const whole = Math.round(ms)
  assert.ok(Math.abs(ms - whole) < 0.01, `${ms} ms`)
  return whole
}

for (const [where, open] of BUDGETS) {
  test(`${where}: leases taken at once never overlap in time`, async (t) => {
    const budget = await open(t)
    const leases = await Promise.all(
      Array.from({ length: 12 }, () => budget.take(TERMS, { answered: 0, hasDelivered: false })),
    )
    const starts = leases.map((lease) => {
      assert.ok(lease.kind === 'leased')
      assert.deepEqual([lease.permits, inWholeMs(lease.intervalMs)], [10, 50])
      return inWholeMs(lease.startsInMs)
    })
    assert.deepEqual(
      starts.toSorted((one, other) => one - other),
      Array.from({ length: 12 }, (_, at) => at * 500),
      'each lease is half a second long and begins where another ends',
    )
  })

  test(`${where}: a block halves the rate, rests the route and ends the guest; only the first report counts`, async (t) => {
    const budget = await open(t)
    const before = await budget.take(TERMS, { answered: 0, hasDelivered: false })
    const { epoch } = before.identity
    assert.equal(
      await budget.saveIdentity('r', { ...OF_WEB, epoch, visitorData: 'identity' }),
      'identity',
    )
    assert.equal(
      await budget.saveIdentity('r', { ...OF_WEB, epoch, visitorData: 'late' }),
      'identity',
    )
    assert.equal(
      await budget.saveIdentity('r', { client: 'IOS', epoch, visitorData: 'own' }),
      'own',
    )
    const known = await budget.take(TERMS, { answered: 0, hasDelivered: false })
    assert.deepEqual(known.identity.visitors, { WEB: 'identity', IOS: 'own' })
    const rests = await Promise.all(
      [1, 2, 3].map(() => budget.reportBlock(TERMS, { ...PLAIN, epoch, retryAfterMs: null })),
    )
    for (const { scope, forMs } of rests)
      assert.deepEqual([scope, inWholeMs(forMs)], ['everybody', 60_000])

    const after = await budget.take(TERMS, { answered: 0, hasDelivered: false })
    assert.ok(after.kind === 'resting')
    assert.equal(inWholeMs(after.forMs), 60_000)
    assert.deepEqual(after.identity, { epoch: epoch + 1, visitors: {} })
    assert.equal(await budget.saveIdentity('r', { ...OF_WEB, epoch, visitorData: 'old' }), null)

    const again = await budget.reportBlock(TERMS, {
      ...PLAIN,
      epoch: epoch + 1,
      retryAfterMs: null,
    })
    assert.deepEqual(again, { scope: 'everybody', forMs: 120_000 })
    const told = { ...PLAIN, epoch: epoch + 2, retryAfterMs: 999_000 }
    assert.equal((await budget.reportBlock(TERMS, told)).forMs, 999_000)
  })

  test(`${where}: answers raise the rate up to the ceiling and heal the route`, async (t) => {
    const budget = await open(t)
    const quick = { ...TERMS, restMs: { first: 0, longest: 0 } }
    const { identity } = await budget.take(quick, { answered: 0, hasDelivered: false })
    await budget.reportBlock(quick, { ...PLAIN, epoch: identity.epoch, retryAfterMs: null })
    const halved = await budget.take(quick, { answered: 3, hasDelivered: false })
    assert.ok(halved.kind === 'leased')
    assert.ok(Math.abs(halved.intervalMs - 100) < 2, 'three answers raise it a little')
    await budget.take(quick, { answered: 5000, hasDelivered: false })
    const full = await budget.take(quick, { answered: 0, hasDelivered: false })
    assert.ok(full.kind === 'leased')
    assert.equal(inWholeMs(full.intervalMs), 25)
    const first = await budget.reportBlock(TERMS, {
      ...PLAIN,
      epoch: identity.epoch + 1,
      retryAfterMs: null,
    })
    assert.equal(first.forMs, 60_000, 'healed, so this block is the first again')
  })
}

const reported = fc.record({
  subject: fc.constantFrom('u', 'v', 'w', 'x'),
  accountId: fc.constantFrom('a', 'b', 'c'),
  isContradicted: fc.boolean(),
  isPlain: fc.constantFrom(false, false, false, false, true),
  hasDelivered: fc.constantFrom(false, false, false, true),
  late: fc.constantFrom(0, 0, 1, 2),
})

/** Situations that chance alone may leave out in a run: one account's two videos, and late reports of both kinds. */
const plain = { isContradicted: false, isPlain: true, hasDelivered: false, late: 0 }
const odd = { ...plain, isPlain: false, accountId: 'a' }
const ALWAYS = [
  [
    { ...odd, subject: 'u' },
    { ...odd, subject: 'v' },
  ],
  [{ ...odd, subject: 'u', late: 1 }],
  [{ ...plain, subject: 'u', accountId: 'a', late: 1 }],
  [{ ...plain, subject: 'u', accountId: 'a' }],
]

test('the database judges suspicions as memory does, whatever comes in which order', async (t) => {
  const database = inDatabase((await testDatabase(t)).db)
  const seen = new Set<string>()
  let runs = 0
  await fc.assert(
    fc.asyncProperty(fc.array(reported, { maxLength: 12, size: 'max' }), async (reports) => {
      const memory = inMemory()
      const terms = { ...TERMS, name: `route ${(runs += 1)}` }
      let { epoch } = (await memory.take(terms, { answered: 0, hasDelivered: false })).identity
      await database.take(terms, { answered: 0, hasDelivered: false })
      for (const { isPlain, hasDelivered, late, ...suspicion } of reports) {
        const block = {
          epoch: Math.max(1, epoch - late),
          retryAfterMs: null,
          suspicion: isPlain ? null : suspicion,
          hasDelivered,
        }
        const [here, there] = [
          await memory.reportBlock(terms, block),
          await database.reportBlock(terms, block),
        ]
        assert.equal(there.scope, here.scope)
        assert.equal(inWholeMs(there.forMs), here.forMs)
        epoch = (await memory.take(terms, { answered: 0, hasDelivered: false })).identity.epoch
        const kept = await database.take(terms, { answered: 0, hasDelivered: false })
        assert.equal(kept.identity.epoch, epoch)
        seen.add(late > 0 ? `late ${here.scope}` : here.scope)
      }
    }),
    { numRuns: 25, examples: ALWAYS.map((reports) => [reports] as [typeof reports]) },
  )
  if (isSeedFixed)
    for (const what of ['everybody', 'account', 'nobody', 'late everybody'])
      assert.ok(seen.has(what), `never came up: ${what}`)
})

test('two processes that see one suspicious video each rest the route together', async (t) => {
  const { db } = await testDatabase(t)
  const budgets = [inDatabase(db), inDatabase(db)]
  const scopes: string[] = []
  for (const [at, budget] of budgets.entries()) {
    const { identity } = await budget.take(TERMS, { answered: 0, hasDelivered: false })
    const suspicion = { subject: `video ${at}`, accountId: `account ${at}`, isContradicted: false }
    const block = { ...PLAIN, epoch: identity.epoch, retryAfterMs: null, suspicion }
    scopes.push((await budget.reportBlock(TERMS, block)).scope)
  }
  assert.deepEqual(scopes, ['nobody', 'everybody'])
})

test('two processes and ten questions at once make one row and one identity', async (t) => {
  const database = await testDatabase(t)
  const budgets = [egressBudget(database.db), egressBudget(database.db)]
  await Promise.all(
    Array.from({ length: 10 }, (_, at) =>
      budgets[at % 2]!.take(TERMS, { answered: 1, hasDelivered: false }),
    ),
  )
  const kept = await Promise.all(
    Array.from({ length: 10 }, (_, at) => {
      return budgets[at % 2]!.saveIdentity('r', { ...OF_WEB, epoch: 1, visitorData: `guest ${at}` })
    }),
  )
  assert.equal(new Set(kept).size, 1)
  const { rows } = await database.pool.query('select count(*)::int as count from egress_route')
  assert.deepEqual(rows, [{ count: 1 }])
})

test('a guest is renewed after an hour', async (t) => {
  const database = await testDatabase(t)
  const budget = egressBudget(database.db)
  await budget.take(TERMS, { answered: 0, hasDelivered: false })
  await budget.saveIdentity('r', { ...OF_WEB, epoch: 1, visitorData: 'identity' })
  await database.pool.query(
    `update egress_identity set minted_at = minted_at - interval '61 minutes'`,
  )
  const renewed = await budget.take(TERMS, { answered: 0, hasDelivered: false })
  assert.deepEqual(renewed.identity.visitors, {})
  assert.equal(await budget.saveIdentity('r', { ...OF_WEB, epoch: 1, visitorData: 'next' }), 'next')
})

test('the database refuses rates, counts and identities that cannot be', async (t) => {
  const { pool, db } = await testDatabase(t)
  await egressBudget(db).take(TERMS, { answered: 0, hasDelivered: false })
  const wrong: [string, RegExp][] = [
    ['rate_per_minute = 0', /egress_route_rate/],
    ['epoch = 0', /egress_route_counts/],
    [`visitor_data = 'x'`, /egress_route_guest/],
  ]
  for (const [change, constraint] of wrong) {
    await assert.rejects(pool.query(`update egress_route set ${change}`), constraint)
  }
})
